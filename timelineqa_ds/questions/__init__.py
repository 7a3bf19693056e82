"""Questions about lifelogs: atomic ones about a single episode, and multi-hop ones about many."""
