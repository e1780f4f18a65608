"""``zeitnot chaos``: a cluster is played on and broken at random, and all that was told is held against the journal."""
