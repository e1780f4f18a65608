"""A robot as a player: its account, its games, and how it behaves in them. It knows moves only as answers to jobs."""
