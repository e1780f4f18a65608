"""Time and the event loop: the game clock's axis, timers, the selector, and garbage collection."""
