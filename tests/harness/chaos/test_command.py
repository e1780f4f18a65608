"""Options of ``zeitnot chaos``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from harness.chaos.command import run_chaos
from harness.chaos.options import ChaosOptions
from realtime.commands.cli import main
from realtime.ops import log
from realtime.protocol.errors import BadSetting

if TYPE_CHECKING:
    from pathlib import Path


def plan(**fields: Any) -> ChaosOptions:
    return ChaosOptions(minutes=1, seed=1, **fields)


def test_keep_directory_is_created(tmp_path: Path) -> None:
    home = tmp_path / "runs" / "first"
    plan(keep=home).create_directory()
    assert home.is_dir()
    plan(keep=home).create_directory()  # an empty one will do
    plan().create_directory()


async def test_nonempty_keep_directory_is_refused(tmp_path: Path) -> None:
    (tmp_path / "node1.log").write_text("of another run")
    with pytest.raises(BadSetting, match="expected an empty directory") as error:
        await run_chaos(plan(keep=tmp_path), lambda line: None)
    assert str(tmp_path) in str(error.value)


def test_file_as_keep_directory_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    for path in (file, file / "inside"):
        with pytest.raises(BadSetting, match="no directory that can be used"):
            plan(keep=path).create_directory()


def test_unwritable_report_is_refused_before_the_run(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match="--report: there is no directory"):
        plan(report=tmp_path / "nowhere" / "report.md").check()
    plan(report=tmp_path / "report.md").check()


def test_command_reports_a_nonempty_keep_directory(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log, "set_up", lambda *_: None)  # of this whole process
    (tmp_path / "node1.log").write_text("of another run")
    with pytest.raises(SystemExit) as ended:
        main(["chaos", "--minutes", "1", "--seed", "1", "--keep", str(tmp_path)])
    assert ended.value.code == 2
    assert "--keep: expected an empty directory" in capsys.readouterr().err
