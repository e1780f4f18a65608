"""Clocks of running games: ticks, holds, correspondence flags, attendance at other nodes."""
