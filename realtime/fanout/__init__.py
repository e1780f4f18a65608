"""Sessions, topics, subscriptions, and delivery of messages to many spectators in slices."""
