"""How a piece went in a move of more than one step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

import msgspec


class Leaps(msgspec.Struct, frozen=True):
    """How a piece went in a move of more than one step or over others: what a board shows one after the other."""

    path: tuple[str, ...]
    """The squares it landed on, the last included."""
    taken: tuple[str, ...] = ()
    """The squares of what it took, in the order in which it did."""


class LeapsWire(TypedDict):
    """How a piece went: the squares it landed on, the last included, and those of what it took, in that order."""

    path: Sequence[str]
    taken: Sequence[str]


def leaps_wire(leaps: Leaps) -> LeapsWire:
    """How a piece went, as the protocol has it."""
    return {"path": leaps.path, "taken": leaps.taken}
