"""Simuls that another node runs, as shown to listeners on this one."""
