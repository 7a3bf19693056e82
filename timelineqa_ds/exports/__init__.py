"""Questions as files for other programs."""
