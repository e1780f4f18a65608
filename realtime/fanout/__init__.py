"""Sessions, topics, subscriptions, encoding of messages, and their delivery to many spectators in slices."""
