"""The lobby's messages as types."""
