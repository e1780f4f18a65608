"""The path of a piece in a move of more than one step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

import msgspec


class Leaps(msgspec.Struct, frozen=True):
    """The path of a piece in a move of several steps or over others, as a board animates it."""

    path: tuple[str, ...]
    """The landing squares, the last included."""
    taken: tuple[str, ...] = ()
    """The squares of captured pieces, in order."""


class LeapsWire(TypedDict):
    """A path: the landing squares, the last included, and the squares of captured pieces, in order."""

    path: Sequence[str]
    taken: Sequence[str]


def leaps_wire(leaps: Leaps) -> LeapsWire:
    """Return the wire form of a path."""
    return {"path": leaps.path, "taken": leaps.taken}
