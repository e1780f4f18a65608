"""Validated announcements: games, clocks, and who may join.

Draft --agree--> Setup        validates what the host asks for
Setup --draft_of--> Draft     for edits: replace fields and agree again
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import msgspec

from game_core.errors import BadTimeControl, Refusal
from game_core.host_control import format_board_control, is_move_control, parse_host_control
from game_core.time_control import TimeControl, format_time_control
from lobby import proposals
from lobby.errors import BadMessage, Forbidden
from lobby.errors import Forbidden as NotGranted
from lobby.proposals import Proposal, Range, rating_range
from simul.draft import START_WITHIN_MS, Draft, LateJoin, Offer
from simul.names import clean_name, clean_text
from simul.wire import HostColor, Mode

if TYPE_CHECKING:
    from lobby.accounts.user import User
    from simul.wire import HostControlWire, LateJoinWire, OfferedVariantWire, SimulTermsWire

NO_CLOCK: Literal["none"] = "none"
"""The host plays without a clock (``round`` mode)."""


class Conditions(msgspec.Struct, frozen=True):
    """Conditions for joining."""

    ratings: Range = Range()
    """Ratings in the requested game."""
    guests: bool = True
    members: bool = False
    """Members only: neither guests nor bots."""
    invited: bool = False
    """Invited people only."""


class SimulSetup(msgspec.Struct, frozen=True, kw_only=True):
    """A valid announcement."""

    name: str
    text: str = ""
    offers: tuple[Offer, ...] = (Offer("chess", "standard"),)
    tc: TimeControl | None = None
    """The players' time control."""
    mode: Mode = "clock"
    host_color: HostColor = "alternating"
    host_tc: TimeControl | Literal["none"] | None = None
    """``round`` mode: the host's time control; None: as ``tc``."""
    host_extra_s: int = 0
    host_extra_per_board_s: int = 0
    countdown_s: int = 10
    passes: int = 3
    auto_next: bool = True
    rated: bool = False
    fen: str | None = None
    draws: int | Literal["free", "none"] = "free"
    max_boards: int = 100
    conditions: Conditions = Conditions()
    auto_accept: bool = False
    late_join: LateJoin | None = None
    away_limit_s: int = 600
    delay_s: int = 0
    start_at: int | None = None
    """Unix ms."""

    @property
    def draw_from(self) -> int | None:
        """Number of the host's moves before a draw may be agreed; None: never."""
        if self.draws == "none":
            return None
        return 0 if self.draws == "free" else self.draws

    def offer_named(self, game: str | None, variant: str | None) -> Offer | None:
        """Return the offer for a request that names a game, a variant, both or neither; None if it is not offered."""
        fitting = (o for o in self.offers if game in (None, o.game) and variant in (None, o.variant))
        return next(fitting, None)


UNCHANGED = tuple(
    name
    for name in SimulSetup.__struct_fields__
    if name in Draft.__struct_fields__ and name not in ("name", "text", "tc", "host_tc", "fen")
)
"""The fields that ``agree`` takes from a draft as they are."""


def agree(host: User, draft: Draft, now_ms: int, earlier: SimulSetup | None = None) -> SimulSetup:
    """Validate ``draft`` of ``host``.

    Args:
        now_ms: Unix ms.
        earlier: the previous announcement; its start time may have passed since.

    Raises:
        BadMessage: a field names what is not here or cannot go with the others.
        Forbidden: what cannot be rated, or for guests.
    """
    offers = draft.variants or (Offer(draft.game, draft.variant),)
    if len(set(offers)) < len(offers):
        raise BadMessage("variants: expected each only once")
    if draft.fen is not None and len(offers) > 1:
        raise BadMessage("fen: a custom position requires a single variant")
    terms, *_ = [_terms(host, draft, offer) for offer in offers]
    guests = not draft.rated if draft.guests is None else draft.guests
    if draft.rated and guests and not draft.members:
        raise Forbidden("guests: guests can play casual games only")
    if draft.late_join is not None and (draft.late_join.move is None) == (draft.late_join.minutes is None):
        raise BadMessage("late_join: expected either a move or minutes")
    if earlier is None or draft.start_at != earlier.start_at:
        _check_start(draft.start_at, now_ms)
    setup = SimulSetup(
        name=clean_name(draft.name),
        text=clean_text(draft.text),
        offers=offers,
        tc=terms.tc,
        host_tc=_host_control(draft),
        fen=terms.fen,
        conditions=Conditions(_ratings(draft), guests, draft.members, draft.invited is not None),
        **_unchanged(draft),
    )
    _check_clocks(setup)
    return setup


def draft_of(setup: SimulSetup) -> Draft:
    """Return the draft of ``setup``. The names of invited people are not part of it."""
    conditions = setup.conditions
    first = setup.offers[0]
    return Draft(
        name=setup.name,
        tc=format_time_control(setup.tc),
        text=setup.text,
        game=first.game,
        variant=first.variant,
        variants=setup.offers,
        host_tc=_host_tc_wire(setup),
        fen=setup.fen,
        min_rating=conditions.ratings.low,
        max_rating=conditions.ratings.high,
        guests=conditions.guests,
        members=conditions.members,
        invited=() if conditions.invited else None,
        **_unchanged(setup),
    )


def setup_wire(setup: SimulSetup) -> SimulTermsWire:
    """Return the wire form of an announcement."""
    first, conditions = setup.offers[0], setup.conditions
    return {
        "name": setup.name,
        "text": setup.text,
        "game": first.game,
        "variant": first.variant,
        "variants": [offer_wire(offer) for offer in setup.offers],
        "tc": format_time_control(setup.tc),
        "mode": setup.mode,
        "host_color": setup.host_color,
        "host_tc": _host_tc_wire(setup),
        "host_extra_s": setup.host_extra_s,
        "host_extra_per_board_s": setup.host_extra_per_board_s,
        "countdown_s": setup.countdown_s,
        "passes": setup.passes,
        "auto_next": setup.auto_next,
        "rated": setup.rated,
        "fen": setup.fen,
        "draws": setup.draws,
        "max_boards": setup.max_boards,
        "conditions": {
            "min_rating": conditions.ratings.low,
            "max_rating": conditions.ratings.high,
            "guests": conditions.guests,
            "members": conditions.members,
            "invited": conditions.invited,
        },
        "auto_accept": setup.auto_accept,
        "late_join": _late_join_wire(setup.late_join),
        "away_limit_s": setup.away_limit_s,
        "delay_s": setup.delay_s,
        "start_at": setup.start_at,
    }


def offer_wire(offer: Offer) -> OfferedVariantWire:
    """Return the wire form of an offer."""
    return {"game": offer.game, "variant": offer.variant}


def _terms(host: User, draft: Draft, offer: Offer) -> proposals.Terms:
    """Return the terms of a challenge of this kind: the lobby validates what can be played and rated."""
    proposal = Proposal(tc=draft.tc, game=offer.game, variant=offer.variant, rated=draft.rated, fen=draft.fen)
    try:
        terms = proposals.agree(host, proposal)
    except NotGranted as error:
        raise Forbidden(error.message) from error
    except Refusal as error:
        raise BadMessage(error.message) from error
    if terms.tc is not None and terms.tc.days is not None:
        raise BadMessage("tc: expected a clock, not correspondence")
    return terms


def _unchanged(source: Draft | SimulSetup) -> dict[str, Any]:
    return {name: getattr(source, name) for name in UNCHANGED}


def _ratings(draft: Draft) -> Range:
    try:
        return rating_range(Proposal(tc=None, min_rating=draft.min_rating, max_rating=draft.max_rating))
    except Refusal as error:
        raise BadMessage(error.message) from error


def _host_control(draft: Draft) -> TimeControl | Literal["none"] | None:
    if draft.host_tc is None:
        return None
    if draft.mode == "clock":
        raise BadMessage(
            "host_tc: not allowed in clock mode, where the host plays by tc; use host_extra_s for extra time"
        )
    if draft.host_tc == NO_CLOCK:
        return NO_CLOCK
    try:
        return parse_host_control(draft.host_tc)
    except BadTimeControl as error:
        raise BadMessage(f"host_tc: {error}") from error


def _check_clocks(setup: SimulSetup) -> None:
    """Check that the host's clock is possible, and fair where it has to be."""
    tc, extra = setup.tc, setup.host_extra_s or setup.host_extra_per_board_s
    if tc is None and isinstance(setup.host_tc, TimeControl):
        raise BadMessage("host_tc: expected null, as the players have no clock")
    own = tc if setup.host_tc is None else setup.host_tc
    if setup.mode == "round" and setup.host_tc is None and tc is not None and tc.counts_moves:
        raise BadMessage("host_tc: a clock for all boards has one period; expected a clock for each board")
    if extra and (not isinstance(own, TimeControl) or is_move_control(own)):
        raise BadMessage("host_extra_s: the host has no clock to add it to")
    if setup.rated and (extra or setup.host_tc is not None):
        raise Forbidden("rated: a game with a handicap cannot be rated")


def _check_start(start_at: int | None, now_ms: int) -> None:
    if start_at is not None and not now_ms < start_at <= now_ms + START_WITHIN_MS:
        raise BadMessage(f"start_at: expected an instant within the next {START_WITHIN_MS // 86_400_000} days")


def _host_tc_wire(setup: SimulSetup) -> HostControlWire:
    return NO_CLOCK if setup.host_tc == NO_CLOCK else format_board_control(setup.host_tc)


def _late_join_wire(late_join: LateJoin | None) -> LateJoinWire:
    if late_join is None:
        return None
    if late_join.move is not None:
        return {"move": late_join.move}
    assert late_join.minutes is not None, "agreed"
    return {"minutes": late_join.minutes}
