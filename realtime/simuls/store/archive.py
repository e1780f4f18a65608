"""Simuls read from the database: their logs and their boards."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from game_core.events import Ended, Moved, TakenBack
from game_core.start import new_game
from realtime.journal.game_rows import COLUMNS, FROM, game_row, unix_ms
from realtime.journal.journal import decode_event
from realtime.simuls.store.names import people_in, read_people, with_names
from simul import events as e
from simul.board import Facts
from simul.evolve import apply, new_simul
from simul.setup import SimulSetup

if TYPE_CHECKING:
    from game_core.events import AnyEvent
    from lobby.ports import Pool
    from realtime.journal.game_rows import GameRow
    from simul.state import Simul

GAMES_AT_ONCE = 50
"""Logs of finished boards read with one query: some thousand events."""


class HostTime(msgspec.Struct, frozen=True):
    """Thinking time of the host at a board, in ms, up to event ``seq``."""

    ms: int
    seq: int


NO_TIME = HostTime(0, 0)


async def setup_of(pool: Pool, simul_id: str) -> SimulSetup | None:
    """Return the terms of a simul; None: there is no such simul."""
    setup = await pool.fetchval("SELECT setup FROM simul WHERE id = $1", simul_id)
    return None if setup is None else msgspec.convert(setup, SimulSetup)


async def read_state(pool: Pool, simul_id: str) -> Simul:
    """Return a simul as its log tells it, with prepared moves, but without the state of its games."""
    rows = await pool.fetch("SELECT kind, payload FROM simul_event WHERE simul = $1 ORDER BY n", simul_id)
    people = await read_people(pool, {person for row in rows for person in people_in(row["payload"])})
    first, *others = (e.decode_event(row["kind"], with_names(row["payload"], people)) for row in rows)
    assert isinstance(first, e.Created), "every simul begins so"
    state = new_simul(first)
    for event in others:
        apply(state, event)
    prepared = await pool.fetch(
        "SELECT g.board, p.ply, p.move FROM simul_prepared p JOIN game g ON g.id = p.game WHERE g.simul = $1", simul_id
    )
    for row in prepared:
        apply(state, e.Prepared(board=row["board"], ply=row["ply"], move=row["move"]))
    return state


async def live_boards(pool: Pool, simul_id: str) -> list[str]:
    """Return the unfinished games of a simul, by board."""
    rows = await pool.fetch("SELECT id FROM game WHERE simul = $1 AND status <> 'over' ORDER BY board", simul_id)
    return [row["id"] for row in rows]


async def host_times(pool: Pool, games: list[str]) -> dict[str, HostTime]:
    """Return the host's thinking time in each of ``games``, by its clock; games without a move of the host are left
    out.
    """
    rows = await pool.fetch(
        """
        SELECT g.id, g.last_seq, sum(coalesce((e.payload ->> 'spent_ms')::bigint, 0))::bigint AS spent_ms
        FROM game g JOIN event e ON e.game = g.id
        WHERE g.id = ANY ($1::text[]) AND e.kind = 'move' AND e.payload ->> 'by' = g.exhibition ->> 'host'
        GROUP BY g.id
        """,
        games,
    )
    return {row["id"]: HostTime(row["spent_ms"], row["last_seq"]) for row in rows}


async def finished_boards(pool: Pool, simul_id: str) -> dict[str, tuple[Facts, int]]:
    """Return the state of finished games by id, each with the host's thinking time in ms."""
    rows = await pool.fetch(f"SELECT {COLUMNS} {FROM} WHERE g.simul = $1 AND g.status = 'over'", simul_id)
    games = [game_row(row) for row in rows]
    found: dict[str, tuple[Facts, int]] = {}
    for place in range(0, len(games), GAMES_AT_ONCE):
        some = {game.setup.id: game for game in games[place : place + GAMES_AT_ONCE]}
        logs: dict[str, list[AnyEvent]] = {game_id: [] for game_id in some}
        for row in await pool.fetch(
            "SELECT game, kind, payload FROM event WHERE game = ANY ($1::text[]) ORDER BY game, seq", list(some)
        ):
            logs[row["game"]].append(decode_event(row["kind"], row["payload"]))
        found |= {game_id: final_facts(some[game_id], log) for game_id, log in logs.items()}
    return found


def final_facts(row: GameRow, log: list[AnyEvent]) -> tuple[Facts, int]:
    """Return the state of a finished game and the host's thinking time. No move is replayed: every event holds the
    state after it.
    """
    simul_board = row.setup.simul_board
    assert simul_board is not None, "only boards of simuls are asked"
    game = new_game(row.setup, 0)
    assert game.clock is not None, "every board has a clock"
    moves: list[Moved] = []
    reading, spent_ms, position = game.clock.stop(0).reading(0), 0, game.rules.fen(game.position)
    for event in log:
        if isinstance(event, Moved):
            moves.append(event)
            position = event.position
            spent_ms += event.spent_ms if event.by == simul_board.host else 0
        elif isinstance(event, TakenBack):
            del moves[len(moves) - event.plies :]
            position = event.position
        reading = getattr(event, "clock", None) or reading
    ended = log[-1] if log and isinstance(log[-1], Ended) else None
    facts = Facts(
        seq=len(log),
        ply=len(moves),
        turn=game.mover_of(len(moves)),
        status="over",
        position=position,
        last=moves[-1].move if moves else None,
        leaps=moves[-1].leaps if moves else None,
        result=row.result if ended is None else ended.result,
        reason=row.reason if ended is None else ended.reason,
        white_ms=reading.w,
        black_ms=reading.b,
        run=reading.run,
        held=reading.held,
        delay_left_ms=0,
        at_ms=unix_ms(row.ended_at or row.created_at),
        is_host_there=False,
        is_counting_down=False,
        stop=None,
        host_moves=sum(event.by == simul_board.host for event in moves),
    )
    return facts, spent_ms
