"""Proposals: what a person wants to play, read from the wire and validated.

Proposal --agree--> Terms      a seek or challenge has terms and a colour; a game is made of terms
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from game_core.errors import BadLawsTerms, BadPosition, BadTimeControl, UnknownVariant
from game_core.laws.terms import LawsTerms, format_laws_terms, parse_laws_terms
from game_core.public_delay import MAX_DELAY_MOVES, MAX_DELAY_S, NO_DELAY, PublicDelay
from game_core.registry import USUAL, rules_for, variants_of
from game_core.time_control import TimeControl, format_time_control, parse_time_control
from lobby.errors import BadMessage, Forbidden, Unsupported
from lobby.wire.lobby import Wish

if TYPE_CHECKING:
    from collections.abc import Mapping

    from game_core.rules import Rules
    from lobby.accounts.user import User
    from lobby.wire.lobby import TermsWire

MAX_RATING = 4000
"""Above every rating list. A higher bound is a typing error."""

UNAWARE = "this game is played by the Laws over a board; this client does not know them"
"""Answer to a client that has not sent ``laws``."""

UNRATED = 1500
"""Rating assumed for people without one, when a range is requested: the initial rating of Glicko-2."""


class Proposal(msgspec.Struct, frozen=True, kw_only=True):
    """The common fields of ``seek`` and ``challenge`` as they came over the wire, not validated yet."""

    tc: Any
    game: str = "chess"
    variant: str = "standard"
    rated: bool = False
    color: Wish = "random"
    rules: str = "online"
    min_rating: int | None = None
    max_rating: int | None = None
    fen: str | None = None
    position: int | None = None
    opponent_tc: Any = None
    delay_s: int = 0
    delay_moves: int = 0
    hints: bool = False
    """Of a game against a robot only."""
    laws: Any = None
    """How the Laws as played over a board are applied."""


def is_live(tc: TimeControl | None) -> bool:
    """Return whether a game under ``tc`` needs both players present: its clock counts minutes, not days."""
    return tc is not None and tc.days is None


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """The agreed terms of a game. Equal terms describe the same game."""

    game: str
    variant: str
    tc: TimeControl | None
    rated: bool
    rules: str
    fen: str | None = None
    """The requested start position; None: the variant's own, or one drawn for each game."""
    position: int | None = None
    """The number of the requested start position, instead of ``fen``."""
    opponent_tc: TimeControl | None = None
    """The acceptor's time control, if it differs from ``tc``, which is the proposer's."""
    delay: PublicDelay = NO_DELAY
    """Public delay of the game."""
    laws: LawsTerms | None = None
    """How the Laws as played over a board are applied; None: they are not."""

    @property
    def live(self) -> bool:
        """Whether both players must be present."""
        return is_live(self.tc)


class Range(msgspec.Struct, frozen=True):
    """Accepted ratings of opponents, both bounds included."""

    low: int | None = None
    high: int | None = None

    def __contains__(self, rating: int | None) -> bool:
        value = UNRATED if rating is None else rating
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)


def agree(user: User, proposal: Proposal) -> Terms:
    """Validate ``proposal`` of ``user``.

    Raises:
        BadMessage: unknown game or variant, or a rule profile that it does not know; a time control or a delay outside
            the limits, a start position that cannot be played or a number that none has; Laws that cannot be applied.
        Forbidden: a rated game for a guest, from a chosen position or by the Laws.
        Unsupported: a game by the Laws without ``laws``.
    """
    try:
        rules = rules_for(proposal.game, proposal.variant)
    except UnknownVariant as error:
        unnamed = ", as when none is named" if proposal.variant == USUAL[1] and variants_of(proposal.game) else ""
        raise BadMessage(f"{error}{unnamed}") from error
    if proposal.rules not in rules.profiles:
        raise BadMessage(f"rules: {proposal.variant} is played by {', '.join(rules.profiles)}, not {proposal.rules!r}")
    rules = rules.under(proposal.rules)
    tc = _control("tc", proposal.tc)
    opponent_tc = _control("opponent_tc", proposal.opponent_tc)
    if opponent_tc is not None and not (is_live(tc) and is_live(opponent_tc)):
        raise BadMessage("opponent_tc: expected a clock for both players, not correspondence")
    laws = _laws(proposal, tc)
    fen = None if proposal.fen is None else _start(rules, proposal.fen)
    if proposal.position is not None:
        _check_number(rules, proposal)
    if proposal.rated and user.kind == "guest":
        raise Forbidden("rated: guests can play casual games only")
    if proposal.rated and (fen is not None or proposal.position is not None):
        raise Forbidden("rated: a game from a chosen position cannot be rated")
    if proposal.rated and tc is None:
        raise Forbidden("rated: a game without a clock cannot be rated")
    if opponent_tc == tc:
        opponent_tc = None
    if proposal.rated and opponent_tc is not None:
        raise Forbidden("rated: a game with a handicap cannot be rated")
    if proposal.rated and laws is not None:
        raise Forbidden("rated: a game by the Laws as played over a board cannot be rated")
    return Terms(
        game=proposal.game,
        variant=proposal.variant,
        tc=tc,
        rated=proposal.rated,
        rules=proposal.rules,
        fen=fen,
        position=proposal.position,
        opponent_tc=opponent_tc,
        delay=_delay(proposal),
        laws=laws,
    )


def check_client(terms: Terms, *, laws: bool) -> None:
    """Check that a client can play a game of ``terms``; ``laws``: it has said that it knows the Laws. Raises
    ``Unsupported``."""
    if terms.laws is not None and not laws:
        raise Unsupported(UNAWARE)


def check_sheets(terms: Terms) -> None:
    """Check that a game of one person can have these terms: score sheets are for two. Raises ``BadMessage``."""
    if terms.laws is not None and terms.laws.score_sheet:
        raise BadMessage("score_sheet: score sheets are for games between two people")


def rating_range(proposal: Proposal) -> Range:
    """The opponents ``proposal`` asks for. Raises ``BadMessage``."""
    for name, value in (("min_rating", proposal.min_rating), ("max_rating", proposal.max_rating)):
        if value is not None and not 0 <= value <= MAX_RATING:
            raise BadMessage(f"{name}: expected a rating from 0 to {MAX_RATING}")
    if (
        proposal.min_rating is not None
        and proposal.max_rating is not None
        and proposal.min_rating > proposal.max_rating
    ):
        raise BadMessage("min_rating: expected at most max_rating")
    return Range(proposal.min_rating, proposal.max_rating)


def terms_wire(terms: Terms) -> TermsWire:
    """Return the fields ``game``, ``variant``, ``tc``, ``rated``, ``rules``, ``position`` of the protocol,
    ``delay_s`` or ``delay_moves`` if there is a delay, and ``laws`` of a game by the Laws."""
    wire: TermsWire = {
        "game": terms.game,
        "variant": terms.variant,
        "tc": format_time_control(terms.tc),
        "rated": terms.rated,
        "rules": terms.rules,
        "position": terms.position,
    }
    if terms.delay.seconds:
        wire["delay_s"] = terms.delay.seconds
    if terms.delay.moves:
        wire["delay_moves"] = terms.delay.moves
    if terms.laws is not None:
        wire["laws"] = format_laws_terms(terms.laws)
    return wire


def terms_of_wire(spec: Mapping[str, Any]) -> Terms:
    """Rebuild stored terms: the inverse of ``terms_wire``. ``fen`` and ``opponent_tc`` are optional.

    Rows of earlier versions have no ``position``.
    """
    laws = spec.get("laws")
    return Terms(
        game=spec["game"],
        variant=spec["variant"],
        tc=parse_time_control(spec["tc"]),
        rated=spec["rated"],
        rules=spec["rules"],
        fen=spec.get("fen"),
        position=spec.get("position"),
        opponent_tc=parse_time_control(spec.get("opponent_tc")),
        delay=PublicDelay(spec.get("delay_s", 0), spec.get("delay_moves", 0)),
        laws=None if laws is None else msgspec.convert(laws, LawsTerms),
    )


def _control(name: str, value: Any) -> TimeControl | None:
    try:
        return parse_time_control(value)
    except BadTimeControl as error:
        raise BadMessage(f"{name}: {error}") from error


def _laws(proposal: Proposal, tc: TimeControl | None) -> LawsTerms | None:
    try:
        laws = parse_laws_terms(proposal.laws, proposal.rules, tc)
    except BadLawsTerms as error:
        raise BadMessage(str(error)) from error
    if laws is not None and proposal.laws is None:
        # A client that does not know the Laws would sit at the board and could not move.
        raise Unsupported(f"laws: missing, {UNAWARE}")
    return laws


def _delay(proposal: Proposal) -> PublicDelay:
    if proposal.delay_s not in range(MAX_DELAY_S + 1):
        raise BadMessage(f"delay_s: expected 0 to {MAX_DELAY_S} seconds")
    if proposal.delay_moves not in range(MAX_DELAY_MOVES + 1):
        raise BadMessage(f"delay_moves: expected 0 to {MAX_DELAY_MOVES} moves")
    if proposal.delay_s and proposal.delay_moves:
        raise BadMessage("delay_moves: expected a delay by seconds or by moves, not both")
    return PublicDelay(proposal.delay_s, proposal.delay_moves)


def _check_number(rules: Rules, proposal: Proposal) -> None:
    if rules.starts == 1:
        raise BadMessage(f"position: {proposal.variant} has only one starting position")
    if proposal.fen is not None:
        raise BadMessage("position: expected either a number or a fen, not both")
    if proposal.position not in range(rules.starts):
        raise BadMessage(f"position: expected a number from 0 to {rules.starts - 1}")


def _start(rules: Rules, fen: str) -> str:
    try:
        position = rules.start(fen)
    except BadPosition as error:
        raise BadMessage(f"fen: {error}") from error
    return rules.fen(position)
