"""Pages under measurement in a browser, and charts."""
