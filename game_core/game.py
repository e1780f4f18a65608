"""A game between two sides, as a value.

    setup --new_game--> Game --evolve(event)--> Game --evolve(event)--> ...

    status   created --both have moved--> live --end--> over
                 \\--------abort, end------------------/

``decide`` turns a command into events without changing the game; only ``evolve`` makes the next state. Replaying the
log of a game gives the state that the live table had.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from game_core.clock import Clock
from game_core.color import COLORS, Color, Pair, of, other
from game_core.events import Result, Unrated
from game_core.host_control import is_move_control
from game_core.lag import UNMEASURED_QUOTA_MS
from game_core.laws.state import LawsState
from game_core.laws.terms import LawsTerms
from game_core.leaps import Leaps
from game_core.profiles import Profile
from game_core.public_delay import NO_DELAY, PublicDelay
from game_core.registry import rules_for
from game_core.rules import Rules
from game_core.simul_board import SimulBoard
from game_core.time_control import TimeControl, slower

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Status = Literal["created", "live", "over"]


class Setup(msgspec.Struct, frozen=True):
    """What is agreed before the first move and never changes."""

    id: str
    game: str = "chess"
    variant: str = "standard"
    rated: bool = False
    profile: str = "online"
    tc: TimeControl | None = None
    """White's control; Black's too unless there is ``black_tc``."""
    fen: str | None = None
    """Start position, if it is not the variant's own."""
    pausable: bool = False
    """The clocks may be paused at will: games against oneself or a robot."""
    black_tc: TimeControl | None = None
    """Black's control, if it differs from White's (a handicap)."""
    simul_board: SimulBoard | None = None
    """The simul of which it is a board. A host without a clock has none, whatever ``tc`` and ``black_tc`` say."""
    delay: PublicDelay = NO_DELAY
    """Public delay; a simul determines that of its boards. The game itself does not use it."""
    unrated: Unrated | None = None
    """Why it is not ``rated`` although that was asked for."""
    hints: bool = False
    """A game against a robot whose opponent may ask for hints. The game itself does not use it."""
    laws: LawsTerms | None = None
    """Terms of a game by the Laws as played over a board. ``fide`` and ``uscf`` have usual ones."""

    @property
    def rules(self) -> Rules:
        """Return its rules. Raises ``UnknownVariant``, ``UnknownProfile``."""
        return rules_for(self.game, self.variant, self.profile)

    def tc_of(self, color: Color) -> TimeControl | None:
        """Return the control of ``color``."""
        simul_board = self.simul_board
        if simul_board is not None and color == simul_board.host and not simul_board.host_timed:
            return None
        return self.tc if color == "w" or self.black_tc is None else self.black_tc

    @property
    def timed(self) -> tuple[Color, ...]:
        """Sides whose remaining times are of interest: not those without a clock, or with the same time for every
        move."""
        return tuple(color for color in COLORS if (tc := self.tc_of(color)) is not None and not is_move_control(tc))

    @property
    def has_clock(self) -> bool:
        """Whether either side has a clock."""
        return self.tc is not None or self.black_tc is not None

    @property
    def pace(self) -> TimeControl | None:
        """The control that determines the game's speed: that of the slower side; of a board, the participant's."""
        return pace_of(self.tc, self.black_tc, self.simul_board)

    @property
    def delay_s(self) -> int:
        """Public delay in seconds; 0 if there is none or it is by moves."""
        return self.delay.seconds if self.simul_board is None else self.simul_board.delay_s

    @property
    def public_delay(self) -> PublicDelay:
        """The delay that counts: a board's is that of its simul."""
        return PublicDelay(self.delay_s, self.delay_moves)

    @property
    def delay_moves(self) -> int:
        """Public delay in moves of both sides; 0 if it is not by moves."""
        return self.delay.moves


def pace_of(white: TimeControl | None, black: TimeControl | None, simul_board: SimulBoard | None) -> TimeControl | None:
    """Return ``Setup.pace``; ``black`` is Black's control, if it differs from White's."""
    if simul_board is None:
        return slower(white, black)
    return white if simul_board.player == "w" or black is None else black


class Offers(msgspec.Struct, frozen=True):
    """The open offers, each with the side that made it."""

    draw: Color | None = None
    takeback: Color | None = None
    rematch: Color | None = None
    position: Color | None = None
    """By the Laws: to play anew, because the first position was wrong (7.1)."""
    colors: Color | None = None
    """The same, because the colours were (7.2)."""


NO_OFFERS = Offers()


class Game(msgspec.Struct, frozen=True):
    """The state after ``seq`` events."""

    setup: Setup
    rules: Rules
    profile: Profile
    position: Any
    first: Color
    """The side that makes the first half-move."""
    turn: Color
    seq: int = 0
    moves: tuple[str, ...] = ()
    notation: tuple[str, ...] = ()
    times: tuple[int, ...] = ()
    """The mover's clock after each half-move, in ms; empty without a clock."""
    move_seqs: tuple[int, ...] = ()
    """The ``seq`` of each half-move on the board."""
    leaps: tuple[tuple[int, Leaps], ...] = ()
    """The path of each half-move on the board that was not a single step, with its number."""
    befores: tuple[tuple[int, str], ...] = ()
    """Positions before those half-moves whose other notations can be recognised only with the position."""
    clock: Clock | None = None
    underlying_hold: str | None = None
    """On a board of a stopped simul: the hold under the stop."""
    quota: Pair[int] = (0, 0)
    """Lag quota of each side, in ms."""
    unmeasured_quota: Pair[int] = (UNMEASURED_QUOTA_MS, UNMEASURED_QUOTA_MS)
    """The same for players whose network is not measured (``lag.py``)."""
    offers: Offers = NO_OFFERS
    draw_refused_at: Pair[int | None] = (None, None)
    """Own moves a side had made when its last draw offer was declined."""
    gifts: Pair[int] = (0, 0)
    """How often each side has given time to the other."""
    takebacks_refused: Pair[int] = (0, 0)
    """Takeback offers of each side that were declined, or lapsed by a move, since moves were last taken back."""
    rematches_refused: Pair[int] = (0, 0)
    """Rematch offers of each side that were declined."""
    takeback_seq: int = 0
    """The ``seq`` of the last takeback; 0 if there was none."""
    turn_since_ms: int = 0
    """When the side to move could begin to think; basis of the limit for first moves."""
    status: Status = "created"
    result: Result = "*"
    reason: str | None = None
    ratings: dict[Color, int] | None = None
    """The players' ratings after a rated game that counts."""
    unrated: Unrated | None = None
    """Why there are none although the game was agreed to be rated."""
    no_show: bool = False
    """The game was aborted because the side to move did not make its first move in time."""
    next: str | None = None
    """Id of the rematch."""
    cannot_win: tuple[Color, ...] = ()
    """Sides found unable to win. Used by ``decide`` for a single decision; no event contains it."""
    laws: LawsState | None = None
    """The state of a game by the Laws; None: it is not one."""

    @property
    def is_under_way(self) -> bool:
        """Whether an end would have a result: both have moved, or it is a board of a simul or a game by the Laws."""
        if self.status == "created":
            return self.setup.simul_board is not None or self.laws is not None
        return self.status == "live"

    @property
    def ply(self) -> int:
        """Half-moves on the board."""
        return len(self.moves)

    def before(self, ply: int) -> str | None:
        """Return the position before half-move number ``ply``, if it is stored."""
        return next((fen for at, fen in self.befores if at == ply), None)

    def mover_of(self, ply: int) -> Color:
        """Return the side that makes half-move number ``ply`` (0 for the first)."""
        return self.first if ply % 2 == 0 else other(self.first)

    def moves_made(self, color: Color) -> int:
        """Return the number of moves of ``color`` on the board."""
        return (self.ply + (1 if color == self.first else 0)) // 2

    def may_offer_draw(self, by: Color, *, more_moves: int = 0) -> bool:
        """Return whether ``by`` has made enough moves since its last declined offer, ``more_moves`` about to be made
        included."""
        refused_at = of(self.draw_refused_at, by)
        if refused_at is None:
            return True
        return self.moves_made(by) + more_moves - refused_at >= self.profile.moves_between_draw_offers

    def position_at(self, ply: int) -> Any:
        """Return the position before half-move number ``ply``, replayed from the start."""
        irregular = () if self.laws is None else self.laws.irregular
        return _position_after(self.setup, self.moves[:ply], irregular)

    @property
    def last_leaps(self) -> Leaps | None:
        """The path of the last half-move on the board; None for a single step, or without a move."""
        return self.leaps[-1][1] if self.leaps and self.leaps[-1][0] == self.ply - 1 else None

    @property
    def leaps_by_ply(self) -> list[Leaps | None]:
        """Return the path of each half-move; None for single steps."""
        found: list[Leaps | None] = [None] * self.ply
        for ply, leaps in self.leaps:
            found[ply] = leaps
        return found

    def legal_leaps(self, moves: Iterable[str]) -> dict[str, Sequence[Leaps]]:
        """Return the possible paths of those of ``moves``, which are legal, that are not single steps."""
        return {move: ways for move in moves if (ways := self.rules.leaps(self.position, move))}

    def legal_moves(self) -> list[str]:
        """Return the legal moves of the side to move; none when the game is over."""
        return [] if self.status == "over" else list(self.rules.legal_moves(self.position))


@lru_cache(maxsize=8)
def _position_after(setup: Setup, moves: tuple[str, ...], irregular: tuple[tuple[int, str], ...]) -> Any:
    """Cached, because a takeback is decided and then evolved: the same moves twice in a row."""
    rules = setup.rules
    first, fen = next(((ply, fen) for ply, fen in reversed(irregular) if ply <= len(moves)), (0, None))
    if fen is None:
        position = rules.start(setup.fen)
    else:
        assert rules.hand is not None, "only hands make irregular moves"
        position = rules.hand.lie(fen)
    for move in moves[first:]:
        position = rules.play(position, move).position
    return position
