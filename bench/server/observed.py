"""The real server with two additions for benchmarks: see ``be_observed``.

Run as ``python -m bench.server.observed CORE OPTIONS OF zeitnot serve``; prints its address.
"""

from __future__ import annotations

import sys

from bench.server.process import be_observed
from realtime.commands.cli import run

if __name__ == "__main__":
    be_observed(sys.argv[1])
    sys.exit(run(["serve", *sys.argv[2:]]))
