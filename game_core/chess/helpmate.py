"""A search for a mate that both sides help to give.

Who can still win asks for any series of legal moves, so nobody is an opponent here: it is the question whether a
position with a mate in it can be reached at all. Every position is looked at once. Two heaps hold those that are left,
one ordered by how near to a mate they look, the other putting first those where some man stands where none of its
kind stood before among the same pawns; they take turns, so that neither a wrong guess nor a long walk stops the
search. After many nodes a third has its turn as well, for mates with a single minor piece where no pawn gets through.
What cannot be won any more by material or ``reach`` is not gone into. When nothing is left there is no mate.

After M. Ambrona, "A Practical Algorithm for Chess Unwinnability" (FUN 2022), which goes down iteratively instead.
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import NamedTuple

import chess

from game_core.chess.distance import mate_distance, smothered_distance
from game_core.chess.reach import mates_in_reach
from game_core.chess.winnable import may_be_locked

MOST_DISTANT = 1000
"""More than any distance, so that staleness comes before it."""

FEW_NODES = 1000
"""A mate that is found by then is most often found by going for what is near or new alone."""


class Search(NamedTuple):
    """What came of a search."""

    line: tuple[chess.Move, ...] | None
    """Moves from the position to a mate, or None if none was found."""
    exhausted: bool
    """Whether everything was looked at, so that without a line there is no mate."""
    nodes: int
    """Positions whose moves were made."""


class _Node:
    """A position met, and how."""

    __slots__ = ("_board", "is_new_ground", "move", "parent")

    def __init__(self, board: chess.Board, parent: _Node | None, move: chess.Move, *, is_new_ground: bool) -> None:
        self._board: chess.Board | None = board
        """None once it was gone on from: boards are what takes the memory."""
        self.parent = parent
        self.move = move
        """The move that led here from ``parent``; nothing is said of the root's."""
        self.is_new_ground = is_new_ground
        """Material or pawns are not those of the parent, or a right to castle was there to lose."""

    def take_board(self) -> chess.Board | None:
        """The board, the first time."""
        board, self._board = self._board, None
        return board

    def line(self) -> tuple[chess.Move, ...]:
        moves = []
        node = self
        while node.parent is not None:
            moves.append(node.move)
            node = node.parent
        return tuple(reversed(moves))


def find_mate(board: chess.Board, winner: chess.Color, nodes: int) -> Search:
    """Look for a mate by ``winner`` through at most ``nodes`` positions."""
    if is_mated(board, winner):
        return Search((), exhausted=False, nodes=0)
    frontier = _Frontier(winner)
    root = board.copy(stack=False)
    frontier.add(_Node(root, None, chess.Move.null(), is_new_ground=True), root)
    looked_at = 0
    while (taken := frontier.pop()) is not None:
        node, before = taken
        if node.is_new_ground and _is_barren(before, winner):
            continue
        if looked_at >= nodes:
            return Search(None, exhausted=False, nodes=looked_at)
        looked_at += 1
        for move in before.generate_legal_moves():
            is_new_ground = bool(before.castling_rights) or before.is_zeroing(move)
            after = before.copy(stack=False)
            after.push(move)
            after.clear_stack()
            child = _Node(after, node, move, is_new_ground=is_new_ground)
            if frontier.add(child, after) and is_mated(after, winner):
                return Search(child.line(), exhausted=False, nodes=looked_at)
    return Search(None, exhausted=True, nodes=looked_at)


def is_mated(board: chess.Board, winner: chess.Color) -> bool:
    """Whether ``winner`` has mated."""
    return board.turn != winner and board.is_check() and not any(board.generate_legal_moves())


def _is_barren(board: chess.Board, winner: chess.Color) -> bool:
    """Whether it is certain that ``winner`` never mates; not asked of reach where pawns are free anyway."""
    if board.has_insufficient_material(winner):
        return True
    return may_be_locked(board) and not mates_in_reach(board)[0 if winner else 1]


class _Frontier:
    """Positions met, each once, and those of them not yet gone on from."""

    def __init__(self, winner: chess.Color) -> None:
        self._winner = winner
        self._met: set[tuple[object, ...]] = set()
        self._footprints: dict[tuple[int, int], list[chess.Bitboard]] = {}
        """By pawns and number of men: the squares each kind of officer has stood on, White's kinds first."""
        self._kings: set[tuple[object, ...]] = set()
        self._near: list[tuple[int, int, _Node]] = []
        self._fresh: list[tuple[int, int, _Node]] = []
        self._smothered: list[tuple[int, int, _Node]] = []
        self._popped = 0

    def add(self, node: _Node, board: chess.Board) -> bool:
        """Take ``node`` in, which is at ``board``, unless that position was met before; whether it is new."""
        passing = board.ep_square if board.ep_square is not None and board.has_legal_en_passant() else None
        men = (*board.occupied_co, board.pawns, board.knights, board.bishops, board.rooks, board.kings)
        key = (*men, board.turn, board.castling_rights, passing)
        if key in self._met:
            return False
        self._met.add(key)
        distance = mate_distance(board, self._winner)
        # Of equals the last comes first: deep before wide.
        order = -len(self._met)
        heappush(self._near, (distance, order, node))
        heappush(self._fresh, (distance + MOST_DISTANT * self._staleness(board), order, node))
        smothered = smothered_distance(board, self._winner)
        if smothered is not None:
            heappush(self._smothered, (smothered, order, node))
        return True

    def _staleness(self, board: chess.Board) -> int:
        """0 if a man stands where none of its kind did among these pawns, 1 if the two kings so stand, else 2."""
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
        """The next to go on from, by the orders in turn; None if nothing is left."""
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
