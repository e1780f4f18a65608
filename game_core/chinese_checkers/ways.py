"""How pieces go: by one step, or by hops one after the other. Sets of holes are those of ``board``.

A hop goes two holes far, so a piece that hops lands in every second hole of every second row only. It never comes next
to where it began: neither can it hop over the hole it has left, nor get by hops to where a step takes it.
"""

from __future__ import annotations

from game_core.chinese_checkers.board import HOLES, HOPS, NEIGHBOURS

_NAMES = tuple(tuple(f"{origin}-{end}" for end in HOLES) for origin in HOLES)


def legal_moves(own: int, occupied: int) -> list[str]:
    """All moves of the pieces on ``own``, where pieces of both stand on ``occupied``; piece by piece."""
    moves: list[str] = []
    rest = own
    # Written out, for it is most of what a move costs: a set is walked through by its lowest bits.
    while rest:
        origin = rest & -rest
        rest ^= origin
        hole = origin.bit_length() - 1
        ends = NEIGHBOURS[hole] & ~occupied
        seen = 0
        reached = [hole]
        for at in reached:
            for pair, over, land in HOPS[at]:
                if occupied & pair == over and not seen >> land & 1:
                    seen |= 1 << land
                    reached.append(land)
        ends |= seen
        names = _NAMES[hole]
        while ends:
            end = ends & -ends
            ends ^= end
            moves.append(names[end.bit_length() - 1])
    return moves


def is_step(origin: int, end: int) -> bool:
    """Whether hole ``end`` is next to hole ``origin``."""
    return bool(NEIGHBOURS[origin] >> end & 1)


def hop_tree(origin: int, occupied: int) -> dict[int, int]:
    """For each hole that the piece in ``origin`` gets to by hops, the one it comes from on the shortest way.

    Of several that are equally short, always the same one.
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
