"""Titles and link previews of pages.

They are always in English: the server does not know who will read them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from game_core.control_text import short_control
from game_core.host_control import parse_board_control
from game_core.registry import USUAL
from realtime.http.pages.page import Card

if TYPE_CHECKING:
    from game_core.host_control import BoardControlWire
    from lobby.wire.lobby import ChallengeCardWire
    from realtime.protocol.wire_types import GameSnapshotWire

SITE = "Zeitnot"

_COMMON_NOUNS = {"losing", "international", "classic", "fifteen", "ten", "draughts", "checkers"}
"""Words of variants' names that are not proper names."""

_REASONS = {
    "checkmate": "checkmate",
    "stalemate": "stalemate",
    "dead_position": "dead position",
    "resignation": "resignation",
    "timeout": "time forfeit",
    "timeout_draw": "timeout vs insufficient material",
    "agreement": "mutual agreement",
    "threefold": "threefold repetition",
    "fivefold": "fivefold repetition",
    "fifty_moves": "fifty-move rule",
    "seventyfive_moves": "seventy-five-move rule",
    "no_moves": "no legal moves",
    "all_captured": "all pieces captured",
    "draw_rule": "move limit",
    "goal": "goal reached",
    "abandoned": "game abandoned",
}
"""Reasons for the end of a game, in the words of the page (``reason`` in ``web/src/words/en/game.ts``)."""

_CLOSED = {
    "accepted": "This invitation has been accepted.",
    "declined": "This invitation was declined.",
    "cancelled": "This invitation was cancelled.",
    "expired": "This invitation has expired.",
}


def game_card(snapshot: GameSnapshotWire, url: str) -> Card:
    """Return the card of a game, from its snapshot."""
    names = " \N{EN DASH} ".join(snapshot["players"][color]["user"]["name"] for color in ("w", "b"))
    both = snapshot.get("tcs")
    controls = _short(snapshot["tc"]) if both is None else _against(both["w"], both["b"])
    kind = f"{controls} {snapshot['speed']}"
    terms = "Rated" if snapshot["rated"] else "Casual"
    terms += f" {kind}{_variant(snapshot['game'], snapshot['variant'])}"
    moves = (len(snapshot["moves"]) + 1) // 2
    return Card(
        title=f"{names} · {kind} · {SITE}",
        description=f"{terms}. {_standing(snapshot)}{_counted(moves)}.",
        url=url,
    )


def challenge_card(challenge: ChallengeCardWire, url: str) -> Card:
    """Return the card of a challenge."""
    name, control = challenge["from"]["name"], _short(challenge["tc"])
    if challenge["opponent_tc"] is not None:
        control = _against(challenge["tc"], challenge["opponent_tc"])
    variant = _variant(challenge["game"], challenge["variant"])
    if challenge["status"] == "open":
        text = f"{name} invites you: {control}{variant}, {'rated' if challenge['rated'] else 'casual'}."
    else:
        text = _CLOSED[challenge["status"]]
    return Card(title=f"{name} · {control}{variant} · {SITE}", description=text, url=url)


def missing_card(url: str) -> Card:
    """Return the card of a page that does not exist."""
    return Card(
        title=f"Page not found · {SITE}",
        description="This page doesn\N{RIGHT SINGLE QUOTATION MARK}t exist. Check the link.",
        url=url,
    )


def _variant(game: str, variant: str) -> str:
    """Return the variant, unless it is the usual one; with the game if the variant's name does not imply it."""
    if (game, variant) == USUAL:
        return ""
    name = (variant if game in variant else f"{variant} {game}").replace("-", " ")
    return ", " + " ".join(word if word in _COMMON_NOUNS else word.capitalize() for word in name.split())


def _short(tc: BoardControlWire | None) -> str:
    return short_control(parse_board_control(tc))


def _against(one: BoardControlWire | None, other: BoardControlWire | None) -> str:
    """Return both time controls of a handicap, in the order in which the players are named."""
    return f"{_short(one)} vs {_short(other)}"


def _standing(snapshot: GameSnapshotWire) -> str:
    if snapshot["status"] == "over":
        reason = _REASONS.get(snapshot["reason"] or "")
        if snapshot["result"] == "*":
            return "Aborted"
        return f"{snapshot['result']} ({reason})" if reason else str(snapshot["result"])
    return "White to move" if snapshot["turn"] == "w" else "Black to move"


def _counted(moves: int) -> str:
    return {0: "", 1: ", 1 move"}.get(moves, f", {moves} moves")
