"""PostgreSQL: connections and migrations, the embedded server, and PostgreSQL's own programs.

NATS for one machine too.
"""
