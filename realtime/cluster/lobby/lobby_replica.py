"""Replica of the lobby: applies lobby messages to a snapshot, as a client does, once for all later listeners."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from realtime.fanout.message import Message
from realtime.watching.lobby_view import waiting_order

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

PENDING = 64
"""Maximum number of messages kept until a snapshot is requested; beyond it they are applied at once."""

Shown = dict[str, Any]


class LobbyReplica:
    """A snapshot kept up to date with the events after it. It is never shown outdated, not even briefly: users who do
    not find their seek in it believe that it is gone.

    Messages are decoded, and the snapshot is encoded, only on demand.
    """

    def __init__(self, snapshot: Message) -> None:
        self._snapshot: Message | None = snapshot
        """The encoded snapshot, without the pending messages."""
        self._shown: Shown | None = None
        """The same as a map, once events have been applied."""
        self._waiting: list[bytes] = []

    def apply(self, payload: bytes) -> None:
        """Add the next event, or an unnumbered message, as MessagePack."""
        self._waiting.append(payload)
        if len(self._waiting) > PENDING:
            self._go_on()

    def snapshot(self) -> Message:
        """Return the lobby after the last message."""
        shown = self._go_on() if self._waiting or self._snapshot is None else None
        if shown is not None:
            self._snapshot = Message(shown, shown["seq"])
        assert self._snapshot is not None, "it was there, or has just been made"
        return self._snapshot

    def _go_on(self) -> Shown:
        shown = self._shown
        if shown is None:
            assert self._snapshot is not None, "one of both is there"
            shown = self._shown = msgspec.msgpack.decode(self._snapshot.payload, type=Shown)
        waiting, self._waiting, self._snapshot = self._waiting, [], None
        for payload in waiting:
            body = msgspec.msgpack.decode(payload, type=Shown)
            apply = _HANDLERS.get(body["t"])
            if apply is not None:  # otherwise an event of a newer server version, which is numbered all the same
                apply(shown, body)
            shown["seq"] = body.get("seq", shown["seq"])
        return shown


def _added(shown: Shown, body: Mapping[str, Any]) -> None:
    seek = {name: value for name, value in body.items() if name not in ("t", "seq")}
    shown["seeks"] = [*_without(shown["seeks"], "seek", seek), seek]


def _game(shown: Shown, body: Mapping[str, Any]) -> None:
    card, top = body["card"], shown["top"]
    place = next((n for n, known in enumerate(top) if known["g"] == card["g"]), None)
    if place is not None:
        top[place] = card
        return
    # The server's order: before older games of the same strength.
    place = next((n for n, known in enumerate(top) if _strength(known) <= _strength(card)), len(top))
    top.insert(place, card)


def _simul(shown: Shown, body: Mapping[str, Any]) -> None:
    cards = [*_without(shown["simuls"], "simul", body["card"]), body["card"]]
    shown["simuls"] = sorted(cards, key=lambda card: card["created"], reverse=True)


def _waiter(shown: Shown, body: Mapping[str, Any]) -> None:
    user = body["card"]["user"]["id"]
    shown["waiters"] = sorted([*_without_waiter(shown, user), body["card"]], key=waiting_order)


def _without_waiter(shown: Shown, user: str) -> list[Any]:
    # A leader of an earlier version has sent no waiting people.
    return [card for card in shown.get("waiters", ()) if card["user"]["id"] != user]


def _count(shown: Shown, body: Mapping[str, Any]) -> None:
    shown.update({name: body[name] for name in ("games", "online", "pools") if name in body})


def _strength(card: Mapping[str, Any]) -> int:
    """Return the sum of both ratings; a missing rating counts as 0."""
    strength: int = sum(card["players"][color].get("rating") or 0 for color in ("w", "b"))
    return strength


def _without(items: list[Any], name: str, gone: Mapping[str, Any]) -> list[Any]:
    return [item for item in items if item[name] != gone[name]]


_HANDLERS: dict[str, Callable[[Shown, Mapping[str, Any]], None]] = {
    "lobby.add": _added,
    "lobby.gone": lambda shown, body: shown.update(seeks=_without(shown["seeks"], "seek", body)),
    "lobby.game": _game,
    "lobby.game_gone": lambda shown, body: shown.update(top=_without(shown["top"], "g", body)),
    "lobby.simul": _simul,
    "lobby.simul_gone": lambda shown, body: shown.update(simuls=_without(shown["simuls"], "simul", body)),
    "lobby.waiter": _waiter,
    "lobby.waiter_gone": lambda shown, body: shown.update(waiters=_without_waiter(shown, body["user"])),
    "lobby.robots": lambda shown, body: shown.update(robots=body["robots"]),
    "lobby.count": _count,
}
