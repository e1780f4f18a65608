"""Moves of pieces: one step, or a series of hops. Sets of holes are those of ``board``.

A hop goes two holes far, so a hopping piece lands in every second hole of every second row only. It never comes next to
its origin, so it cannot hop over the hole it has left or reach a hole to which it could step.
"""

from __future__ import annotations

from game_core.chinese_checkers.board import HOLES, HOPS, NEIGHBOURS

_NAMES = tuple(tuple(f"{origin}-{end}" for end in HOLES) for origin in HOLES)


def legal_moves(own: int, occupied: int) -> list[str]:
    """Return all moves of the pieces on ``own``, piece by piece. ``occupied`` has the pieces of both sides."""
    moves: list[str] = []
    rest = own
    # Inlined, because it is most of the cost of a move: a set is traversed by its lowest bits.
    while rest:
        origin = rest & -rest
        rest ^= origin
        hole = origin.bit_length() - 1
        ends = reachable(hole, occupied)
        names = _NAMES[hole]
        while ends:
            end = ends & -ends
            ends ^= end
            moves.append(names[end.bit_length() - 1])
    return moves


def reachable(origin: int, occupied: int) -> int:
    """Return the set of the holes to which the piece in hole ``origin`` can move."""
    hops = 0
    reached = [origin]
    for at in reached:
        for pair, over, land in HOPS[at]:
            if occupied & pair == over and not hops >> land & 1:
                hops |= 1 << land
                reached.append(land)
    return NEIGHBOURS[origin] & ~occupied | hops


def is_step(origin: int, end: int) -> bool:
    """Whether hole ``end`` is next to hole ``origin``."""
    return bool(NEIGHBOURS[origin] >> end & 1)


def hop_tree(origin: int, occupied: int) -> dict[int, int]:
    """Return for each hole that the piece in ``origin`` can reach by hops its predecessor on the shortest path.

    Of several shortest paths always the same one is used.
    """
    came_from: dict[int, int] = {}
    reached = [origin]
    for at in reached:
        for pair, over, land in HOPS[at]:
            if occupied & pair == over and land not in came_from:
                came_from[land] = at
                reached.append(land)
    return came_from


def hop_path(end: int, tree: dict[int, int]) -> tuple[int, ...]:
    """The landing holes of the way to ``end`` in a ``hop_tree``; empty if there is none."""
    path = []
    while end in tree:
        path.append(end)
        end = tree[end]
    return tuple(reversed(path))
