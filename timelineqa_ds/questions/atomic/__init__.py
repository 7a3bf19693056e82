"""Atomic questions: forms, candidates, sample and answers."""
