"""Proof that no mate is possible, from where the kings can be and whose move it is. ``reach`` ignores both.

A game is cut into *stages*, each of which ends with a capture or a pawn move. Within a stage the pawns stand still and
the officers walk: each is assumed to be anywhere it could get to at any time, so a side with a movable officer can
always wait. The kings are followed exactly: all pairs of their squares and the side to move, as a set of squares of one
for each square of the other. A side that can move only its king, and cannot move that, is stalemated, and the pair
leads nowhere. Every capture and pawn move that is possible from some pair begins another stage with the pairs it is
possible from. If no stage allows a mate there is none.

The model allows more than the game: officers are in many places at once and never block each other, except those that
cannot move at all, and checks are ignored. So what is found impossible here is impossible. Castling, en passant and
promotion are not modelled: where they could occur nothing is ruled out.
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import NamedTuple

import chess
from chess import BB_ALL, BB_KING_ATTACKS, BB_PAWN_ATTACKS, BB_RAYS, BB_SQUARES

from game_core.chess.reach import STEPS, can_fill

Pairs = list[chess.Bitboard]
"""For each square of the king to be mated, the squares of the other king."""


class Officer(NamedTuple):
    """A piece that is neither king nor pawn, and where it may be."""

    white: bool
    kind: chess.PieceType
    squares: chess.Bitboard

    @property
    def is_fixed(self) -> bool:
        return self.squares.bit_count() == 1


class Stage(NamedTuple):
    """What is constant until the next capture or pawn move: pawns by side, Black's first, and officers."""

    pawns: tuple[chess.Bitboard, chess.Bitboard]
    officers: tuple[Officer, ...]

    @property
    def progress(self) -> tuple[int, int]:
        """Progress, which grows with every capture and pawn move: captured men, then steps of pawns."""
        black, white = (list(chess.scan_forward(pawns)) for pawns in self.pawns)
        steps = sum(7 - square // 8 for square in black) + sum(square // 8 for square in white)
        return -len(black) - len(white) - len(self.officers), steps


class SearchTooLarge(Exception):
    """Something that is not modelled, or more transitions between stages than allowed."""


def is_mate_ruled_out(board: chess.Board, winner: chess.Color, most: int) -> bool:
    """Return whether ``winner`` certainly never mates.

    Args:
        most: most transitions between stages, about 20,000 a second. With more, nothing is ruled out.
    """
    if board.castling_rights or board.has_legal_en_passant():
        return False
    try:
        return _Stages(board, winner, most).settle()
    except SearchTooLarge:
        return False


class _StagePairs:
    """The pairs of one stage that are known to occur."""

    __slots__ = ("may_mate", "to_answer", "to_move")

    def __init__(self) -> None:
        self.to_move: Pairs = [0] * 64
        """Pairs with the winner to move."""
        self.to_answer: Pairs = [0] * 64
        self.may_mate: Pairs = [0] * 64
        """Of the pairs with the loser to move, those after a move that may have mated."""


class _Stages:
    def __init__(self, board: chess.Board, winner: chess.Color, most: int) -> None:
        self._winner = winner
        self._left = most
        self._stages: dict[Stage, _StagePairs] = {}
        self._waiting: list[tuple[tuple[int, int], int, Stage]] = []
        officers = tuple(
            Officer(color, kind, BB_SQUARES[square])
            for color in chess.COLORS
            for kind in (chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN)
            for square in board.pieces(kind, color)
        )
        pawns = board.pawns & board.occupied_co[chess.BLACK], board.pawns & board.occupied_co[chess.WHITE]
        first = Stage(pawns, _spread(pawns, officers))
        known = self._stage(first)
        enemy = chess.msb(board.kings & board.occupied_co[not winner])
        king = board.kings & board.occupied_co[winner]
        if board.turn == winner:
            known.to_move[enemy] = king
        else:
            known.to_answer[enemy] = known.may_mate[enemy] = king

    def settle(self) -> bool:
        """Go through all stages, each once. False as soon as a mate may be possible."""
        while self._waiting:
            stage = heappop(self._waiting)[-1]
            if _Walk(self, stage, self._stages[stage], self._winner).may_mate():
                return False
        return True

    def begin(self, stage: Stage, pairs: Pairs, *, by_winner: bool, may_mate: Pairs) -> None:
        """Add ``pairs`` to ``stage``, reached by a capture or pawn move, some of which ``may_mate``.

        Raises ``SearchTooLarge`` above the limit.
        """
        if not any(pairs):
            return
        if self._left == 0:
            raise SearchTooLarge
        self._left -= 1
        known = self._stage(stage)
        into = known.to_answer if by_winner else known.to_move
        for square, squares in enumerate(pairs):
            into[square] |= squares
            known.may_mate[square] |= may_mate[square]

    def _stage(self, stage: Stage) -> _StagePairs:
        """Return what is known of ``stage``. It is processed when all stages that lead to it have been."""
        known = self._stages.get(stage)
        if known is None:
            known = self._stages[stage] = _StagePairs()
            heappush(self._waiting, (stage.progress, len(self._stages), stage))
        return known


class _Walk:
    """The processing of one stage: which pairs occur, whether a mate may be among them, and which stages follow."""

    def __init__(self, stages: _Stages, stage: Stage, known: _StagePairs, winner: chess.Color) -> None:
        self._stages = stages
        self._stage = stage
        self._known = known
        self._winner = winner
        pawns, officers = stage
        self._still = pawns[0] | pawns[1]
        self._own_still = [pawns[0], pawns[1]]
        self._guarded, self._hits = [0, 0], [0, 0]
        self._waits = [False, False]
        for side in (False, True):
            self._hits[side] = self._guarded[side] = _pawn_attacks(pawns[side], white=side)
        for officer in officers:
            hits = STEPS[officer.kind](officer.squares)
            self._hits[officer.white] |= hits
            if officer.is_fixed:
                self._still |= officer.squares
                self._own_still[officer.white] |= officer.squares
                self._guarded[officer.white] |= hits
            else:
                self._waits[officer.white] = True

    def may_mate(self) -> bool:
        """Process the stage and begin those that follow. True if a mate may be possible."""
        self._walk_kings()
        if self._mates():
            return True
        for side in (False, True):
            pairs = self._known.to_move if side == self._winner else self._known.to_answer
            if any(pairs):
                self._move_pawns(side, pairs)
                self._take_with_pawns(side, pairs)
                self._take_with_officers(side, pairs)
        self._take_with_king()
        self._take_with_enemy_king()
        return False

    # -- the kings ----------------------------------------------------------------------------------------

    def _walk_kings(self) -> None:
        known, winner = self._known, self._winner
        room = BB_ALL & ~self._guarded[not winner] & ~self._still
        enemy_room = BB_ALL & ~self._guarded[winner] & ~self._still
        waiting = {square for square in chess.SQUARES if known.to_move[square] or known.to_answer[square]}
        while waiting:
            square = waiting.pop()
            from_squares = known.to_move[square]
            safe = room & ~BB_KING_ATTACKS[square] & ~BB_SQUARES[square]
            known.to_answer[square] |= _king_steps(from_squares) & safe
            if self._waits[winner]:
                known.to_answer[square] |= from_squares
                known.may_mate[square] |= from_squares
            for origin in chess.scan_forward(from_squares):
                if self._lets_through(origin, square):
                    known.may_mate[square] |= BB_KING_ATTACKS[origin] & ~BB_RAYS[origin][square] & safe
            goals = BB_KING_ATTACKS[square] & enemy_room
            if self._waits[not winner]:
                goals |= BB_SQUARES[square]
            for goal in chess.scan_forward(goals):
                wider = known.to_answer[square] & ~BB_KING_ATTACKS[goal] & ~BB_SQUARES[goal]
                if wider & ~known.to_move[goal]:
                    known.to_move[goal] |= wider
                    waiting.add(goal)

    def _lets_through(self, origin: chess.Square, enemy: chess.Square) -> bool:
        """Return whether the winner's king on ``origin`` may be the only thing between a man of its own and the enemy
        king."""
        if not BB_RAYS[origin][enemy] or chess.between(origin, enemy) & self._still:
            return False
        is_straight = chess.square_file(origin) == chess.square_file(enemy) or origin // 8 == enemy // 8
        kinds = {chess.QUEEN, chess.ROOK if is_straight else chess.BISHOP}
        return any(officer.white == self._winner and officer.kind in kinds for officer in self._stage.officers)

    def _mates(self) -> bool:
        enemy = not self._winner
        hits = self._hits[self._winner]
        blocks = [BB_SQUARES[square] for square in chess.scan_forward(self._stage.pawns[enemy])]
        blocks += [officer.squares for officer in self._stage.officers if officer.white == enemy]
        for square in chess.scan_forward(hits):
            around = BB_KING_ATTACKS[square]
            helds = {BB_KING_ATTACKS[other] & around for other in chess.scan_forward(self._known.may_mate[square])}
            if any(can_fill(around & ~hits & ~held, blocks) for held in helds):
                return True
        return False

    # -- what leads on ------------------------------------------------------------------------------------

    def _move_pawns(self, side: chess.Color, pairs: Pairs) -> None:
        for square in chess.scan_forward(self._stage.pawns[side]):
            goal = square + (8 if side else -8)
            if self._still & BB_SQUARES[goal]:
                continue
            self._put_pawn(side, square, goal, pairs, empty=BB_SQUARES[goal])
            far = goal + (8 if side else -8)
            home = chess.BB_RANK_2 if side else chess.BB_RANK_7
            if home & BB_SQUARES[square] and not self._still & BB_SQUARES[far]:
                if BB_PAWN_ATTACKS[side][goal] & self._stage.pawns[not side]:
                    raise SearchTooLarge
                self._put_pawn(side, square, far, pairs, empty=BB_SQUARES[goal] | BB_SQUARES[far])

    def _take_with_pawns(self, side: chess.Color, pairs: Pairs) -> None:
        for square in chess.scan_forward(self._stage.pawns[side]):
            attacks = BB_PAWN_ATTACKS[side][square]
            for goal in chess.scan_forward(attacks & self._stage.pawns[not side]):
                self._put_pawn(side, square, goal, pairs, empty=BB_SQUARES[goal], taken=goal)
            for officer in self._officers(not side):
                for goal in chess.scan_forward(attacks & officer.squares):
                    self._put_pawn(side, square, goal, pairs, empty=BB_SQUARES[goal], officer=officer)

    def _put_pawn(
        self,
        side: chess.Color,
        square: chess.Square,
        goal: chess.Square,
        pairs: Pairs,
        *,
        empty: chess.Bitboard,
        taken: chess.Square | None = None,
        officer: Officer | None = None,
    ) -> None:
        """Move a pawn to ``goal``, perhaps with a capture; the ``empty`` squares are then empty."""
        pairs = _without(pairs, empty)
        if not any(pairs):
            return
        if goal // 8 in {0, 7}:
            raise SearchTooLarge
        pawns = list(self._stage.pawns)
        pawns[side] ^= BB_SQUARES[square] | BB_SQUARES[goal]
        if taken is not None:
            pawns[not side] ^= BB_SQUARES[taken]
        self._begin(pawns, self._others(officer), empty, pairs, side)

    def _take_with_officers(self, side: chess.Color, pairs: Pairs) -> None:
        for officer in self._officers(side):
            hits = STEPS[officer.kind](officer.squares)
            for goal in chess.scan_forward(hits & self._stage.pawns[not side]):
                pawns = list(self._stage.pawns)
                pawns[not side] ^= BB_SQUARES[goal]
                others = (*self._others(officer), officer._replace(squares=BB_SQUARES[goal]))
                self._begin(pawns, others, 0, _without(pairs, BB_SQUARES[goal]), side)
            for enemy in self._officers(not side):
                if hits & enemy.squares:
                    # Only one of the two is left, on any square where they may have met.
                    others = self._others(officer, enemy)
                    others = (*others, officer._replace(squares=hits & enemy.squares))
                    self._begin(list(self._stage.pawns), others, 0, pairs, side)

    def _take_with_king(self) -> None:
        side = self._winner
        for square, from_squares in enumerate(self._known.to_move):
            safe = ~BB_KING_ATTACKS[square] & ~BB_SQUARES[square] & ~self._guarded[not side]
            for goal in chess.scan_forward(_king_steps(from_squares) & safe & ~self._own_still[side]):
                pairs, may_mate = [0] * 64, [0] * 64
                pairs[square] = BB_SQUARES[goal]
                origins = chess.scan_forward(from_squares & BB_KING_ATTACKS[goal])
                if any(self._lets_through(o, square) and not BB_RAYS[o][square] & BB_SQUARES[goal] for o in origins):
                    may_mate[square] = BB_SQUARES[goal]
                self._take_on(goal, pairs, side, may_mate)

    def _take_with_enemy_king(self) -> None:
        side = not self._winner
        for square, stands in enumerate(self._known.to_answer):
            goals = BB_KING_ATTACKS[square] & ~self._guarded[self._winner] & ~self._own_still[side] if stands else 0
            for goal in chess.scan_forward(goals):
                pairs = [0] * 64
                pairs[goal] = stands & ~BB_KING_ATTACKS[goal] & ~BB_SQUARES[goal]
                self._take_on(goal, pairs, side, [0] * 64)

    def _take_on(self, goal: chess.Square, pairs: Pairs, side: chess.Color, may_mate: Pairs) -> None:
        """Let the king of ``side`` capture whatever may be on ``goal``."""
        if self._stage.pawns[not side] & BB_SQUARES[goal]:
            pawns = list(self._stage.pawns)
            pawns[not side] ^= BB_SQUARES[goal]
            self._begin(pawns, self._stage.officers, 0, pairs, side, may_mate)
            return
        for enemy in self._officers(not side):
            if enemy.squares & BB_SQUARES[goal]:
                self._begin(list(self._stage.pawns), self._others(enemy), BB_SQUARES[goal], pairs, side, may_mate)

    def _officers(self, side: chess.Color) -> list[Officer]:
        return [officer for officer in self._stage.officers if officer.white == side]

    def _others(self, *gone: Officer | None) -> tuple[Officer, ...]:
        """Return the officers without those that are ``gone``; of two equal ones one."""
        officers = list(self._stage.officers)
        for officer in gone:
            if officer is not None:
                officers.remove(officer)
        return tuple(officers)

    def _begin(
        self,
        pawns: list[chess.Bitboard],
        officers: tuple[Officer, ...],
        empty: chess.Bitboard,
        pairs: Pairs,
        side: chess.Color,
        may_mate: Pairs | None = None,
    ) -> None:
        """Begin the stage after a move of ``side``; no officer is on the ``empty`` squares then."""
        officers = tuple(officer._replace(squares=officer.squares & ~empty) for officer in officers)
        if not all(officer.squares for officer in officers):
            # It would have been in the way wherever it stood.
            return
        by_winner = side == self._winner
        if may_mate is None:
            may_mate = pairs if by_winner else [0] * 64
        both = (pawns[0], pawns[1])
        self._stages.begin(Stage(both, _spread(both, officers)), pairs, by_winner=by_winner, may_mate=may_mate)


def _spread(pawns: tuple[chess.Bitboard, chess.Bitboard], officers: tuple[Officer, ...]) -> tuple[Officer, ...]:
    """Return where the officers may walk while the pawns stand still. Those that cannot move block the others."""
    spread = list(officers)
    changed = True
    while changed:
        changed = False
        still = pawns[0] | pawns[1]
        for officer, first in zip(spread, officers, strict=True):
            if officer.squares == first.squares and first.is_fixed:
                still |= officer.squares
        for index, officer in enumerate(spread):
            squares = officer.squares
            while wider := STEPS[officer.kind](squares) & ~still & ~squares:
                squares |= wider
            if squares != officer.squares:
                spread[index] = officer._replace(squares=squares)
                changed = True
    return tuple(sorted(spread))


def _without(pairs: Pairs, squares: chess.Bitboard) -> Pairs:
    """Return the pairs of which neither king is on ``squares``."""
    return [0 if squares & BB_SQUARES[square] else stands & ~squares for square, stands in enumerate(pairs)]


def _king_steps(squares: chess.Bitboard) -> chess.Bitboard:
    reached = 0
    for square in chess.scan_forward(squares):
        reached |= BB_KING_ATTACKS[square]
    return reached


def _pawn_attacks(pawns: chess.Bitboard, *, white: bool) -> chess.Bitboard:
    attacks = 0
    for square in chess.scan_forward(pawns):
        attacks |= BB_PAWN_ATTACKS[white][square]
    return attacks
