"""Search for a helpmate: a mate that both sides cooperate to reach.

"Can a side still win" asks for any series of legal moves, so there is no opponent: the question is whether a position
with a mate is reachable at all. Every position is expanded once. Two heaps hold the open positions. One is ordered by
the heuristic distance to a mate. The other prefers positions where a man stands on a square on which none of its kind
stood before with the same pawns. The two take turns, so neither a wrong heuristic nor a long walk blocks the search.
After many nodes a third heap takes turns too, for mates with a single minor piece where no pawn gets through. Positions
that can no longer be won by material or ``reach`` are not expanded. When nothing is left there is no mate.

After M. Ambrona, "A Practical Algorithm for Chess Unwinnability" (FUN 2022), which uses iterative deepening instead.
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import NamedTuple

import chess

from game_core.chess.distance import mate_distance, smothered_distance
from game_core.chess.reach import mates_in_reach
from game_core.chess.winnable import may_be_locked

MOST_DISTANT = 1000
"""More than any distance, so that staleness sorts before it."""

FEW_NODES = 1000
"""Most mates found by then are found by distance or novelty alone."""


class SearchResult(NamedTuple):
    """The result of a search."""

    line: tuple[chess.Move, ...] | None
    """Moves from the position to a mate, or None if none was found."""
    exhausted: bool
    """Whether all reachable positions were expanded, so that no line means no mate."""
    nodes: int
    """Number of expanded positions."""


class _Node:
    """A position found, and how it was reached."""

    __slots__ = ("_board", "is_irreversible", "move", "parent")

    def __init__(self, board: chess.Board, parent: _Node | None, move: chess.Move, *, is_irreversible: bool) -> None:
        self._board: chess.Board | None = board
        """None once it was expanded: boards take most of the memory."""
        self.parent = parent
        self.move = move
        """The move from ``parent``; undefined for the root."""
        self.is_irreversible = is_irreversible
        """Material or pawns differ from the parent's, or castling rights could be lost."""

    def take_board(self) -> chess.Board | None:
        """Return the board the first time, then None."""
        board, self._board = self._board, None
        return board

    def line(self) -> tuple[chess.Move, ...]:
        moves = []
        node = self
        while node.parent is not None:
            moves.append(node.move)
            node = node.parent
        return tuple(reversed(moves))


def find_mate(board: chess.Board, winner: chess.Color, nodes: int) -> SearchResult:
    """Search for a mate by ``winner`` in at most ``nodes`` positions."""
    if is_mated(board, winner):
        return SearchResult((), exhausted=False, nodes=0)
    frontier = _Frontier(winner)
    root = board.copy(stack=False)
    frontier.add(_Node(root, None, chess.Move.null(), is_irreversible=True), root)
    looked_at = 0
    while (taken := frontier.pop()) is not None:
        node, before = taken
        if node.is_irreversible and _cannot_mate(before, winner):
            continue
        if looked_at >= nodes:
            return SearchResult(None, exhausted=False, nodes=looked_at)
        looked_at += 1
        for move in before.generate_legal_moves():
            is_irreversible = bool(before.castling_rights) or before.is_zeroing(move)
            after = before.copy(stack=False)
            after.push(move)
            after.clear_stack()
            child = _Node(after, node, move, is_irreversible=is_irreversible)
            if frontier.add(child, after) and is_mated(after, winner):
                return SearchResult(child.line(), exhausted=False, nodes=looked_at)
    return SearchResult(None, exhausted=True, nodes=looked_at)


def is_mated(board: chess.Board, winner: chess.Color) -> bool:
    """Return whether ``winner`` has mated."""
    return board.turn != winner and board.is_check() and not any(board.generate_legal_moves())


def _cannot_mate(board: chess.Board, winner: chess.Color) -> bool:
    """Return whether ``winner`` certainly never mates. ``reach`` is not asked where pawns are free, because it would
    not know."""
    if board.has_insufficient_material(winner):
        return True
    return may_be_locked(board) and not mates_in_reach(board)[0 if winner else 1]


class _Frontier:
    """Positions found, each once, and the heaps of unexpanded ones."""

    def __init__(self, winner: chess.Color) -> None:
        self._winner = winner
        self._met: set[tuple[object, ...]] = set()
        self._footprints: dict[tuple[int, int], list[chess.Bitboard]] = {}
        """Squares on which each kind of officer has stood, White's kinds first, by pawns and number of men."""
        self._kings: set[tuple[object, ...]] = set()
        self._near: list[tuple[int, int, _Node]] = []
        self._fresh: list[tuple[int, int, _Node]] = []
        self._smothered: list[tuple[int, int, _Node]] = []
        self._popped = 0

    def add(self, node: _Node, board: chess.Board) -> bool:
        """Add ``node`` at ``board`` unless the position was found before. Returns whether it is new."""
        passing = board.ep_square if board.ep_square is not None and board.has_legal_en_passant() else None
        men = (*board.occupied_co, board.pawns, board.knights, board.bishops, board.rooks, board.kings)
        key = (*men, board.turn, board.castling_rights, passing)
        if key in self._met:
            return False
        self._met.add(key)
        distance = mate_distance(board, self._winner)
        # Of equals the last comes first: depth first.
        order = -len(self._met)
        heappush(self._near, (distance, order, node))
        heappush(self._fresh, (distance + MOST_DISTANT * self._staleness(board), order, node))
        smothered = smothered_distance(board, self._winner)
        if smothered is not None:
            heappush(self._smothered, (smothered, order, node))
        return True

    def _staleness(self, board: chess.Board) -> int:
        """Return 0 if a man stands where none of its kind did with these pawns, 1 if the two kings do, else 2."""
        where = (board.pawns, board.occupied.bit_count())
        officers = (board.knights, board.bishops, board.rooks, board.queens, board.kings)
        standing = [kind & side for side in board.occupied_co for kind in officers]
        footprints = self._footprints.get(where)
        if footprints is None:
            self._footprints[where] = standing
            return 0
        staleness = 2
        for index, squares in enumerate(standing):
            if squares & ~footprints[index]:
                footprints[index] |= squares
                staleness = 0
        kings = (*where, board.kings, board.turn)
        if staleness and kings not in self._kings:
            self._kings.add(kings)
            staleness = 1
        return staleness

    def pop(self) -> tuple[_Node, chess.Board] | None:
        """Return the next position to expand, from the heaps in turn; None if nothing is left."""
        heaps = [self._near, self._fresh]
        if self._popped >= FEW_NODES:
            heaps.append(self._smothered)
        first = self._popped % len(heaps)
        self._popped += 1
        for heap in heaps[first:] + heaps[:first]:
            while heap:
                node = heappop(heap)[-1]
                board = node.take_board()
                if board is not None:
                    return node, board
        return None
