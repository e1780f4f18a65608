"""Game time, timers, the selector, work in slices, garbage collection and reference cycles."""
