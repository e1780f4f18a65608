"""Who can still win: asked of solver processes, and dead positions ended."""
