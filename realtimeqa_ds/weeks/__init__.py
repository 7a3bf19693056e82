"""One week: its questions, the pools and predictions that belong to them, and their tables."""
