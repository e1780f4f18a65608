"""Game time, timers, the selector, and control of garbage collection."""
