"""Solver processes, which find out who can still win without blocking the event loop.

    table ── ask() ──► lane: a bounded queue ──► its process ──► LRU of answers, done(answer)

There are two lanes. Each has one process, started shortly before its first question. *flags* serves tables that need to
know now or soon whether the winner on time could have mated. *ends* serves games that a move may have made dead. So a
table never waits for its flag behind a long, less urgent search.

Answers are about positions, not about games: the caller checks whether the game is still at that position.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from collections import OrderedDict
from typing import TYPE_CHECKING, Literal

from realtime.games.chances.solver_lane import LaneTerms, SolverLane

if TYPE_CHECKING:
    from collections.abc import Sequence

    from game_core.rules import Finding
    from realtime.games.chances.solver_lane import Answer, Done, Key
    from realtime.ops.metrics import Metrics

Urgency = Literal["now", "soon", "whenever"]
"""``now``: a table waits; ``soon``: a flag may fall within about a second; ``whenever``: a game may be dead."""

COMMAND = (sys.executable, "-m", "realtime.games.chances.solver_worker")

ANSWERS_KEPT = 20_000
"""At about 200 bytes an answer this is 4 MB, which covers the last minutes of a busy server."""

log = logging.getLogger(__name__)

FLAGS = LaneTerms("flags", nodes=2000, most_waiting=200, niceness=5, answer_s=30.0)
"""A table waits for a second at most, which is about 2,000 nodes: ten times what ordinary questions need."""

ENDS = LaneTerms("ends", nodes=5000, most_waiting=100, niceness=15, answer_s=300.0)
"""No table waits: the players may go on. A search of this size takes many seconds (docs/performance.md)."""


class SolverPool:
    """The lanes and their answers.

    Args:
        command: starts a solver process; tests pass their own.
        lanes: settings of the lanes ``flags`` and ``ends``.
    """

    def __init__(
        self,
        metrics: Metrics,
        *,
        command: Sequence[str] = COMMAND,
        lanes: tuple[LaneTerms, LaneTerms] = (FLAGS, ENDS),
    ) -> None:
        self._metrics = metrics
        self._known: OrderedDict[Key, Answer] = OrderedDict()
        flags, ends = lanes
        self._flags = SolverLane(flags, command, self._found)
        self._ends = SolverLane(ends, command, self._found)

    def known(self, key: Key) -> Answer | None:
        """Return the known answer to ``key``, ``undecided`` included; None if it was never asked."""
        answer = self._known.get(key)
        if answer is not None:
            self._known.move_to_end(key)
        return answer

    def query(self, key: Key, done: Done, urgency: Urgency, *, modest: bool = False) -> None:
        """Ask a question. ``done`` is called once with the answer, later and never from within this call.

        The same question costs nothing while it is under way.

        Args:
            modest: give up without an answer while another question waits.
        """
        lane = self._ends if urgency == "whenever" else self._flags
        lane.put(key, done, first=urgency == "now", modest=modest)

    def forget(self, key: Key, done: Done) -> None:
        """Withdraw a question: the game has gone on. Later questions do not wait for it."""
        for lane in (self._flags, self._ends):
            lane.forget(key, done)

    def get_ready(self) -> None:
        """Start the process for flags, because games are being played: starting takes longer than a flag may wait."""
        self._flags.begin()

    def processes(self) -> list[int]:
        """Return the ids of the running processes."""
        return [pid for lane in (self._flags, self._ends) if (pid := lane.pid) is not None]

    async def close(self) -> None:
        """End the processes. Waiting questions get no answer."""
        await asyncio.gather(self._flags.close(), self._ends.close())

    def _found(self, key: Key, terms: LaneTerms, finding: Finding | None, took_s: float) -> Answer:
        """Store and count the result of a lane; ``finding`` None: it could not ask."""
        if finding is None:
            self._metrics.no_verdict(terms.name)
            return "none"
        self._metrics.verdict(finding.answer, finding.layer, took_s)
        if finding.answer == "undecided":
            log.info(
                "undecided whether a side can win: it counts as winnable",
                extra={"fen": key.identity, "variant": key.variant, "color": key.color, "nodes": finding.nodes},
            )
            if key in self._known:
                return finding.answer  # the other lane may know
        self._known[key] = finding.answer
        if len(self._known) > ANSWERS_KEPT:
            self._known.popitem(last=False)
        return finding.answer
