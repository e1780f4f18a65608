"""``zeitnot chaos``: play on a cluster, inject random faults, and check everything that clients received against the
journal."""
