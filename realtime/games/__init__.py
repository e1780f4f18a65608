"""Live games. A table is the one writer of a game; around it are seats, clocks, chat, loading and recovery."""
