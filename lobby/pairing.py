"""From two people who agree to the game they play: who gets which colour, and where it starts."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import msgspec

from game_core.events import Unrated
from game_core.exhibition import Exhibition
from game_core.game import pace_of
from game_core.public_delay import NO_DELAY, PublicDelay
from game_core.registry import rules_for
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

STARTS = 1 << 32
"""Start positions are drawn by a number below this; modulo a variant's count (960) the odds differ by 10^-7."""


class Match(msgspec.Struct, frozen=True):
    """How it stands between two who play one rematch after the other; points in halves.

    ``white`` and ``black`` are those who are White and Black in the game it is told of.
    """

    games: int = 0
    white: int = 0
    black: int = 0

    def after(self, result: Result) -> Match:
        """The same after a game that ended with ``result``; one without a result does not count."""
        points = {"1-0": (2, 0), "1/2-1/2": (1, 1), "0-1": (0, 2)}.get(result)
        if points is None:
            return self
        return Match(self.games + 1, self.white + points[0], self.black + points[1])

    def reversed(self) -> Match:
        """The same with colours reversed."""
        return Match(self.games, self.black, self.white)


class NewGame(msgspec.Struct, frozen=True, kw_only=True):
    """A game to be created: who plays what. Both seats are the same person in a game against oneself."""

    id: str
    game: str
    variant: str
    profile: str
    rated: bool
    tc: TimeControl | None
    fen: str | None
    """Start position where it is not the variant's own; always given for variants that draw theirs."""
    pausable: bool
    white: User
    black: User
    rematch_of: str | None = None
    black_tc: TimeControl | None = None
    """Black's control where it is another than White's."""
    match: Match = Match()
    """How it stands before this game."""
    ratings: RatingsAtStart = NO_RATINGS
    """What they have when it begins; whoever writes its row sets them."""
    unrated: Unrated | None = None
    """Why it is casual although they agreed to rate it."""
    exhibition: Exhibition | None = None
    """What it is a board of."""
    delay: PublicDelay = NO_DELAY
    """How much later the public sees it; of a board the exhibition says that."""

    @property
    def pace(self) -> TimeControl | None:
        """The control that it is classed by, as of its ``Setup``."""
        return pace_of(self.tc, self.black_tc, self.exhibition)

    @property
    def host(self) -> str | None:
        """Id of who gives the exhibition of which it is a board; None: it is none."""
        if self.exhibition is None:
            return None
        return (self.white if self.exhibition.host == "w" else self.black).id


GameFacts = NewGame
"""What a rematch needs to know of the game before: the same facts, as they were stored, but ``match`` after it."""


def are_compatible(mine: Wish, yours: Wish) -> bool:
    """Whether two colour wishes can both be met."""
    return mine == "random" or mine != yours


def seat(first: tuple[User, Wish], second: tuple[User, Wish], randbelow: RandomBelow) -> tuple[User, User]:
    """White and Black. The wishes must be compatible; where neither asks for a colour a coin is thrown."""
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
    """The game of ``terms``; its start position is drawn here where the variant draws one and nobody chose.

    Args:
        as_black: who proposed ``terms`` is Black, to whom of a handicap his own control belongs.
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
        pausable=pausable,
        white=white,
        black=black,
        black_tc=terms.tc if as_black and terms.opponent_tc is not None else terms.opponent_tc,
        delay=terms.delay,
    )


def rematch(previous: GameFacts, next_id: str, randbelow: RandomBelow) -> NewGame:
    """The same game, seen as late by the public, with colours reversed, and with them a handicap and how it stands.

    One of the variant's own start positions is kept once, so that both have had both its sides; the rematch of a
    rematch draws another. Any other position is theirs, and kept.
    """
    fen = previous.fen
    if previous.rematch_of is not None and fen in _own_starts(previous.game, previous.variant):
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
    """What a variant draws its start positions from; without a position None, if it draws none."""
    rules = rules_for(game, variant)
    return frozenset(map(rules.draw_start, range(rules.starts)))


def paired_wire(game: NewGame) -> list[tuple[str, PairedWire]]:
    """The ``paired`` message of each player, with the id of whom it is for; none for a game against oneself."""
    if game.white.id == game.black.id:
        return []
    return [
        (game.white.id, {"t": "paired", "g": game.id, "color": "w", "opponent": user_wire(game.black)}),
        (game.black.id, {"t": "paired", "g": game.id, "color": "b", "opponent": user_wire(game.white)}),
    ]
