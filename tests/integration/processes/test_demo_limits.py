"""``zeitnot demo simul`` against a server with low limits for one address."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.server_process import COMMAND, ROOT

LIMITS = "guests=9,connections=3"


def refused(url: str, boards: int) -> str:
    command = [sys.executable, "-c", COMMAND, "demo", "simul", "--url", url, "--boards", str(boards), "--host-plays"]
    run = subprocess.run(command, check=False, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert run.returncode == 2, run.stderr
    return run.stderr


@pytest.mark.lone_node("of what is used up elsewhere a node knows 50 ms later (test_presence.py, test_spending.py)")
def test_demo_names_the_limits_to_raise(url: str) -> None:
    told = refused(url, 3)
    assert "takes no more sockets from one address" in told
    assert "--limit connections=2000,guests=2000" in told
    told = refused(url, 20)
    assert "(9 new guests" in told, "what the server says"
    assert "makes no more guests for this address" in told
    assert "--limit connections=2000,guests=2000" in told
