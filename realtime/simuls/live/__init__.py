"""Simuls that this node runs: one writer each, its boards, listeners, streams and lists, and takeover."""
