"""Which chess engine is used."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from robots.engines.available import Engines, find_engines
from robots.engines.chess.discovery import START, find_chess
from robots.jobs import NoEngine
from tests.robots.programs import fake_chess, write_program

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def bin_folder(tmp_path: Path) -> Path:
    folder = tmp_path / "bin"
    folder.mkdir()
    return folder


def test_the_engine_that_was_asked_for_comes_first(tmp_path: Path, bin_folder: Path) -> None:
    write_program(bin_folder / "stockfish", "fake_engine.py")
    mine = write_program(tmp_path / "mine", "fake_engine.py")
    assert find_chess(mine, str(bin_folder)).command == (str(mine),)
    with pytest.raises(NoEngine, match="no program"):
        find_chess(tmp_path / "missing", str(bin_folder))


def test_then_those_on_path(bin_folder: Path) -> None:
    stockfish = write_program(bin_folder / "stockfish", "fake_engine.py")
    assert find_chess(None, str(bin_folder), ()).command == (str(stockfish),)
    fairy = write_program(bin_folder / "fairy-stockfish", "fake_engine.py")
    assert find_chess(None, str(bin_folder), ()).command == (str(fairy),)


def test_then_the_npm_package_under_node(tmp_path: Path, bin_folder: Path) -> None:
    module = tmp_path / "package" / "stockfish.js"
    module.parent.mkdir()
    module.touch()
    found = find_chess(None, str(bin_folder), (tmp_path / "nowhere", module.parent))
    node, *rest = found.command
    assert node.endswith("node")
    assert rest == [str(START), str(module)]
    assert START.is_file()


def test_else_there_is_none_and_the_reason_is_told(bin_folder: Path) -> None:
    with pytest.raises(NoEngine, match="fairy-stockfish"):
        find_chess(None, str(bin_folder), ())


def test_an_engine_asked_for_in_vain_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(NoEngine):
        find_engines(tmp_path / "missing")
    with pytest.raises(NoEngine):
        find_engines(None, tmp_path / "missing")


async def test_probing_tells_what_an_engine_plays() -> None:
    engines = Engines(fake_chess("variants"), None)
    await engines.probe()
    assert ("chess", "antichess") in engines.variants()
    assert engines.lines()[0] == "Chess: Fake 1.0, the fake engine"
    plain = Engines(fake_chess("plain"), None)
    await plain.probe()
    assert ("chess", "antichess") not in plain.variants()
    assert plain.lines()[1] == "No robots for chess960, antichess: this engine does not play it"


async def test_an_engine_that_does_not_run_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("robots.engines.available.START_S", 1.5)
    engines = Engines(fake_chess("silent"), None)
    await engines.probe()
    assert engines.kind_for("chess", "standard", 3) is None
    assert "did not start" in engines.lines()[0]
    assert list(engines.failures) == ["chess"]
