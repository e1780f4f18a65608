"""Creation of a game from two people who agree: colours and start position."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import msgspec

from game_core.events import Unrated
from game_core.game import pace_of
from game_core.laws.terms import LawsTerms
from game_core.public_delay import NO_DELAY, PublicDelay
from game_core.registry import rules_for
from game_core.simul_board import SimulBoard
from game_core.time_control import TimeControl
from lobby.accounts.user import User, user_wire
from lobby.ratings.at_start import NO_RATINGS, RatingsAtStart

if TYPE_CHECKING:
    from collections.abc import Callable

    from game_core.events import Result
    from lobby.proposals import Terms
    from lobby.wire.lobby import PairedWire, Wish

    RandomBelow = Callable[[int], int]
    """``randbelow(n)``: a random integer from 0 to n - 1."""

Countries = tuple[str | None, str | None]
"""White's and Black's country, as in their profiles; None where none is shown."""

STARTS = 1 << 32
"""Start positions are chosen by a random number below this. Modulo a variant's count (960) the bias is 10^-7."""


class MatchScore(msgspec.Struct, frozen=True):
    """Match score of a series of rematches, in half points.

    ``white`` and ``black`` are the players of the present game.
    """

    games: int = 0
    white: int = 0
    black: int = 0

    def after(self, result: Result) -> MatchScore:
        """Return the score after a game with ``result``. A game without a result does not count."""
        points = {"1-0": (2, 0), "1/2-1/2": (1, 1), "0-1": (0, 2)}.get(result)
        if points is None:
            return self
        return MatchScore(self.games + 1, self.white + points[0], self.black + points[1])

    def reversed(self) -> MatchScore:
        """Return the score with colours reversed."""
        return MatchScore(self.games, self.black, self.white)


class NewGame(msgspec.Struct, frozen=True, kw_only=True):
    """A game to be created. Both seats are the same person in a game against oneself."""

    id: str
    game: str
    variant: str
    profile: str
    rated: bool
    tc: TimeControl | None
    fen: str | None
    """Start position, if it is not the variant's own; always given for variants with several."""
    pausable: bool
    white: User
    black: User
    rematch_of: str | None = None
    black_tc: TimeControl | None = None
    """Black's time control, if it differs from White's."""
    match: MatchScore = MatchScore()
    """The match score before this game."""
    ratings: RatingsAtStart = NO_RATINGS
    """The players' ratings at the start. Set when the game's row is written."""
    countries: Countries = (None, None)
    """The countries that White and Black show. Set when the game's row is written."""
    unrated: Unrated | None = None
    """Why the game is casual although a rated one was agreed."""
    simul_board: SimulBoard | None = msgspec.field(default=None, name="exhibition")
    """The simul it is a board of. Stored under the key of earlier versions."""
    delay: PublicDelay = NO_DELAY
    """Public delay. A simul determines that of its boards."""
    hints: bool = False
    """Against a robot: the other player may ask for hints."""
    laws: LawsTerms | None = None
    """How the Laws as played over a board are applied; None: they are not."""

    @property
    def pace(self) -> TimeControl | None:
        """The time control that classes the game's speed, as in its ``Setup``."""
        return pace_of(self.tc, self.black_tc, self.simul_board)

    @property
    def host(self) -> str | None:
        """Id of the host of the simul it is a board of; None for other games."""
        if self.simul_board is None:
            return None
        return (self.white if self.simul_board.host == "w" else self.black).id


GameFacts = NewGame
"""What a rematch needs of the previous game: its stored facts, with ``match`` after it."""


def are_compatible(mine: Wish, yours: Wish) -> bool:
    """Return whether two colour wishes are compatible."""
    return mine == "random" or mine != yours


def seat(first: tuple[User, Wish], second: tuple[User, Wish], randbelow: RandomBelow) -> tuple[User, User]:
    """Return White and Black. The wishes must be compatible; without one the colours are random."""
    (one, one_wish), (two, two_wish) = first, second
    assert are_compatible(one_wish, two_wish), "the caller checks that both wishes can be met"
    if one_wish == "random" and two_wish == "random":
        one_is_white = randbelow(2) == 0
    else:
        one_is_white = one_wish == "w" or two_wish == "b"
    return (one, two) if one_is_white else (two, one)


def new_game(
    game_id: str,
    terms: Terms,
    white: User,
    black: User,
    randbelow: RandomBelow,
    *,
    pausable: bool = False,
    as_black: bool = False,
) -> NewGame:
    """Create a game of ``terms``. Its start position is chosen here if the variant has several and nobody chose one.

    Args:
        as_black: the proposer is Black. In a handicap ``terms.tc`` is the proposer's.
    """
    fen = terms.fen
    if fen is None:
        number = randbelow(STARTS) if terms.position is None else terms.position
        fen = rules_for(terms.game, terms.variant, terms.rules).draw_start(number)
    return NewGame(
        id=game_id,
        game=terms.game,
        variant=terms.variant,
        profile=terms.rules,
        rated=terms.rated,
        tc=terms.opponent_tc if as_black and terms.opponent_tc is not None else terms.tc,
        fen=fen,
        pausable=pausable and terms.laws is None,
        white=white,
        black=black,
        black_tc=terms.tc if as_black and terms.opponent_tc is not None else terms.opponent_tc,
        delay=terms.delay,
        laws=terms.laws,
    )


def rematch(previous: GameFacts, next_id: str, randbelow: RandomBelow) -> NewGame:
    """Return the same game with colours, handicap and match score reversed, and the same public delay.

    A start position that the variant drew is played twice, so that both have played both sides of it. Any other
    position was chosen by the players and is kept.
    """
    fen = previous.fen
    is_played_twice = previous.match.games > 0 and previous.match.games % 2 == 0
    if is_played_twice and fen in _own_starts(previous.game, previous.variant):
        fen = rules_for(previous.game, previous.variant, previous.profile).draw_start(randbelow(STARTS))
    return msgspec.structs.replace(
        previous,
        id=next_id,
        fen=fen,
        tc=previous.tc if previous.black_tc is None else previous.black_tc,
        black_tc=None if previous.black_tc is None else previous.tc,
        white=previous.black,
        black=previous.white,
        rematch_of=previous.id,
        match=previous.match.reversed(),
        ratings=NO_RATINGS,
        unrated=None,
    )


@functools.cache
def _own_starts(game: str, variant: str) -> frozenset[str | None]:
    """Return the start positions a variant draws from; None for its own position, if it draws none."""
    rules = rules_for(game, variant)
    return frozenset(map(rules.draw_start, range(rules.starts)))


def paired_wire(game: NewGame) -> list[tuple[str, PairedWire]]:
    """Return the ``paired`` message of each player with their user id; none for a game against oneself."""
    if game.white.id == game.black.id:
        return []
    return [
        (game.white.id, {"t": "paired", "g": game.id, "color": "w", "opponent": user_wire(game.black)}),
        (game.black.id, {"t": "paired", "g": game.id, "color": "b", "opponent": user_wire(game.white)}),
    ]
