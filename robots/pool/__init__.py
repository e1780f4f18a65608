"""Which engine does which job, and when; whether there is room for one more game."""
