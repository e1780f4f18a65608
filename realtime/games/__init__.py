"""Live games. A table is the single writer of a game. Seats, clocks, chat, loading and recovery are beside it."""
