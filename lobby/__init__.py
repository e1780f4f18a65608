"""Who plays, and with whom: identity, seeks, challenges and pairing.

Pure models with thin stores; what the lobby needs of the server it declares as Protocols.
"""
