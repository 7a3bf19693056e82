"""From bytes to values: JSON lines, texts, dates and links, with the errors and counts of what is irregular."""
