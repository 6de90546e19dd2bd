"""Figures of the phase diagram."""
