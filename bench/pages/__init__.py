"""Measured pages in a browser, and charts."""
