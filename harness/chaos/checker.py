"""Checks of what clients received about a game against the database.

The rows of the database alone determine every event on the wire. What clients saw and what was acknowledged to them is
compared with that.
"""

from __future__ import annotations

import asyncio
import json
import urllib.request
from typing import TYPE_CHECKING, Any

import msgspec

from game_core.events import AnyEvent, ClockReading, ClockSet, Ended, Moved
from game_core.evolve import evolve
from game_core.start import new_game
from harness.chaos.errors import Violation
from harness.chaos.polling import until
from realtime.journal.appends import Cause
from realtime.journal.game_rows import GameRow, find_game
from realtime.journal.journal_sql import decode_cause, decode_event
from realtime.postgres.database import connect
from realtime.protocol.wire_game import event_body, snapshot_body

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from game_core.game import Game
    from harness.chaos.league import League, LeagueGame
    from harness.chaos.view import Ack, Message, View

SNAPSHOT_FIELDS = ("moves", "notation", "position", "turn", "status", "result", "reason", "fen", "leaps", "draw_in")
"""Fields of a snapshot that follow from the events alone; some are absent in some games."""


class Truth(msgspec.Struct, frozen=True):
    """One game as stored."""

    row: GameRow
    last_seq: int
    seqs: list[int]
    events: list[AnyEvent]
    causes: list[Cause | None]

    def states(self) -> list[Game]:
        """Return the game before its first event, and after each."""
        game = new_game(self.row.setup, 0)
        states = [game]
        for event in self.events:
            game = evolve(game, event, 0)
            states.append(game)
        return states


async def read_truths(url: str, games: Iterable[str]) -> dict[str, Truth]:
    """Read the games from the database at ``url``."""
    connection = await connect(url, name="checker")
    try:
        return {game: await _read(connection, game) for game in games}
    finally:
        await connection.close()


async def _read(connection: Any, game: str) -> Truth:
    async with connection.transaction(isolation="repeatable_read"):
        row = await find_game(connection, game)
        if row is None:
            raise Violation(f"game {game} is not in the database")
        last_seq = await connection.fetchval("SELECT last_seq FROM game WHERE id = $1", game)
        rows = await connection.fetch("SELECT seq, kind, payload, cause FROM event WHERE game = $1 ORDER BY seq", game)
    return Truth(
        row=row,
        last_seq=last_seq,
        seqs=[row["seq"] for row in rows],
        events=[decode_event(row["kind"], row["payload"]) for row in rows],
        causes=[decode_cause(row["cause"]) for row in rows],
    )


def check_league(league: League, truths: dict[str, Truth], *, finished: bool = True) -> None:
    """Check every game of ``league``."""
    for match in league.matches:
        check_game(match, truths[match.game], league.views_of(match.game), finished=finished)


def check_game(match: LeagueGame, truth: Truth, views: Sequence[View], *, finished: bool) -> None:
    """Check one game: its log is sound, it follows the script, and no client received anything else.

    Args:
        finished: every client has seen the end.
    """
    name = f"game {match.game}"
    count = len(truth.events)
    if truth.seqs != list(range(1, count + 1)):
        raise Violation(f"{name}: gaps or doubles in {truth.seqs}")
    if truth.last_seq != count:
        raise Violation(f"{name}: the row says {truth.last_seq}, there are {count} events")
    keys = [(cause.user, cause.key) for cause in truth.causes if cause is not None]
    if len(keys) != len(set(keys)):
        raise Violation(f"{name}: a request was stored twice: {keys}")
    states = truth.states()
    if states[-1].moves != tuple(match.script.moves[: states[-1].ply]):
        raise Violation(f"{name} does not follow its script")
    if truth.row.status != states[-1].status:
        raise Violation(f"{name}: {truth.row.status} is not {states[-1].status}")
    _check_clocks(name, truth, states)
    for view in views:
        _check_view(name, truth, states, view)
        for ack in view.acks:
            _check_ack(name, truth, ack)
    if finished:
        if not isinstance(truth.events[-1], Ended):
            raise Violation(f"{name} has no end")
        if truth.events[-1].reason in ("timeout", "abandoned", "aborted"):
            raise Violation(f"{name}: {truth.events[-1]}")
        if states[-1].ply != len(match.script.moves):
            raise Violation(f"{name}: {states[-1].ply} of {len(match.script.moves)} moves")
        if not all(view.seq == count for view in views):
            raise Violation(f"{name}: not everybody has seen all of it")


def _check_view(name: str, truth: Truth, states: list[Game], view: View) -> None:
    for seq, message in view.events.items():
        if seq > len(truth.events):
            raise Violation(f"{name}: shown but not stored: {message}")
        wanted = json.loads(json.dumps(event_body(states[seq], truth.events[seq - 1], seq, 0)))
        if _timeless(message) != _timeless(wanted):
            raise Violation(f"{name}: event {seq} was shown otherwise than it is stored")
    for snapshot in view.snapshots:
        if snapshot["seq"] > len(truth.events):
            raise Violation(f"{name}: a snapshot of {snapshot['seq']} was shown, {len(truth.events)} events are stored")
        check_snapshot(name, states[snapshot["seq"]], snapshot)


def check_snapshot(name: str, state: Game, snapshot: Message) -> None:
    """Compare a snapshot with the state after the event of its ``seq``."""
    wanted = json.loads(json.dumps(snapshot_body(state, {}, 0, 0)))
    for part in SNAPSHOT_FIELDS:
        if snapshot.get(part) != wanted.get(part):
            raise Violation(f"{name}: {part} in the snapshot of {snapshot['seq']}")


def _check_ack(name: str, truth: Truth, ack: Ack) -> None:
    if ack.seq > len(truth.events):
        raise Violation(f"{name}: acknowledged but not stored: {ack}")
    event = truth.events[ack.seq - 1]
    if truth.causes[ack.seq - 1] != Cause(user=ack.user, key=ack.key, request=ack.request):
        raise Violation(f"{name}: {ack}")
    if ack.request == "move":
        if not isinstance(event, Moved):
            raise Violation(f"{name}: {ack} is {event}")
        if (event.ply, event.move) != (ack.ply, ack.move):
            raise Violation(f"{name}: {ack} is {event}")


def _timeless(message: Mapping[str, Any]) -> Message:
    """Return ``message`` without instants, which are not stored."""
    clock = message.get("clock")
    if clock is None:
        return dict(message)
    instants = ("at", "first_move_by")
    return {**message, "clock": {field: value for field, value in clock.items() if field not in instants}}


# -- clocks -----------------------------------------------------------------------------------------------


def _check_clocks(name: str, truth: Truth, states: list[Game]) -> None:
    """Check that nobody's clock goes up, or down outside their turn, and that a move costs what it says."""
    for seq, event in enumerate(truth.events, 1):
        reading = getattr(event, "clock", None)
        before = states[seq - 1].clock
        if reading is None or before is None:
            continue
        for color, was, now in zip("wb", before.left, (reading.w, reading.b), strict=True):
            if color != before.run:
                if now != was:
                    raise Violation(f"{name}: event {seq} changed the clock of who was not to move: {event}")
            elif isinstance(event, Moved):
                if now != was - event.spent_ms:
                    raise Violation(f"{name}: event {seq} cost {was - now} ms: {event}")
            else:
                if now > was:
                    raise Violation(f"{name}: event {seq} gave time: {event}")


def resumed_after(truth: Truth, seq: int) -> tuple[ClockReading, ClockReading] | None:
    """Return the clocks after event ``seq``, and as shown by the ``resumed`` right after it.

    None if no clock ran after event ``seq``, so that nothing had to be resumed. Fails if something else follows.
    """
    state = truth.states()[seq]
    if state.status == "over" or state.clock is None or state.clock.run is None:
        return None
    event = truth.events[seq]
    if not isinstance(event, ClockSet):
        raise Violation(f"game {truth.row.setup.id}: event {seq + 1} is {event}, not the resumed clock")
    if event.why != "resumed":
        raise Violation(str(event))
    return state.clock.reading(0), event.clock


def lost_ms(before: ClockReading, after: ClockReading) -> int:
    """Return what both sides together have lost between two readings."""
    return before.w + before.b - after.w - after.b


# -- the live server --------------------------------------------------------------------------------------


async def check_memory(url: str, truths: dict[str, Truth]) -> None:
    """Compare the games in memory of the server at ``url`` with the database."""
    for game, truth in truths.items():
        snapshot = await asyncio.to_thread(_snapshot, url, game)
        if snapshot["seq"] != truth.last_seq:
            raise Violation(f"game {game}: memory is at {snapshot['seq']}, not {truth.last_seq}")
        check_snapshot(f"game {game}", truth.states()[-1], snapshot)


def _snapshot(url: str, game: str) -> Message:
    with urllib.request.urlopen(f"{url}/api/v1/games/{game}", timeout=20) as response:
        body: Message = json.load(response)
    return body


async def journal_is_silent(url: str) -> None:
    """Wait until PostgreSQL has noticed that the server is gone, so that nothing more is written."""
    connection = await connect(url, name="checker")
    try:
        query = "SELECT count(*) = 0 FROM pg_stat_activity WHERE application_name LIKE 'zeitnot%'"
        await until(lambda: connection.fetchval(query))
    finally:
        await connection.close()
