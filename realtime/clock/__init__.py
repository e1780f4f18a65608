"""Time and the event loop: game time, timers, selector, sliced work, shared tasks, garbage, reference cycles."""
