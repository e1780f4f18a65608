"""Storage: the path of an append (journal or rated ends), and the end of a rated table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from game_core import commands as c
from game_core.events import Ended
from realtime.games.ratings.rated_table import RatedTable
from realtime.journal.appends import Append, GameSummary
from realtime.journal.rated_transaction import Rated
from realtime.journal.storage import Storage
from tests.realtime.stored_games import append_of
from tests.realtime.table_harness import Harness, play

if TYPE_CHECKING:
    from game_core.color import Color
    from game_core.events import Result


class Way:
    """One of the two; ``depth`` and the like are the test's to set."""

    def __init__(self, depth: int, wait_ms: int, stuck_ms: int) -> None:
        self.took: list[Append] = []
        self.depth = depth
        self._wait_ms = wait_ms
        self._stuck_ms = stuck_ms

    def append(self, append: Append) -> None:
        self.took.append(append)

    def oldest_wait_ms(self) -> int:
        return self._wait_ms

    def stuck_ms(self) -> int:
        return self._stuck_ms


@pytest.mark.parametrize(
    ("summary", "counts"),
    [
        (None, False),
        (GameSummary("live", 2), False),
        (GameSummary("over", 1, "*", "aborted"), False),
        (GameSummary("over", 9, "1-0", "resignation"), True),
        (GameSummary("over", 9, "1/2-1/2", "agreement"), True),
    ],
)
def test_only_rated_ends_go_to_the_rated_path(summary: GameSummary | None, counts: bool) -> None:
    journal, ends = Way(1, 30, 10), Way(2, 20, 40)
    storage = Storage(journal, ends)  # type: ignore[arg-type]  # ways as far as this needs them
    append = append_of("game1", 1, lambda _: None, summary=summary)
    storage.append(append)
    assert (journal.took, ends.took) == (([], [append]) if counts else ([append], []))
    assert (storage.depth, storage.oldest_wait_ms(), storage.stuck_ms()) == (3, 30, 40)


def rated(harness: Harness) -> Harness:
    """The same table as one of a rated game."""
    table = harness.table
    game = msgspec.structs.replace(table.game, setup=msgspec.structs.replace(table.game.setup, rated=True))
    harness.table = RatedTable(game, table.seats, table.epoch, table.topic, table._services)
    return harness


def end_with(harness: Harness, ratings: Any) -> None:
    """The database answers the end that waits."""
    append = harness.journal.waiting.pop(0)
    *others, end = append.events
    append.done(Rated((*others, msgspec.structs.replace(end, ratings=ratings))))


@pytest.mark.parametrize("result", ["1-0", "0-1"])
def test_rated_table_publishes_the_stored_end(result: Result) -> None:
    harness = rated(Harness())
    play(harness, "e2e4", "e7e5")
    harness.journal.is_open = False
    loser: Color = "b" if result == "1-0" else "w"
    harness.ask(c.Resign(by=loser), key="k1")
    assert harness.table.game.status == "live", "nothing is visible before it is stored"
    assert "ratings" not in harness.snapshot(None)
    end_with(harness, {"w": 1510, "b": 1490})
    assert harness.watcher.heard[-1]["t"] == "end"
    assert harness.watcher.heard[-1]["ratings"] == {"w": 1510, "b": 1490}
    assert harness.snapshot(None)["ratings"] == {"w": 1510, "b": 1490}
    assert harness.answers[-1] == {"seq": 3}


def test_last_move_of_a_rated_game_precedes_its_end() -> None:
    harness = rated(Harness())
    play(harness, "f2f3", "e7e5", "g2g4")
    harness.journal.is_open = False
    play(harness, "d8h4")
    end_with(harness, {"w": 1490, "b": 1510})
    move, end = harness.watcher.heard[-2:]
    assert (move["t"], move["seq"], end["t"], end["seq"]) == ("move", 4, "end", 5)
    assert harness.answers[-1] == {"seq": 4}


def test_unrated_end_is_published_as_decided() -> None:
    harness = rated(Harness())
    play(harness, "e2e4")
    harness.ask(c.Abort(by="w"))
    assert isinstance(harness.journal.written[-1].events[-1], Ended)
    assert harness.watcher.heard[-1]["ratings"] is None
    assert harness.table.game.ratings is None
