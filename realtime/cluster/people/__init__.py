"""People on several nodes: presence, account changes, and shared rate limits."""
