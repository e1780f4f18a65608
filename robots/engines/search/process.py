"""Our own search in a process of its own: a ``MoveEngine``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import msgspec

from robots.engines.engine import environment
from robots.engines.line_process import LineProcess
from robots.engines.search.draughts_tree import LONGEST_S
from robots.engines.search.worker import SearchReply, SearchRequest
from robots.jobs import BadJob, EngineFailed

if TYPE_CHECKING:
    from robots.engines.engine import FoundMoves
    from robots.jobs import Job
    from robots.levels import Level

COMMAND = (sys.executable, "-m", "robots.engines.search.worker")


class SearchProcess:
    """A worker of ``robots.engines.search.worker``."""

    def __init__(self, process: LineProcess, longest_s: float | None = LONGEST_S) -> None:
        self.process, self._longest_s = process, longest_s
        self._encoder = msgspec.json.Encoder()
        self._decoder = msgspec.json.Decoder(SearchReply)

    @classmethod
    async def start(cls, *, longest_s: float | None = LONGEST_S) -> SearchProcess:
        """Start a worker. ``longest_s``: CPU time for a move of draughts; None: no limit. Raises ``EngineFailed``."""
        return cls(await LineProcess.start(COMMAND, env=environment()), longest_s)

    async def search(self, job: Job, number: int, level: Level) -> FoundMoves:
        del number
        self.process.write(self._encoder.encode(SearchRequest(job, level, self._longest_s)))
        line = await self.process.read_line()
        try:
            reply = self._decoder.decode(line)
        except msgspec.DecodeError as error:
            raise EngineFailed(f"the search answered {line[:80]!r}: {error}") from error
        if reply.result is None:
            raise BadJob(reply.bad or "no result")
        return reply.result

    async def close(self) -> None:
        await self.process.close()
