"""HTTP: reading bodies and queries, and answers in pieces."""
