"""What an operator sees: metrics, logs, and mail that the server sends."""
