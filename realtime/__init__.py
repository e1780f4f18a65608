"""The server.

Sockets and sessions, live games, simuls and the lobby, views of many games, the journal, the nodes of a cluster,
imports, pages and the HTTP API, and the command ``zeitnot``.
"""

__version__ = "0.1.0"
