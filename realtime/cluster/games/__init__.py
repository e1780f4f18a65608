"""Games on several nodes: replicas for readers, requests forwarded to the owner, placement, takeover and release.

The cards of live games and television are exchanged here too.
"""
