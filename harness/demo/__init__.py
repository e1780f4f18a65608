"""The command ``zeitnot demo``: scripted clients of a running server, over its HTTP and websockets.

It shares only the games' rules and the names of requests with the server.
"""
