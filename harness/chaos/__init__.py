"""``zeitnot chaos``: play on a cluster, inject random faults, and check everything that clients were told against the
journal."""
