"""Construction of most of the server's parts, one module a group. ``realtime/app.py`` puts the groups together."""
