"""Files: `readers` for users' vectors, `writers` for exports, `resources` for what the package brings along."""
