"""What people are shown: how far a work is, tables that fit a terminal, plots, and what they may have meant."""
