"""Game time, timers, the selector, work in slices, shared tasks, garbage collection and reference cycles."""
