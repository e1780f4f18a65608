"""Queries for simuls in the database: their logs, their boards, and lists of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import msgspec

from game_core.events import Ended, Moved, TakenBack
from game_core.start import new_game
from lobby.accounts.user import User
from lobby.ids import is_id
from realtime.journal.game_rows import COLUMNS, FROM, game_row, unix_ms
from realtime.journal.journal import decode_event
from realtime.journal.nodes import TAKEN
from realtime.simuls.store.names import people_in, read_people, with_names
from simul import events as e
from simul.board import Facts
from simul.evolve import apply, new_simul
from simul.lists import Summary
from simul.score import Final, Score
from simul.setup import SimulSetup

if TYPE_CHECKING:
    from datetime import datetime

    import asyncpg

    from game_core.events import AnyEvent
    from realtime.journal.game_rows import GameRow
    from simul.state import Simul

    Pool = asyncpg.Pool[asyncpg.Record]

GAMES_AT_ONCE = 50
"""Logs of finished boards read with one query: some thousand events."""

# As for a game (realtime/journal/nodes.py): a row seen without a live owner must be unchanged when it is locked.
_TAKE_OVER = """
WITH seen AS MATERIALIZED (
    SELECT id, epoch FROM simul
    WHERE id = $2
        AND NOT EXISTS (SELECT FROM node WHERE id = simul.owner AND id <> $1 AND expires_at > now())
        AND EXISTS (SELECT FROM node WHERE id = $1 AND expires_at > now() AND NOT is_draining)
)
UPDATE simul SET owner = $1, epoch = simul.epoch + 1 FROM seen
WHERE simul.id = seen.id AND simul.epoch = seen.epoch
RETURNING simul.epoch, simul.last_n, (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms
"""

_TAKE_BOARDS = f"""
WITH seen AS MATERIALIZED (
    SELECT id, epoch FROM game
    WHERE simul = $2 AND status <> 'over' AND owner IS DISTINCT FROM $1
        AND NOT EXISTS (SELECT FROM node WHERE id = game.owner AND expires_at > now())
)
UPDATE game SET {TAKEN} FROM seen WHERE game.id = seen.id AND game.epoch = seen.epoch
"""  # noqa: S608  constants only

_WITHOUT_LEADER = """
SELECT id FROM simul
WHERE status IN ('created', 'running') AND id <> ALL ($2::text[])
    AND NOT EXISTS (SELECT FROM node WHERE id = simul.owner AND id <> $1 AND expires_at > now())
ORDER BY created_at DESC
"""

Listed = Literal["open", "running", "finished", "mine"]

_IS_HIDDEN = """(s.status = 'finished' AND coalesce((s.setup ->> 'delay_s')::integer, 0) > 0
    AND s.ended_at > now() - hidden_for((s.setup ->> 'delay_s')::integer))"""
"""SQL condition: the simul has ended but its public view still runs."""

_WHICH: dict[Listed | None, str] = {
    None: "s.status <> 'cancelled'",
    "open": "s.status = 'created'",
    "running": f"(s.status = 'running' OR {_IS_HIDDEN})",
    "finished": f"s.status = 'finished' AND NOT {_IS_HIDDEN}",
    "mine": """s.id IN (
        SELECT id FROM simul WHERE host = $4 UNION SELECT simul FROM simul_player WHERE person = $4)""",
}

_IS_OF_PERSON = """s.id IN (
    SELECT id FROM simul WHERE host = $4
    UNION SELECT p.simul FROM simul_player p JOIN simul d ON d.id = p.simul
        JOIN game g ON g.simul = p.simul AND p.person IN (g.white, g.black)
    WHERE p.person = $4 AND coalesce((d.setup ->> 'delay_s')::integer, 0) = 0)"""
"""SQL condition: the person hosts the simul or has a board. Boards of a delayed simul are seen later, so they do not
count. It starts from the simuls of the person, and not from all simuls: most people have none."""


class OwnedSimul(msgspec.Struct, frozen=True):
    """What a node needs to append to a simul."""

    epoch: int
    last_n: int
    now_ms: int = 0
    """The time of the takeover, in Unix ms by the database's clock, which all nodes share."""


class HostTime(msgspec.Struct, frozen=True):
    """Thinking time of the host at a board, in ms, up to event ``seq``."""

    ms: int
    seq: int


NO_TIME = HostTime(0, 0)


class SimulLocation(msgspec.Struct, frozen=True):
    """The status of a simul, and the other live node that leads it."""

    status: str
    leader: str | None


async def take_over(pool: Pool, node: str, simul_id: str) -> OwnedSimul | None:
    """Take over a simul that no live node leads. Return None if one does or there is no such simul."""
    row = await pool.fetchrow(_TAKE_OVER, node, simul_id)
    return None if row is None else OwnedSimul(row["epoch"], row["last_n"], row["now_ms"])


async def take_boards(pool: Pool, node: str, simul_id: str) -> None:
    """Take over the unfinished games of a simul that no live node owns."""
    await pool.execute(_TAKE_BOARDS, node, simul_id)


async def release(pool: Pool, node: str, simul_id: str) -> None:
    """Release a simul led by this node. No write to it may be under way."""
    await pool.execute("UPDATE simul SET owner = NULL WHERE id = $2 AND owner = $1", node, simul_id)


async def place_of(pool: Pool, node: str, simul_id: str) -> SimulLocation | None:
    """Return the place of a simul as seen by ``node``; None: there is no such simul."""
    row = await pool.fetchrow(
        """
        SELECT status, (SELECT id FROM node WHERE id = simul.owner AND id <> $1 AND expires_at > now()) AS leader
        FROM simul WHERE id = $2
        """,
        node,
        simul_id,
    )
    return None if row is None else SimulLocation(row["status"], row["leader"])


async def leaders(pool: Pool, node: str, simul_ids: list[str]) -> dict[str, list[str]]:
    """Return the other live nodes that lead simuls among these, by simul."""
    rows = await pool.fetch(
        """
        SELECT node.id AS node, array_agg(simul.id) AS simuls FROM simul JOIN node ON node.id = simul.owner
        WHERE simul.id = ANY ($2::text[]) AND node.id <> $1 AND node.expires_at > now() GROUP BY node.id
        """,
        node,
        simul_ids,
    )
    return {row["node"]: row["simuls"] for row in rows}


async def setup_of(pool: Pool, simul_id: str) -> SimulSetup | None:
    """Return the terms of a simul; None: there is no such simul."""
    setup = await pool.fetchval("SELECT setup FROM simul WHERE id = $1", simul_id)
    return None if setup is None else msgspec.convert(setup, SimulSetup)


async def without_leader(pool: Pool, node: str, known: list[str]) -> list[str]:
    """Return the ids of all announced or running simuls, except ``known``, that no other live node leads, the newest
    first.
    """
    return [row["id"] for row in await pool.fetch(_WITHOUT_LEADER, node, known)]


async def led_by_others(pool: Pool, node: str, simul_ids: list[str]) -> list[str]:
    """Return those of the simuls that this node no longer leads."""
    rows = await pool.fetch(
        "SELECT id FROM simul WHERE id = ANY ($2::text[]) AND owner IS DISTINCT FROM $1", node, simul_ids
    )
    return [row["id"] for row in rows]


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


async def list_simuls(
    pool: Pool, which: Listed | None, user: str | None, before: tuple[datetime, str] | None, limit: int
) -> list[Summary]:
    """Return simuls, the newest first.

    Args:
        user: the user whose simuls ``mine`` selects; with another status, only simuls that they host or play in.
        before: the end of the previous page: creation time and id of its last simul.
    """
    more = () if user is None else (user,)
    of_person = "" if user is None or which == "mine" else f"AND {_IS_OF_PERSON}"
    rows = await pool.fetch(
        f"""
        SELECT s.*, p.name AS host_name, p.kind AS host_kind, p.title AS host_title
        FROM simul s JOIN person p ON p.id = s.host
        WHERE {_WHICH[which]} {of_person} AND ($1::timestamptz IS NULL OR (s.created_at, s.id) < ($1, $2))
        ORDER BY s.created_at DESC, s.id DESC LIMIT $3
        """,  # noqa: S608  constants of this module
        None if before is None else before[0],
        "" if before is None else before[1],
        limit,
        *more,
    )
    return [_summary(row) for row in rows]


async def cursor_of(pool: Pool, simul_id: str) -> tuple[datetime, str] | None:
    """Return the position of a simul in lists; None: there is no such simul."""
    if not is_id(simul_id):
        return None
    row = await pool.fetchrow("SELECT created_at, id FROM simul WHERE id = $1", simul_id)
    return None if row is None else (row["created_at"], row["id"])


def _summary(row: Any) -> Summary:
    score = row["score"]
    return Summary(
        id=row["id"],
        host=User(row["host"], row["host_name"], row["host_kind"], row["host_title"]),
        setup=msgspec.convert(row["setup"], SimulSetup),
        status=row["status"],
        created_ms=unix_ms(row["created_at"]),
        started_ms=None if row["started_at"] is None else unix_ms(row["started_at"]),
        ended_ms=None if row["ended_at"] is None else unix_ms(row["ended_at"]),
        applicants=row["applicants"],
        players=row["players"],
        boards=row["boards"],
        score=Score() if score is None else msgspec.convert(score["score"], Score),
        final=None if score is None else msgspec.convert(score["final"], Final),
    )
