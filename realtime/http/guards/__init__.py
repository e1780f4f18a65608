"""HTTP: checks and limits that apply to every request before its handler."""
