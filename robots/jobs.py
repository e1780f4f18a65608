"""A request for one move, and its answer. A job has no state: any engine process can do it, and do it again."""

from __future__ import annotations

import msgspec

from robots.levels import HIGHEST


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """One move to find."""

    game_id: str
    """Of the game: seeds the draw among moves, together with the number of moves played."""
    game: str
    """The family: ``chess``, ``draughts``, ``chinese-checkers``."""
    variant: str
    profile: str = "online"
    """Rule profile: it affects the limits on endings of draughts."""
    fen: str | None = None
    """The start position; None: the variant's own."""
    moves: tuple[str, ...] = ()
    """Moves played so far, in wire notation."""
    level: int = HIGHEST
    """1 to 8."""
    deadline: float
    """When the move is needed, in seconds of ``asyncio``'s ``loop.time()``. Jobs are done in this order; if less time
    is left than the level takes, it looks at fewer nodes."""
    is_hint: bool = False
    """For the opponent of a robot: done after all moves that wait, and the best move is wanted."""


class JobAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The move of a job."""

    move: str
    """Wire notation; legal."""
    score: int
    """Of the best move found, for the side to move: hundredths of a pawn, man or row of the star (``levels.WIN`` and
    more: a certain win; ``-levels.WIN`` and less: a certain loss)."""
    loss: int = 0
    """By how much the drawn move is worse than the best one, in the same unit; at least 0."""
    mate: int | None = None
    """Half-moves until the certain end: positive if the side to move wins, negative if it loses; None: not certain."""
    choices: int = 0
    """Number of legal moves: 1 is played at once."""
    difficulty: float = 0.5
    """0.0: one move is by far the best, or the only one; 1.0: several are equally good. For the time to think."""
    nodes: int = 0
    """Positions examined; 0 if the move was the only one."""
    is_reduced: bool = False
    """Fewer nodes than the level's were allowed, because of the deadline: the answer may differ next time."""


class Workload(msgspec.Struct, frozen=True, kw_only=True):
    """What a game costs the engines, for admission."""

    game: str
    variant: str
    level: int
    clock_s: float | None
    """The robot's time for the whole game in seconds: base and 40 increments. None: no clock, or days a move."""


class RobotError(Exception):
    """Base of the errors of this package."""


class NoEngine(RobotError):
    """No engine plays this variant."""


class BadJob(RobotError):
    """The position or the moves of a job cannot be played, or the game is over."""


class EngineFailed(RobotError):
    """The engine died or did not answer, repeatedly. The job may be asked again later."""
