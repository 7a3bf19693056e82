"""Multi-hop questions: templates, the database that answers them, and their table."""
