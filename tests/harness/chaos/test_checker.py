"""Chaos checker: it detects manipulated truths and views."""

from __future__ import annotations

import asyncio
import copy
from typing import TYPE_CHECKING

import msgspec
import pytest

from game_core.events import Moved
from harness.chaos.checker import Truth, check_game, read_truths
from harness.chaos.continuous_games import Findings
from harness.chaos.errors import Violation
from harness.chaos.league import LIMITS, League, LeagueGame
from harness.chaos.report import ChaosResult, format_report
from harness.chaos.view import Ack, View
from realtime.journal.appends import Cause
from tests.server_process import ServerProcess

if TYPE_CHECKING:
    from collections.abc import Callable

    from game_core.events import AnyEvent

GAME = "chaos"
PLIES = 12


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[LeagueGame, Truth, View]:
    """A game that was played on a real server: as it is stored, and as White saw it."""

    async def play() -> tuple[LeagueGame, Truth, View]:
        with ServerProcess(tmp_path_factory.mktemp("server") / "data", "--limit", LIMITS) as server:
            async with (
                League(server.url, games=1, seed=3, plies=PLIES, think_s=(0, 0)) as league,
                server.opened() as url,
            ):
                await league.finish()
                (match,) = league.matches
                truth = (await read_truths(url, [match.game]))[match.game]
                return match, truth, match.players[0].view

    return asyncio.run(play())


@pytest.fixture
def stored(played: tuple[LeagueGame, Truth, View]) -> tuple[LeagueGame, Truth, View]:
    """The same, to be tampered with."""
    match, truth, view = played
    return match, truth, copy.deepcopy(view)


def test_correct_game_passes(stored: tuple[LeagueGame, Truth, View]) -> None:
    match, truth, view = stored
    assert len(view.acks) >= PLIES / 2
    assert view.snapshots
    check_game(match, truth, [view], finished=True)


def without(truth: Truth, place: int) -> Truth:
    def cut(items: list) -> list:  # type: ignore[type-arg]  # of anything
        return items[:place] + items[place + 1 :]

    return msgspec.structs.replace(truth, seqs=cut(truth.seqs), events=cut(truth.events), causes=cut(truth.causes))


def with_event(truth: Truth, place: int, event: AnyEvent) -> Truth:
    return msgspec.structs.replace(truth, events=[*truth.events[:place], event, *truth.events[place + 1 :]])


def last_move(truth: Truth) -> tuple[int, Moved]:
    return next((n, e) for n, e in reversed(list(enumerate(truth.events))) if isinstance(e, Moved))


TAMPERED: dict[str, tuple[Callable[[Truth], Truth], str]] = {
    "an event is missing": (lambda t: without(t, 3), "gaps or doubles"),
    "the last event is missing": (lambda t: without(t, len(t.events) - 1), "the row says"),
    "an event is there twice": (
        lambda t: msgspec.structs.replace(t, seqs=[*t.seqs[:4], t.seqs[3], *t.seqs[5:]]),
        "gaps or doubles",
    ),
    "a request was stored twice": (
        lambda t: msgspec.structs.replace(t, causes=[Cause(user="u", key="k", request="move")] * len(t.causes)),
        "stored twice",
    ),
    "a flag fell": (
        lambda t: with_event(t, len(t.events) - 1, msgspec.structs.replace(t.events[-1], reason="timeout")),
        "timeout",
    ),
    "a move costs another time than the clock says": (
        lambda t: with_event(t, last_move(t)[0], msgspec.structs.replace(last_move(t)[1], spent_ms=12_345)),
        "cost",
    ),
}


@pytest.mark.parametrize("what", TAMPERED)
def test_altered_stored_game_is_detected(stored: tuple[LeagueGame, Truth, View], what: str) -> None:
    match, truth, _ = stored
    tamper, told_of = TAMPERED[what]
    with pytest.raises(Violation, match=told_of):
        check_game(match, tamper(truth), [], finished=True)


def test_event_shown_but_not_stored_is_detected(stored: tuple[LeagueGame, Truth, View]) -> None:
    match, truth, view = stored
    view.events[len(truth.events) + 1] = {"t": "move", "seq": len(truth.events) + 1}
    with pytest.raises(Violation, match="shown but not stored"):
        check_game(match, truth, [view], finished=True)


def test_event_shown_differently_is_detected(stored: tuple[LeagueGame, Truth, View]) -> None:
    match, truth, view = stored
    place, _ = last_move(truth)
    view.events[place + 1]["san"] = "Qxf7#"
    with pytest.raises(Violation, match="otherwise than it is stored"):
        check_game(match, truth, [view], finished=True)


def test_snapshot_with_wrong_moves_is_detected(stored: tuple[LeagueGame, Truth, View]) -> None:
    match, truth, view = stored
    view.snapshots[-1]["moves"] = [*view.snapshots[-1]["moves"], "e2e4"]
    with pytest.raises(Violation, match="moves in the snapshot"):
        check_game(match, truth, [view], finished=True)


def test_snapshot_beyond_the_stored_events_is_detected(stored: tuple[LeagueGame, Truth, View]) -> None:
    match, truth, view = stored
    view.snapshots[-1]["seq"] = len(truth.events) + 1
    with pytest.raises(Violation, match="events are stored"):
        check_game(match, truth, [view], finished=True)


def test_acknowledged_but_unstored_move_is_detected(stored: tuple[LeagueGame, Truth, View]) -> None:
    match, truth, view = stored
    view.acks.append(Ack("key", truth.row.white.id, "move", len(truth.events) + 1, PLIES, "e2e4"))
    with pytest.raises(Violation, match="acknowledged but not stored"):
        check_game(match, truth, [view], finished=True)


def test_client_that_missed_the_end_is_detected(stored: tuple[LeagueGame, Truth, View]) -> None:
    match, truth, _ = stored
    with pytest.raises(Violation, match="not everybody has seen"):
        check_game(match, truth, [View(match.game)], finished=True)


@pytest.mark.parametrize(
    ("seen", "comes", "what"),
    [
        (3, {"t": "move", "seq": 5, "ply": 0}, "after event 3"),
        (3, {"t": "move", "seq": 3, "ply": 0}, "after event 3"),
        (3, {"t": "game", "seq": 2, "moves": [], "status": "started"}, "went back"),
        (3, {"t": "move", "seq": 4, "ply": 7}, "at 0 plies"),
    ],
    ids=["one is missing", "one comes twice", "a snapshot of before", "another ply"],
)
def test_event_out_of_order_is_detected(seen: int, comes: dict[str, object], what: str) -> None:
    view = View(GAME, seq=seen)
    with pytest.raises(Violation, match=what):
        view.take(comes)


def test_report_states_whether_violations_were_found() -> None:
    sound = ChaosResult(3, 1.0, 3, Findings(games=2, away_s=[0.1, 0.2]), faults=[(5.0, 1.0, "node 1 killed")])
    assert "nothing was lost" in format_report(sound)
    assert "0.10 s / 0.20 s / 0.20 s" in format_report(sound)
    assert "node 1 killed" in format_report(sound)
    wrong = ChaosResult(3, 1.0, 3, Findings(violations=["game x: gaps"]))
    assert "FAULTS WERE FOUND" in format_report(wrong)
    assert "- game x: gaps" in format_report(wrong)
    assert not ChaosResult(3, 1.0, 3, Findings(), logged=["node1 logged a trace"]).is_clean
