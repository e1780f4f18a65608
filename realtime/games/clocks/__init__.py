"""Clocks of running games: ticks, holds, stalls, correspondence flags, presence, eviction of unused tables."""
