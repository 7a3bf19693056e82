"""Episodes as Arrow: sentences, the diary, personas and the derived tables."""
