"""Exhibitions that whoever comes may join, as lines of a list: those of this node and those of all others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from simul.lists import card_wire, summary_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from realtime.cluster.bus.cluster import Cluster
    from simul.state import Exhibition
    from simul.wire_lists import SimulCardWire

CARDS = "simul.cards"

MOST = 50
"""Of one node that others are told of: a lobby shows twelve."""

AGAIN_BEATS = 10
"""After so many seconds they are told again: it may have got lost."""


class Cards(msgspec.Struct, frozen=True):
    """The newest of one node."""

    cards: list[dict[str, Any]]


class OpenCards:
    """Of all nodes."""

    def __init__(self, cluster: Cluster | None) -> None:
        self._cluster = cluster
        self._others: dict[str, list[SimulCardWire]] = {}
        self._told: list[SimulCardWire] = []
        self._beats = 0
        if cluster is not None:
            cluster.hears(CARDS, Cards, self._hear)
            cluster.on_gone.append(self._forget)

    def newest(self, states: Iterable[Exhibition], now_ms: int) -> list[SimulCardWire]:
        """The newest first.

        Args:
            states: the exhibitions that are led here.
            now_ms: the present, in Unix ms.
        """
        own = _cards(states, now_ms)
        if not self._others:
            return own
        cards = own + [card for cards in self._others.values() for card in cards]
        cards.sort(key=lambda card: (card["created"], card["simul"]), reverse=True)
        return cards

    def beat(self, states: Iterable[Exhibition], now_ms: int) -> None:
        """Once a second: the others are told of those that are led here."""
        if self._cluster is None or self._cluster.is_alone:
            self._told = []
            return
        cards = _cards(states, now_ms)[:MOST]
        self._beats += 1
        if cards != self._told or self._beats % AGAIN_BEATS == 0:
            self._told = cards
            self._cluster.tell_all(CARDS, {"cards": cards})

    def _forget(self, node: str) -> None:
        self._others.pop(node, None)

    def _hear(self, sender: str, word: Cards) -> None:
        self._others[sender] = word.cards  # type: ignore[assignment]  # as the sender has made them


def _cards(states: Iterable[Exhibition], now_ms: int) -> list[SimulCardWire]:
    found = [state for state in states if _is_open(state, now_ms)]
    found.sort(key=lambda state: (state.created_ms, state.id), reverse=True)
    return [card_wire(summary_of(state)) for state in found]


def _is_open(state: Exhibition, now_ms: int) -> bool:
    """Whether there is a board for whoever meets the conditions. One that the public sees later says nothing of itself
    once it runs."""
    setup = state.setup
    if setup.conditions.invited or len(state.players) + len(state.boards) >= setup.max_boards:
        return False
    return state.status == "created" or (
        state.status == "running" and not setup.delay_s and state.is_late_join_open(now_ms)
    )
