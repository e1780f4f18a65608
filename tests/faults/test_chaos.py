"""The program that breaks a cluster at random: a short run of it, with every fault that needs no minute."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from realtime import cli
from realtime.chaos.command import FOUND_WRONG

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

SHORT = "kill-node,replace-node,cut-nats,cut-database,kill-nats,kill-postgres"


def chaos(*arguments: str) -> int:
    return cli.run(["chaos", *arguments])


@pytest.mark.timeout(400)
def test_nothing_is_lost_by_a_minute_of_chaos(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = tmp_path / "report.md"
    status = chaos(
        *("--minutes", "0.8", "--seed", "7", "--nodes", "3", "--games", "8", "--boards", "6"),
        *("--faults", SHORT, "--report", str(report)),
    )
    told = capsys.readouterr().out
    assert status == 0, told
    text = report.read_text()
    assert "nothing was lost" in text
    assert text in told


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (["--minutes", "0"], "--minutes"),
        (["--nodes", "0"], "--nodes"),
        (["--games", "1000"], "--games"),
        (["--boards", "-1"], "--boards"),
        (["--faults", "kill-node,earthquake"], "earthquake"),
    ],
)
def test_what_cannot_be_is_said(arguments: Sequence[str], what: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert chaos(*arguments) not in (0, FOUND_WRONG)
    assert what in capsys.readouterr().err
