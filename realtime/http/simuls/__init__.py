"""HTTP: simuls and their feeds."""
