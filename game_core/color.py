"""The two sides of a game."""

from typing import Literal, TypeVar

Color = Literal["w", "b"]

COLORS: tuple[Color, Color] = ("w", "b")

T = TypeVar("T")

Pair = tuple[T, T]
"""A value for each side: White's (or the first mover's) first, then Black's."""


def other(color: Color) -> Color:
    """The opponent of ``color``."""
    return "b" if color == "w" else "w"


def of(pair: Pair[T], color: Color) -> T:
    """The value in ``pair`` that belongs to ``color``."""
    return pair[0] if color == "w" else pair[1]


def replace(pair: Pair[T], color: Color, value: T) -> Pair[T]:
    """``pair`` with ``color``'s value replaced."""
    return (value, pair[1]) if color == "w" else (pair[0], value)
