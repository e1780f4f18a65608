"""Move generation and playing through the rules' own interface, against published perft counts.

Counts go to five plies; where ``ZEITNOT_PERFT_LEAVES`` is set, as ``make perft`` does, as deep as they are published.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

from tests.game_core.draughts.boards import ALL, DATA, PLAIN

if TYPE_CHECKING:
    from game_core.draughts.rules import Draughts

pytestmark = pytest.mark.exhaustive

PLIES = 5
"""Counted when nothing else is said."""


def counts() -> dict[str, list[int]]:
    """By variant, how many ways there are to play one ply, two and so on."""
    lines = (DATA / "draughts-perft.txt").read_text(encoding="utf-8").splitlines()
    words = [line.split() for line in lines if not line.startswith("#")]
    return {name: list(map(int, numbers)) for name, *numbers in words}


def perft(rules: Draughts, position: Any, depth: int) -> int:
    moves = rules.legal_moves(position)
    if depth == 1:
        return len(moves)
    return sum(perft(rules, rules.play(position, move).position, depth - 1) for move in moves)


@pytest.mark.parametrize("variant", PLAIN)
def test_perft_equals_published_counts(variant: str) -> None:
    rules = PLAIN[variant]
    published = counts()[variant]
    plies = len(published) if os.environ.get("ZEITNOT_PERFT_LEAVES") else PLIES
    for depth, leaves in enumerate(published[:plies], start=1):
        assert perft(rules, rules.start(None), depth) == leaves


@pytest.mark.parametrize("variant", PLAIN)
def test_losing_variants_have_the_same_perft(variant: str) -> None:
    rules = ALL[f"losing-{variant}"]
    assert perft(rules, rules.start(None), 4) == counts()[variant][3]


def test_every_variant_has_published_counts() -> None:
    assert counts().keys() == PLAIN.keys()
