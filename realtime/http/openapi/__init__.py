"""HTTP: every operation, and the documents that describe them."""
