"""Games on several nodes: replicas for readers, requests forwarded to the owner, takeover and release."""
