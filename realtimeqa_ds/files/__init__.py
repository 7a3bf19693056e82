"""Which bytes: where files come from, what the manifest says they are, and which week and kind each belongs to."""
