"""The command ``zeitnot demo``: scripted people on a server that runs, over its HTTP and sockets like anybody.

Nothing of the server takes part in it but its words: the games' rules and the names of requests.
"""
