"""Who receives what: topics, subscriptions, and delivery to many spectators in slices."""
