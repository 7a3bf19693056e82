"""Faults injected at random, one module an area, and what must come of them."""
