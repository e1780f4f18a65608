"""A game between two sides, as a value.

    setup --new_game--> Game --evolve(event)--> Game --evolve(event)--> ...

    status   created --both have moved--> live --end--> over
                 \\--------abort, end------------------/

``decide`` turns a command into events without touching the game; ``evolve`` is the only thing that makes the next
one. Replaying the log of a game gives the state the live table had.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from game_core.clock import Clock
from game_core.color import COLORS, Color, Pair, of, other
from game_core.events import Result, Unrated
from game_core.exhibition import Exhibition
from game_core.host_control import is_move_control
from game_core.lag import STOCK_MS
from game_core.leaps import Leaps
from game_core.profiles import Profile
from game_core.public_delay import NO_DELAY, PublicDelay
from game_core.registry import rules_for
from game_core.rules import Rules
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
    """White's, and Black's if ``black_tc`` does not say otherwise."""
    fen: str | None = None
    """Start position where it is not the variant's own."""
    pausable: bool = False
    """The clocks may be stopped at will: games against oneself or a robot."""
    black_tc: TimeControl | None = None
    """Black's control where it is another than White's (a handicap)."""
    exhibition: Exhibition | None = None
    """What it is a board of. A host who has no clock has none, whatever ``tc`` and ``black_tc`` say."""
    delay: PublicDelay = NO_DELAY
    """How much later the public sees it; of a board the exhibition says that. The game itself does not know of it."""
    unrated: Unrated | None = None
    """Why it is not ``rated`` although that was asked for."""

    @property
    def rules(self) -> Rules:
        """The rules it is played by. Raises ``UnknownVariant``, ``UnknownProfile``."""
        return rules_for(self.game, self.variant, self.profile)

    def tc_of(self, color: Color) -> TimeControl | None:
        """What ``color`` plays by."""
        exhibition = self.exhibition
        if exhibition is not None and color == exhibition.host and not exhibition.host_timed:
            return None
        return self.tc if color == "w" or self.black_tc is None else self.black_tc

    @property
    def timed(self) -> tuple[Color, ...]:
        """The sides whose clocks have something to tell: not those that have no time, or the same for every move."""
        return tuple(color for color in COLORS if (tc := self.tc_of(color)) is not None and not is_move_control(tc))

    @property
    def has_clock(self) -> bool:
        """Whether anybody has time to lose."""
        return self.tc is not None or self.black_tc is not None

    @property
    def pace(self) -> TimeControl | None:
        """The control that the game is classed by: that of the slower side; of a board, the participant's."""
        return pace_of(self.tc, self.black_tc, self.exhibition)

    @property
    def delay_s(self) -> int:
        """How much later than its players the public sees the game; 0 also where it is told by moves."""
        return self.delay.seconds if self.exhibition is None else self.exhibition.delay_s

    @property
    def public_delay(self) -> PublicDelay:
        """The delay that counts: a board's is that of its exhibition."""
        return PublicDelay(self.delay_s, self.delay_moves)

    @property
    def delay_moves(self) -> int:
        """How many moves of both sides later the public sees the game; 0: not by moves."""
        return self.delay.moves


def pace_of(white: TimeControl | None, black: TimeControl | None, exhibition: Exhibition | None) -> TimeControl | None:
    """``Setup.pace``; ``black`` is Black's control where it is another than White's."""
    if exhibition is None:
        return slower(white, black)
    return white if exhibition.player == "w" or black is None else black


class Offers(msgspec.Struct, frozen=True):
    """The open offers and whose they are."""

    draw: Color | None = None
    takeback: Color | None = None
    rematch: Color | None = None


NO_OFFERS = Offers()


class Game(msgspec.Struct, frozen=True):
    """The state after ``seq`` events."""

    setup: Setup
    rules: Rules
    profile: Profile
    position: Any
    first: Color
    """Who made, or will make, the first half-move."""
    turn: Color
    seq: int = 0
    moves: tuple[str, ...] = ()
    notation: tuple[str, ...] = ()
    times: tuple[int, ...] = ()
    """What the mover's clock showed after each half-move, in ms; empty without a clock."""
    move_seqs: tuple[int, ...] = ()
    """The ``seq`` of each half-move now on the board."""
    leaps: tuple[tuple[int, Leaps], ...] = ()
    """How the piece went in each half-move now on the board that was no plain step, with its number."""
    befores: tuple[tuple[int, str], ...] = ()
    """The positions before those half-moves whose other spellings are told from other moves by nothing else."""
    clock: Clock | None = None
    beneath: str | None = None
    """On a board of an exhibition that a break or its host's absence stops: what else holds the clock."""
    quota: Pair[int] = (0, 0)
    """Lag quota left a side, in ms."""
    stock: Pair[int] = (STOCK_MS, STOCK_MS)
    """The same for a player whose network is not measured (``lag.py``)."""
    offers: Offers = NO_OFFERS
    draw_refused_at: Pair[int | None] = (None, None)
    """How many own moves a side had made when its last draw offer was refused."""
    gifts: Pair[int] = (0, 0)
    """How often a side has given time to the other."""
    takebacks_refused: Pair[int] = (0, 0)
    """How many takeback offers of a side were refused, or lapsed by a move, since moves were last taken back."""
    rematches_refused: Pair[int] = (0, 0)
    """How many rematch offers of a side were refused."""
    takeback_seq: int = 0
    """The ``seq`` of the last takeback; 0 if there was none."""
    turn_since_ms: int = 0
    """When the side to move could begin to think; what the limit for first moves goes by."""
    status: Status = "created"
    result: Result = "*"
    reason: str | None = None
    ratings: dict[Color, int] | None = None
    """What the players have after a rated game that has counted."""
    unrated: Unrated | None = None
    """Why there are none although the game was agreed to be rated."""
    next: str | None = None
    """The rematch's game."""
    cannot_win: tuple[Color, ...] = ()
    """Known to ``decide`` alone, for one decision: the sides that have been found unable to win. No event says so."""

    @property
    def is_under_way(self) -> bool:
        """Whether its end has a result: both have moved, or it is a board of an exhibition."""
        return self.status == "live" or (self.status == "created" and self.setup.exhibition is not None)

    @property
    def ply(self) -> int:
        """Half-moves on the board."""
        return len(self.moves)

    def before(self, ply: int) -> str | None:
        """The position before half-move number ``ply``, if it has been kept."""
        return next((fen for at, fen in self.befores if at == ply), None)

    def mover_of(self, ply: int) -> Color:
        """Who made half-move number ``ply`` (0 for the first)."""
        return self.first if ply % 2 == 0 else other(self.first)

    def moves_made(self, color: Color) -> int:
        """Moves of ``color`` now on the board."""
        return (self.ply + (1 if color == self.first else 0)) // 2

    def may_offer_draw(self, by: Color, *, more_moves: int = 0) -> bool:
        """Whether enough moves of ``by`` have followed his last refused offer, ``more_moves`` about to be made."""
        refused_at = of(self.draw_refused_at, by)
        if refused_at is None:
            return True
        return self.moves_made(by) + more_moves - refused_at >= self.profile.moves_between_draw_offers

    def position_at(self, ply: int) -> Any:
        """The position before half-move number ``ply``, played anew from the start of the game."""
        return _position_after(self.setup, self.moves[:ply])

    @property
    def last_leaps(self) -> Leaps | None:
        """How the piece went in the last half-move on the board; None: by a plain step, or there is none."""
        return self.leaps[-1][1] if self.leaps and self.leaps[-1][0] == self.ply - 1 else None

    @property
    def leaps_by_ply(self) -> list[Leaps | None]:
        """How the piece went, a half-move; None for plain steps."""
        found: list[Leaps | None] = [None] * self.ply
        for ply, leaps in self.leaps:
            found[ply] = leaps
        return found

    def legal_leaps(self, moves: Iterable[str]) -> dict[str, Sequence[Leaps]]:
        """The ways in which those of ``moves``, legal ones, may go that are no plain steps."""
        return {move: ways for move in moves if (ways := self.rules.leaps(self.position, move))}

    def legal_moves(self) -> list[str]:
        """Legal moves of the side to move; none when the game is over."""
        return [] if self.status == "over" else list(self.rules.legal_moves(self.position))


@lru_cache(maxsize=8)
def _position_after(setup: Setup, moves: tuple[str, ...]) -> Any:
    """Remembered, for a takeback is decided and then evolved: the same moves twice in a row."""
    rules = setup.rules
    position = rules.start(setup.fen)
    for move in moves:
        position = rules.play(position, move).position
    return position
