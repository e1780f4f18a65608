"""List entries of the simuls that are open to new players, on this node and all others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from simul.lists import card_wire, summary_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from realtime.cluster.bus.cluster import Cluster
    from simul.state import Simul
    from simul.wire_lists import SimulCardWire

CARDS = "simul.cards"

MOST = 50
"""Maximum number of entries a node sends to others: a lobby shows twelve."""

RESEND_TICKS = 10
"""Ticks, of a second each, between two repeats, since a message may be lost."""


class OpenSimulCards(msgspec.Struct, frozen=True):
    """The newest entries of one node."""

    cards: list[dict[str, Any]]


class OpenCards:
    """The entries of all nodes."""

    def __init__(self, cluster: Cluster | None) -> None:
        self._cluster = cluster
        self._others: dict[str, list[SimulCardWire]] = {}
        self._sent: list[SimulCardWire] = []
        self._ticks = 0
        if cluster is not None:
            cluster.subscribe(CARDS, OpenSimulCards, self._receive)
            cluster.on_gone.append(self._forget)

    def newest(self, states: Iterable[Simul], now_ms: int) -> list[SimulCardWire]:
        """Return the entries, the newest first.

        Args:
            states: the simuls that this node leads.
            now_ms: the present, in Unix ms.
        """
        own = _cards(states, now_ms)
        if not self._others:
            return own
        cards = own + [card for cards in self._others.values() for card in cards]
        cards.sort(key=lambda card: (card["created"], card["simul"]), reverse=True)
        return cards

    def tick(self, states: Iterable[Simul], now_ms: int) -> None:
        """Send the entries of this node to the others. Called once a second."""
        if self._cluster is None or self._cluster.is_alone:
            self._sent = []
            return
        cards = _cards(states, now_ms)[:MOST]
        self._ticks += 1
        if cards != self._sent or self._ticks % RESEND_TICKS == 0:
            self._sent = cards
            self._cluster.broadcast(CARDS, {"cards": cards})

    def _forget(self, node: str) -> None:
        self._others.pop(node, None)

    def _receive(self, sender: str, message: OpenSimulCards) -> None:
        self._others[sender] = message.cards  # type: ignore[assignment]  # encoded by the sender


def _cards(states: Iterable[Simul], now_ms: int) -> list[SimulCardWire]:
    found = [state for state in states if _is_open(state, now_ms)]
    found.sort(key=lambda state: (state.created_ms, state.id), reverse=True)
    return [card_wire(summary_of(state)) for state in found]


def _is_open(state: Simul, now_ms: int) -> bool:
    """Return whether a board is free for anyone who meets the conditions. A simul with a delayed view is not listed as
    open once it runs.
    """
    setup = state.setup
    if setup.conditions.invited or len(state.players) + len(state.boards) >= setup.max_boards:
        return False
    return state.status == "created" or (
        state.status == "running" and not setup.delay_s and state.is_late_join_open(now_ms)
    )
