"""The command ``zeitnot demo``: scripted clients of a running server, over its HTTP and websockets.

It shares only the games' rules, the names of requests and the base class of errors (``realtime.protocol.errors``) with
the server. Its sockets are those of bots (``robots.client``).
"""
