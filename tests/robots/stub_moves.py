"""A source of moves for tests: any legal move, at once."""

from __future__ import annotations

import asyncio
from random import Random
from typing import TYPE_CHECKING

from game_core.registry import registered, rules_for
from robots.jobs import JobAnswer

if TYPE_CHECKING:
    from robots.jobs import Job, Workload


class StubMoves:
    """Answers each job with a legal move, which depends on nothing but the game and its moves.

    Attributes:
        jobs: what was asked.
        score: of every answer.
        has_room: the answer of ``can_accept``.
        games: the games that were entered and not left.
        gate: while it is not set, answers wait.
    """

    def __init__(self, *, score: int = 0) -> None:
        self.jobs: list[Job] = []
        self.score = score
        self.has_room = True
        self.games: dict[str, Workload] = {}
        self.gate = asyncio.Event()
        self.gate.set()

    def variants(self) -> list[tuple[str, str]]:
        return list(registered())

    def plays(self, game: str, variant: str) -> bool:
        return (game, variant) in registered()

    async def answer(self, job: Job) -> JobAnswer:
        self.jobs.append(job)
        await self.gate.wait()
        rules = rules_for(job.game, job.variant, job.profile)
        position = rules.start(job.fen)
        for move in job.moves:
            position = rules.play(position, move).position
        choices = rules.legal_moves(position)
        move = Random(f"{job.game_id} {len(job.moves)}").choice(choices)
        return JobAnswer(move=move, score=self.score, choices=len(choices))

    def can_accept(self, workload: Workload, number: int = 1) -> bool:
        return self.has_room

    def enter(self, game_id: str, workload: Workload) -> None:
        self.games[game_id] = workload

    def leave(self, game_id: str) -> None:
        self.games.pop(game_id, None)
