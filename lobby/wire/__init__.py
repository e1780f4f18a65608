"""Types of the lobby's messages."""
