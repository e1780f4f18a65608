"""A game as one player knows it: the server's last snapshot, and the events since. Pure."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from game_core import holds
from game_core.color import other
from game_core.errors import GameError
from game_core.registry import rules_for
from robots.jobs import Job, Workload
from robots.playing import behaviour

if TYPE_CHECKING:
    from game_core.color import Color
    from game_core.rules import Position, Rules
    from robots.client import Message

log = logging.getLogger(__name__)


class PlayedGame:
    """The state of a game.

    Args:
        game: the snapshot; ``you`` is a side.
        now_s: the loop's clock.

    Attributes:
        you: the side of the player.
        seq: number of the last event.
        moves: on the board, in wire notation.
        last_notation: of the last move, SAN or PDN; empty if unknown.
        held: why the clocks stand.
        draw_by: the side with an open draw offer.
        takeback_by: the side that has asked to take a move back.
        opponent_is_here: whether the opponent is connected.
        laws: the terms of a game by the Laws as played over a board; None: it is not one.
        is_made: by the Laws: the player has made their move and not pressed the clock.
    """

    def __init__(self, game: Message, now_s: float) -> None:
        self.you: Color = game["you"]
        self.seq: int = game["seq"]
        self.moves: list[str] = list(game["moves"])
        self.last_notation: str = game["notation"][-1] if game["notation"] else ""
        self.held: str | None = None
        self.draw_by: Color | None = game["offers"]["draw"]
        self.takeback_by: Color | None = game["offers"]["takeback"]
        self.opponent_is_here: bool = game["players"][self.opponent]["online"]
        self.laws: Message | None = game.get("laws")
        self.is_made = self.laws is not None and self.laws["made"] is not None and game["turn"] == self.you
        self._snapshot = game
        turn: Color = game["turn"]
        self._first = turn if len(self.moves) % 2 == 0 else other(turn)
        self._clock: Message | None = None
        self._at_s = now_s
        self._lies: str | None = game.get("position")
        self._rules: Rules | None = None
        self._position: Position = None
        self.take_clock(game["clock"], now_s)
        self._replay()

    # -- events -------------------------------------------------------------------------------------------

    def take_move(self, event: Message) -> None:
        """Apply a ``move`` event."""
        self.moves.append(event["move"])
        self.last_notation = event.get("san") or event.get("pdn") or ""
        self._lies, self.is_made = event.get("position"), False
        if event.get("draw"):
            self.draw_by = event["by"]
        elif event["by"] == self.you:
            self.draw_by = None  # a move lapses the opponent's offer
        if self.takeback_by != event["by"]:
            self.takeback_by = None
        if self._rules is not None:
            self._push(self._rules, event["move"])

    def take_made(self, event: Message) -> None:
        """Apply a ``made`` event."""
        self.is_made = event["by"] == self.you
        if self.draw_by != event["by"]:
            self.draw_by = event["by"] if event["draw"] else None

    def take_back(self, event: Message) -> None:
        """Apply a ``takeback`` event."""
        del self.moves[len(self.moves) - event["plies"] :]
        self._lies, self.is_made = event["position"], False
        self.last_notation, self.draw_by, self.takeback_by = "", None, None
        self._replay()

    def take_clock(self, clock: Message | None, now_s: float) -> None:
        """Apply the clock of a message that has just come."""
        self.held = None if clock is None else clock.get("held")
        self._clock = clock
        self._at_s = now_s

    # -- terms --------------------------------------------------------------------------------------------

    @property
    def opponent(self) -> Color:
        """The other side."""
        return other(self.you)

    @property
    def kind(self) -> tuple[str, str]:
        """Game and variant, ``("chess", "standard")``."""
        return self._snapshot["game"], self._snapshot["variant"]

    @property
    def simul(self) -> str | None:
        """The simul of which it is a board."""
        simul: str | None = self._snapshot["simul"]
        return simul

    @property
    def control(self) -> dict[str, Any] | None:
        """The player's time control; None: no clock."""
        controls = self._snapshot.get("tcs")
        control: dict[str, Any] | None = self._snapshot["tc"] if controls is None else controls[self.you]
        return control

    @property
    def is_new(self) -> bool:
        """Whether the game has just begun, and is neither a rematch nor the board of a simul."""
        rematches = (self._snapshot["match"] or {}).get("games")
        return len(self.moves) < 2 and self._snapshot["simul"] is None and not rematches

    def workload(self, level: int) -> Workload:
        """Return what the game costs a robot."""
        game = self._snapshot
        clock_s = behaviour.clock_s(self.control)
        return Workload(game=game["game"], variant=game["variant"], level=level, clock_s=clock_s)

    def job(self, level: int, deadline_s: float, ply: int | None = None, *, is_hint: bool = False) -> Job:
        """Return the request for a move; with ``ply`` for the one after so many half-moves."""
        game = self._snapshot
        return Job(
            game_id=game["g"],
            game=game["game"],
            variant=game["variant"],
            profile=game["rules"],
            fen=game["fen"],
            moves=tuple(self.moves[:ply]),
            level=level,
            deadline=deadline_s,
            is_hint=is_hint,
        )

    # -- state --------------------------------------------------------------------------------------------

    @property
    def ply(self) -> int:
        """Half-moves on the board."""
        return len(self.moves)

    @property
    def is_my_turn(self) -> bool:
        """Whether the player is to move."""
        turn = self._first if self.ply % 2 == 0 else other(self._first)
        return turn == self.you

    @property
    def is_paused(self) -> bool:
        """Whether nobody may move: a player has paused the game, or the host of a simul all of them."""
        return self.held in (holds.PAUSE, holds.BREAK)

    @property
    def has_draw_offer(self) -> bool:
        """Whether the opponent, who is to move, waits for the answer to a draw offer. A move would answer any other."""
        return self.draw_by == self.opponent and not self.is_my_turn

    @property
    def has_takeback_offer(self) -> bool:
        """Whether the opponent has asked to take a move back. A move would refuse it."""
        return self.takeback_by == self.opponent

    @property
    def is_unattended(self) -> bool:
        """Whether the opponent is not there, and may stay away for days."""
        return (self.is_slow or self.is_paused) and not self.opponent_is_here

    @property
    def is_slow(self) -> bool:
        """Whether there is no clock, or one of days."""
        return behaviour.clock_s(self.control) is None

    @property
    def is_idle(self) -> bool:
        """Whether the opponent has left a game that does not end by itself, on their turn or in a pause."""
        return self.is_unattended and (self.is_paused or (self.control is None and not self.is_my_turn))

    @property
    def may_claim_draw(self) -> bool:
        """Whether the player, who is to move, may claim a draw."""
        return (
            self._rules is not None and self._position is not None and self._rules.claimable(self._position) is not None
        )

    def left_s(self, now_s: float) -> float | None:
        """Return the seconds on the player's clock, which may have begun with the last event. None: no clock."""
        if self._clock is None:
            return None
        left_s: float = self._clock[self.you] / 1000
        return left_s if self.held is not None else max(0.0, left_s - (now_s - self._at_s))

    @property
    def flag_falls_s(self) -> float | None:
        """When the opponent's flag falls, by the loop's clock. None: not now, or nobody has to claim it."""
        clock = self._clock
        if self.laws is None or self.laws["flag"] != "claim" or clock is None or self.held is not None:
            return None
        left_ms: int = clock[self.opponent]
        if clock["run"] != self.opponent and left_ms > 0:
            return None
        return self._at_s + float(left_ms + clock.get("delay_left", 0)) / 1000

    @property
    def signs(self) -> bool:
        """Whether the player has to sign the result: by the Laws, once."""
        return self.laws is not None and not self.laws["signed"][self.you]

    @property
    def has_illegal_move(self) -> bool:
        """Whether the opponent's last move was illegal, in a game whose players rule on themselves."""
        if self.laws is None or self.laws["rulings"] != "by_claim" or self._rules is None or not self.moves:
            return False
        return self.is_my_turn and (self._position is None or self._rules.fen(self._position) != self._lies)

    def _replay(self) -> None:
        """Rebuild the position, to see what may be claimed."""
        game = self._snapshot
        try:
            self._rules = rules_for(game["game"], game["variant"], game["rules"])
            self._position = self._rules.start(game["fen"])
        except GameError as error:
            log.warning("game %s is one of a newer server: %s", game["g"], error)
            self._position = None
            return
        for move in self.moves:
            self._push(self._rules, move)

    def _push(self, rules: Rules, move: str) -> None:
        if self._position is None:
            return
        try:
            self._position = rules.play(self._position, move).position
        except GameError as error:
            log.warning("game %s has a move that is unknown here: %s", self._snapshot["g"], error)
            self._position = None
