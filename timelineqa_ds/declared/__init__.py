"""What is declared in data files (words, events, sentence templates), read and checked."""
