"""What a link to a page says of it, in a tab and in the messengers that show previews.

These lines are English for everybody: the server does not know who will read them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from realtime.http.page import Card

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lobby.wire import ChallengeCardWire
    from realtime.wire_types import GameSnapshotWire

SITE = "Zeitnot"

_REASONS = {
    "checkmate": "checkmate",
    "stalemate": "stalemate",
    "dead_position": "dead position",
    "resignation": "resignation",
    "timeout": "time",
    "timeout_draw": "time, without the means to mate",
    "agreement": "agreement",
    "threefold": "threefold repetition",
    "fivefold": "fivefold repetition",
    "fifty_moves": "the fifty-move rule",
    "seventyfive_moves": "the 75-move rule",
    "abandoned": "abandonment",
}
"""Ends as a sentence goes on after "by"."""


def game_card(snapshot: GameSnapshotWire, url: str) -> Card:
    """Of a game, from its snapshot."""
    names = " \N{EN DASH} ".join(snapshot["players"][color]["user"]["name"] for color in ("w", "b"))
    both = snapshot.get("tcs")
    controls = control_text(snapshot["tc"]) if both is None else _against(both["w"], both["b"])
    kind = f"{controls} {snapshot['speed']}"
    terms = "Rated" if snapshot["rated"] else "Casual"
    terms += f" {kind}" if snapshot["variant"] == "standard" else f" {kind}, {snapshot['variant']}"
    moves = (len(snapshot["moves"]) + 1) // 2
    return Card(
        title=f"{names} · {kind} · {SITE}",
        description=f"{terms}. {_standing(snapshot)}{_counted(moves)}.",
        url=url,
    )


def challenge_card(challenge: ChallengeCardWire, url: str) -> Card:
    """Of a challenge, from what its page shows."""
    name, control = challenge["from"]["name"], control_text(challenge["tc"])
    if challenge["opponent_tc"] is not None:
        control = _against(challenge["tc"], challenge["opponent_tc"])
    variant = "" if challenge["variant"] == "standard" else f", {challenge['variant']}"
    if challenge["status"] == "open":
        text = f"{name} challenges you: {control}{variant}, {'rated' if challenge['rated'] else 'casual'}."
    else:
        text = f"This challenge is {challenge['status']}."
    return Card(title=f"{name} · {control}{variant} · {SITE}", description=text, url=url)


def missing_card(url: str) -> Card:
    """Of what is not there."""
    return Card(title=f"Not found · {SITE}", description="There is nothing at this address.", url=url)


def control_text(tc: Mapping[str, Any] | None) -> str:
    """A time control in the words of players: ``3+2``, ``½+0``, ``5+3 delay``, ``40/90+30, 30+30``, ``3 days``."""
    if tc is None:
        return "no clock"
    if "days" in tc:
        return "1 day a move" if tc["days"] == 1 else f"{tc['days']} days a move"
    if "periods" in tc:
        return ", ".join(_period_text(period) for period in tc["periods"])
    for mode in ("delay", "bronstein"):
        if f"{mode}_s" in tc:
            return f"{_minutes(tc['base_s'])}+{tc[f'{mode}_s']} {mode}"
    return _period_text(tc)


def _against(one: Mapping[str, Any] | None, other: Mapping[str, Any] | None) -> str:
    """Both controls of a handicap, in the order in which the players are named."""
    return f"{control_text(one)} against {control_text(other)}"


def _period_text(period: Mapping[str, Any]) -> str:
    moves = f"{period['moves']}/" if period.get("moves") else ""
    return f"{moves}{_minutes(period['base_s'])}+{period.get('inc_s', 0)}"


def _minutes(seconds: int) -> str:
    whole, rest = divmod(seconds, 60)
    quarter = {0: "", 15: "¼", 30: "½", 45: "¾"}.get(rest)
    if quarter is None:
        return f"{seconds / 60:.3g}"
    return quarter if whole == 0 and quarter else f"{whole}{quarter}"


def _standing(snapshot: GameSnapshotWire) -> str:
    if snapshot["status"] == "over":
        reason = _REASONS.get(snapshot["reason"] or "")
        if snapshot["result"] == "*":
            return "Aborted"
        return f"{snapshot['result']} by {reason}" if reason else str(snapshot["result"])
    return "White to move" if snapshot["turn"] == "w" else "Black to move"


def _counted(moves: int) -> str:
    return {0: "", 1: ", 1 move"}.get(moves, f", {moves} moves")
