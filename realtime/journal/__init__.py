"""Durable storage of events, committed before anybody sees them, and leases, which decide who may write.

Here too: the rows of games, the ends of rated games, takeover of games (``nodes.py``), the list of games that are not
over, whether the database stores anything (``readiness.py``), and the time of the last backup.
"""
