"""Several nodes on one database: the bus between them, and their games, lobby and people.

Elsewhere: simuls on several nodes (``simuls/replica``), leases and takeover of games (``journal/nodes.py``), the worker
processes of one machine (``commands/workers.py``).
"""
