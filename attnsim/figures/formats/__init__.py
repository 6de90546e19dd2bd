"""Figures of the number formats."""
