"""HTTP: the pages of the web client and its static files."""
