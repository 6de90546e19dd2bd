"""Compiled loops: arrays in, arrays out. Numba lives here alone, so import these modules inside functions that run."""
