"""Exhibitions in lists, and the table of results of one."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

import msgspec

from game_core.time_control import format_time_control
from lobby.identity import User, user_wire
from simul.score import Final, Score, player_points
from simul.setup import Setup, offer_wire
from simul.view import scores_wire, scores_wire_of
from simul.wire import SimulStatus

if TYPE_CHECKING:
    from simul.board import Board
    from simul.state import Exhibition
    from simul.wire_lists import SimulCardWire, SimulRowWire, SimulTableWire


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """What a list tells of an exhibition; instants are Unix ms."""

    id: str
    host: User
    setup: Setup
    status: SimulStatus
    created_ms: int
    started_ms: int | None
    ended_ms: int | None
    applicants: int
    players: int
    boards: int
    score: Score
    final: Final | None


def summary_of(state: Exhibition) -> Summary:
    """What a list tells of ``state``."""
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
    """A line of the list."""
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


def table_wire(state: Exhibition) -> SimulTableWire:
    """The table of results as JSON."""
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
    "board", "game", "player", "title", "rating", "variant", "host_color", "result", "reason", "points", "moves",
    "host_seconds",
)  # fmt: skip
"""Of the table as CSV: one line a board, the points the player's, moves and seconds the host's."""


def table_csv(state: Exhibition) -> str:
    """The table of results as CSV (RFC 4180), with a line of names."""
    out = io.StringIO()
    lines = csv.writer(out)
    lines.writerow(COLUMNS)
    for row in map(_row_wire, state.boards):
        user = row["user"]
        lines.writerow(
            (
                row["board"],
                row["g"],
                user["name"],
                user["title"] or "",
                _cell(row["rating"]),
                row["variant"],
                row["color"],
                row["result"],
                row["reason"] or "",
                _cell(row["points"]),
                row["moves"],
                f"{row['host_ms'] / 1000:.1f}",
            )
        )
    return out.getvalue()


def _row_wire(board: Board) -> SimulRowWire:
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


def _cell(value: float | None) -> str:
    return "" if value is None else str(value)
