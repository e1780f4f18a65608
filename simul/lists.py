"""Lists of simuls, and the results table of one."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

import msgspec

from game_core.time_control import format_time_control
from lobby.accounts.user import User, user_wire
from simul.score import Final, Score, player_points
from simul.setup import SimulSetup, offer_wire
from simul.view import scores_wire, scores_wire_of
from simul.wire import SimulStatus

if TYPE_CHECKING:
    from simul.board import BoardState
    from simul.state import Simul
    from simul.wire_lists import SimulCardWire, SimulRowWire, SimulTableWire


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """A simul as shown in a list; instants are Unix ms."""

    id: str
    host: User
    setup: SimulSetup
    status: SimulStatus
    created_ms: int
    started_ms: int | None
    ended_ms: int | None
    applicants: int
    players: int
    boards: int
    score: Score
    final: Final | None


def summary_of(state: Simul) -> Summary:
    """Return the summary of ``state``."""
    return Summary(
        id=state.id,
        host=state.host,
        setup=state.setup,
        status=state.status,
        created_ms=state.created_ms,
        started_ms=state.started_ms,
        ended_ms=state.ended_ms,
        applicants=len(state.applicants),
        players=len(state.players),
        boards=len(state.boards),
        score=state.score,
        final=state.final,
    )


def card_wire(summary: Summary) -> SimulCardWire:
    """Return a line of the list."""
    setup = summary.setup
    return {
        "simul": summary.id,
        "name": setup.name,
        "host": user_wire(summary.host),
        "game": setup.offers[0].game,
        "variant": setup.offers[0].variant,
        "variants": [offer_wire(offer) for offer in setup.offers],
        "tc": format_time_control(setup.tc),
        "mode": setup.mode,
        "host_color": setup.host_color,
        "rated": setup.rated,
        "status": summary.status,
        "max_boards": setup.max_boards,
        "applicants": summary.applicants,
        "players": summary.players,
        "boards": summary.boards,
        "score": scores_wire_of(summary.score, summary.final),
        "start_at": setup.start_at,
        "created": summary.created_ms,
        "started": summary.started_ms,
        "finished": summary.ended_ms if summary.status == "finished" else None,
    }


def table_wire(state: Simul) -> SimulTableWire:
    """Return the results table as JSON."""
    return {
        "simul": state.id,
        "name": state.setup.name,
        "host": user_wire(state.host),
        "status": state.status,
        "started": state.started_ms,
        "finished": state.ended_ms if state.status == "finished" else None,
        "score": scores_wire(state),
        "boards": [_row_wire(board) for board in state.boards],
    }


COLUMNS = (
    "board", "g", "user.name", "user.title", "rating", "game", "variant", "color", "result", "reason", "points",
    "moves", "host_ms",
)  # fmt: skip
"""Columns of the CSV table: the fields of the JSON; a dot separates a nested field."""


def table_csv(state: Simul) -> str:
    """Return the results table as CSV (RFC 4180) with a header line."""
    out = io.StringIO()
    lines = csv.writer(out)
    lines.writerow(COLUMNS)
    for board in state.boards:
        row: dict[str, Any] = {**_row_wire(board)}
        row |= {f"user.{name}": value for name, value in row["user"].items()}
        lines.writerow("" if row[column] is None else row[column] for column in COLUMNS)
    return out.getvalue()


def _row_wire(board: BoardState) -> SimulRowWire:
    facts, person = board.facts, board.person
    assert facts is not None, "a board is shown with its game"
    return {
        "board": board.number,
        "g": board.game,
        "user": user_wire(person.user),
        "rating": person.rating,
        "game": person.offer.game,
        "variant": person.offer.variant,
        "color": board.host,
        "result": facts.result,
        "reason": facts.reason,
        "points": player_points(facts.result, board.host),
        "moves": facts.host_moves,
        "host_ms": board.host_ms,
    }
