"""The server: sockets, sessions, live tables, the journal and the pages."""

__version__ = "0.1.0"
