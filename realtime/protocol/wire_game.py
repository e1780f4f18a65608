"""Wire form of a game: its events, its clock, its snapshot (docs/protocol.md, "A game")."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from game_core.color import COLORS
from game_core.decide.ends import first_move_deadline_ms
from game_core.events import (
    AnyEvent,
    ClockReading,
    ClockSet,
    Ended,
    Made,
    Moved,
    Offered,
    Ruled,
    Seated,
    Signalled,
    Signed,
    TakenBack,
    Touched,
    WrittenDown,
)
from game_core.host_control import format_board_control
from game_core.leaps import leaps_wire
from game_core.time_control import format_time_control, speed
from realtime.protocol.wire_laws import laws_body

if TYPE_CHECKING:
    from collections.abc import Callable

    from game_core.color import Color
    from game_core.game import Game, Setup
    from game_core.host_control import BoardControlWire
    from game_core.leaps import LeapsWire
    from game_core.time_control import ControlWire
    from realtime.protocol.wire_events import (
        ClockEventWire,
        ClockWire,
        EndEventWire,
        GameEventWire,
        MadeEventWire,
        MoveEventWire,
        OfferEventWire,
        RulingEventWire,
        SeatedEventWire,
        SignalEventWire,
        SignedEventWire,
        TakebackEventWire,
        TouchEventWire,
        WrittenEventWire,
    )
    from realtime.protocol.wire_types import GameSnapshotWire, GameTermsWire, PlayerWire


def clock_body(setup: Setup, reading: ClockReading | None, at_wall_ms: int) -> ClockWire | None:
    """Return the ``clock``: the times left at ``at`` (Unix ms), and the side whose time runs from there."""
    white, black = setup.tc_of("w"), setup.tc_of("b")
    if reading is None or not setup.has_clock:
        return None
    run = reading.run if reading.held is None else None
    body: ClockWire = {"w": reading.w, "b": reading.b, "run": run, "at": at_wall_ms}
    running = black if reading.run == "b" else white
    if running is not None and running.delay_ms and reading.run is not None:
        body["delay_left"] = running.delay_ms - reading.spent
    if reading.period is not None and reading.moves is not None:
        # Periods count from 1 on the wire.
        body["period"] = {"w": reading.period[0] + 1, "b": reading.period[1] + 1}
        body["moves_to_go"] = {
            color: None if control is None else control.moves_to_go(period, moves)
            for color, control, period, moves in zip(COLORS, (white, black), reading.period, reading.moves, strict=True)
        }
    if reading.held is not None:
        body["held"] = reading.held
    return body


def _clock_after(game: Game, reading: ClockReading | None, at_wall_ms: int) -> ClockWire | None:
    """Return the ``clock`` of an event that led to ``game``, with the time for a first move that is awaited then."""
    body = clock_body(game.setup, reading, at_wall_ms)
    due_ms = first_move_deadline_ms(game)
    if body is not None and due_ms is not None and game.clock is not None:
        body["first_move_by"] = at_wall_ms + due_ms - game.clock.since_ms
    return body


def clock_at(game: Game, now_ms: int, at_wall_ms: int) -> ClockWire | None:
    """Return the ``clock`` at ``now_ms`` on the game axis, with the time for a first move that is awaited."""
    body = clock_body(game.setup, None if game.clock is None else game.clock.reading(now_ms), at_wall_ms)
    due_ms = first_move_deadline_ms(game)
    if body is not None and due_ms is not None:
        body["first_move_by"] = at_wall_ms + due_ms - now_ms
    return body


def event_body(game: Game, event: AnyEvent, seq: int, at_wall_ms: int) -> GameEventWire:
    """Return an event of ``game`` for all its subscribers."""
    return _BODIES[type(event)](game, event, seq, at_wall_ms)


def _moved(game: Game, event: Moved, seq: int, at_wall_ms: int) -> MoveEventWire:
    body: MoveEventWire = {
        "t": "move",
        "g": game.setup.id,
        "seq": seq,
        "ply": event.ply,
        "by": event.by,
        "move": event.move,
        "position": event.position,
        "check": event.check,
        "clock": _clock_after(game, event.clock, at_wall_ms),
    }
    body[game.rules.notation] = event.san
    if event.draw:
        body["draw"] = True
    if event.leaps is not None:
        body["leaps"] = leaps_wire(event.leaps)
    if event.draw_in is not None:
        body["draw_in"] = event.draw_in
    return body


def legal_body(game: Game) -> tuple[list[str], dict[str, list[LeapsWire]]]:
    """Return the legal moves of the side to move, and the paths of those that are not single steps."""
    legal = game.legal_moves()
    ways = {move: [leaps_wire(one) for one in found] for move, found in game.legal_leaps(legal).items()}
    return legal, ways


def _offered(game: Game, event: Offered, seq: int, at_wall_ms: int) -> OfferEventWire:
    body: OfferEventWire = {
        "t": "offer",
        "g": game.setup.id,
        "seq": seq,
        "what": event.what,
        "do": event.do,
        "by": event.by,
    }
    if event.next is not None:
        body["next"] = event.next
    return body


def _taken_back(game: Game, event: TakenBack, seq: int, at_wall_ms: int) -> TakebackEventWire:
    body: TakebackEventWire = {
        "t": "takeback",
        "g": game.setup.id,
        "seq": seq,
        "plies": event.plies,
        "position": event.position,
        "clock": _clock_after(game, event.clock, at_wall_ms),
    }
    if event.draw_in is not None:
        body["draw_in"] = event.draw_in
    return body


def _clock_set(game: Game, event: ClockSet, seq: int, at_wall_ms: int) -> ClockEventWire:
    return {
        "t": "clock",
        "g": game.setup.id,
        "seq": seq,
        "clock": _clock_after(game, event.clock, at_wall_ms),
        "why": event.why,
        "by": event.by,
    }


def _ended(game: Game, event: Ended, seq: int, at_wall_ms: int) -> EndEventWire:
    body: EndEventWire = {
        "t": "end",
        "g": game.setup.id,
        "seq": seq,
        "result": event.result,
        "reason": event.reason,
        "clock": clock_body(game.setup, event.clock, at_wall_ms),
        "ratings": event.ratings,
    }
    if event.unrated is not None:
        body["unrated"] = event.unrated
    if event.no_show:
        body["no_show"] = True
    return body


def _touched(game: Game, event: Touched, seq: int, at_wall_ms: int) -> TouchEventWire:
    return {"t": "touch", "g": game.setup.id, "seq": seq, "by": event.by, "square": event.square}


def _signalled(game: Game, event: Signalled, seq: int, at_wall_ms: int) -> SignalEventWire:
    return {"t": "signal", "g": game.setup.id, "seq": seq, "by": event.by, "on": event.on}


def _made(game: Game, event: Made, seq: int, at_wall_ms: int) -> MadeEventWire:
    # Without ``irregular``: the opponent has to see it themselves.
    body: MadeEventWire = {
        "t": "made",
        "g": game.setup.id,
        "seq": seq,
        "ply": event.ply,
        "by": event.by,
        "move": event.move,
        "position": event.position,
        "touched": event.touched,
        "draw": event.draw,
    }
    body[game.rules.notation] = event.san
    return body


def _ruled(game: Game, event: Ruled, seq: int, at_wall_ms: int) -> RulingEventWire:
    return {
        "t": "ruling",
        "g": game.setup.id,
        "seq": seq,
        "by": event.by,
        "what": event.what,
        "move": event.move,
        "times": event.times,
        "given_ms": event.given_ms,
        "touched": event.touched,
        "clock": clock_body(game.setup, event.clock, at_wall_ms),
    }


def _written(game: Game, event: WrittenDown, seq: int, at_wall_ms: int) -> WrittenEventWire:
    return {
        "t": "written",
        "g": game.setup.id,
        "seq": seq,
        "by": event.by,
        "ply": event.ply,
        "text": event.text,
        "right": event.right,
    }


def _signed(game: Game, event: Signed, seq: int, at_wall_ms: int) -> SignedEventWire:
    return {"t": "signed", "g": game.setup.id, "seq": seq, "by": event.by}


def _seated(game: Game, event: Seated, seq: int, at_wall_ms: int) -> SeatedEventWire:
    return {"t": "seated", "g": game.setup.id, "seq": seq, "by": event.by}


_BODIES: dict[type[AnyEvent], Callable[[Game, Any, int, int], GameEventWire]] = {
    Moved: _moved,
    Offered: _offered,
    TakenBack: _taken_back,
    ClockSet: _clock_set,
    Ended: _ended,
    Touched: _touched,
    Signalled: _signalled,
    Made: _made,
    Ruled: _ruled,
    Seated: _seated,
    WrittenDown: _written,
    Signed: _signed,
}


def snapshot_body(game: Game, players: dict[Color, PlayerWire], now_ms: int, at_wall_ms: int) -> GameSnapshotWire:
    """Return the snapshot for a spectator. The caller adds a viewer's own fields (``you``, ``legal``).

    Args:
        players: the ``players`` map of the table.
        now_ms: the present on the game axis; ``at_wall_ms`` is the same instant in Unix ms.
    """
    setup = game.setup
    body: GameSnapshotWire = {
        "t": "game",
        "g": setup.id,
        "seq": game.seq,
        "game": setup.game,
        "variant": setup.variant,
        "rated": setup.rated,
        "rules": setup.profile,
        "speed": speed(setup.pace),
        "tc": tc_body(setup),
        "players": players,
        "you": None,
        "fen": setup.fen,
        "moves": game.moves,
        "notation": game.notation,
        "times": game.times,
        "position": game.rules.fen(game.position),
        "turn": game.turn,
        "clock": clock_at(game, now_ms, at_wall_ms),
        "offers": {"draw": game.offers.draw, "takeback": game.offers.takeback, "rematch": game.offers.rematch},
        "status": game.status,
        "result": game.result,
        "reason": game.reason,
        "watchers": 0,
        "simul": None if setup.simul_board is None else setup.simul_board.id,
        "next": game.next,
        "match": None,
    }
    if setup.simul_board is not None:
        body["simul_host"] = setup.simul_board.host
    if setup.pausable:
        body["pausable"] = True
    if setup.hints:
        body["hints"] = True
    if game.laws is not None:
        body["laws"] = laws_body(game, game.laws)
        body["offers"]["position"], body["offers"]["colors"] = game.offers.position, game.offers.colors
    tcs = handicap_body(setup)
    if tcs is not None:
        body["tcs"] = tcs
    if game.ratings is not None:
        body["ratings"] = game.ratings
    unrated = game.unrated or setup.unrated
    if unrated is not None:
        body["unrated"] = unrated
    if game.no_show:
        body["no_show"] = True
    if game.leaps:
        body["leaps"] = [None if leaps is None else leaps_wire(leaps) for leaps in game.leaps_by_ply]
    draw_in = game.rules.draw_in(game.position)
    if draw_in is not None:
        body["draw_in"] = draw_in
    add_delay(setup, body)
    return body


def add_delay(setup: Setup, body: GameTermsWire) -> None:
    """Add the public delay to ``body``, if there is one."""
    if setup.delay_s:
        body["delay_s"] = setup.delay_s
    elif setup.delay_moves:
        body["delay_moves"] = setup.delay_moves


def tc_body(setup: Setup) -> ControlWire | None:
    """Return the ``tc`` of a game: White's; of a board of a simul the participant's."""
    return format_time_control(setup.tc if setup.simul_board is None else setup.pace)


def handicap_body(setup: Setup) -> dict[Color, BoardControlWire | None] | None:
    """Return the ``tcs`` of a game whose sides have different controls; None for others."""
    white, black = setup.tc_of("w"), setup.tc_of("b")
    if setup.black_tc is None and white == black:
        return None
    return {"w": format_board_control(white), "b": format_board_control(black)}
