"""A package, so that its test files may be called like those of other rooms."""
