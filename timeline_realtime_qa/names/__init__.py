"""The names that `load_dataset` and `evaluate.load` know after an import, and one hook for each library."""
