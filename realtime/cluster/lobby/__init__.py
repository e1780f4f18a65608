"""One lobby for all nodes: a leader runs it, the others forward requests and replicate its state."""
