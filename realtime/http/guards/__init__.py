"""HTTP: checks and bounds that every request passes before its handler."""
