"""A Hub engine for international draughts as a ``MoveEngine``.

The Hub protocol, version 2, is that of F. Letouzey's engine Scan: ``protocol.txt`` of its distribution (2017). It has
no limit by nodes and no second-best moves, so only the upper levels ask such an engine, each to a fixed depth; the
others are those of our own search.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from game_core.draughts.position import Position
from robots.engines.engine import FoundMoves
from robots.engines.line_process import LineProcess
from robots.engines.replaying import positions_of
from robots.jobs import BadJob, EngineFailed
from robots.levels import HIGHEST, WIN, Candidate

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping, Sequence

    from game_core.draughts.board import Board, Move
    from game_core.draughts.men import Men
    from robots.jobs import Job
    from robots.levels import Level

VARIANT = ("draughts", "international")

DEPTHS: Mapping[int, int] = {6: 5, 7: 9, HIGHEST: 15}
"""Half-moves to look ahead by level. Levels that are not here are played by our own search."""

MOST_LINES = 10_000
"""Lines of information before an answer: an engine that never comes to one has failed."""

_ARGUMENT = re.compile(r'([\w-]+)(?:=("[^"]*"|\S*))?')


class HubEngine:
    """A running Hub engine."""

    def __init__(self, process: LineProcess) -> None:
        self.process = process
        self.name = "an engine without a name"
        self._done: dict[str, str] = {}
        """Arguments of the last command that was waited for."""

    @classmethod
    async def start(cls, command: Sequence[str]) -> HubEngine:
        """Start ``command`` in its own folder, where such engines look for their data. Raises ``EngineFailed``."""
        engine = cls(await LineProcess.start(command, folder=Path(command[0]).parent))
        try:
            await engine._introduce()
        except BaseException:
            await engine.close()
            raise
        return engine

    async def _introduce(self) -> None:
        self._send("hub")
        offered: dict[str, str] = {}
        async for command, arguments in self._until("wait"):
            if command == "id":
                self.name = arguments.get("name", self.name)
            elif command == "param":
                offered[arguments.get("name", "")] = arguments.get("value", "")
        # A book and several threads would make answers differ from time to time.
        for name, value in (("variant", "normal"), ("book", "false"), ("threads", "1")):
            if offered.get(name, value) != value:
                self._send(f"set-param name={name} value={value}")
        self._send("init")
        async for _ in self._until("ready"):
            pass

    async def search(self, job: Job, number: int, level: Level) -> FoundMoves:
        del level
        position = positions_of(job)[-1]
        if not isinstance(position, Position):
            raise BadJob(f"no game of draughts: {job.game}")
        self._send("new-game")
        self._send(f"pos pos={format_hub(position.board, position.men)}")
        self._send(f"level depth={DEPTHS.get(number, DEPTHS[HIGHEST])}")
        self._send("go think")
        score = nodes = depth = 0
        async for command, arguments in self._until("done"):
            try:
                if command == "info":
                    score = round(100 * float(arguments.get("score", score / 100)))
                    nodes = int(arguments.get("nodes", nodes))
                    depth = int(arguments.get("depth", depth))
            except ValueError as error:
                raise EngineFailed(f"{self.name}: {error}") from error
        move = _move_of(position, self._done.get("move", ""))
        if move is None:
            raise EngineFailed(f"{self.name} played {self._done.get('move')!r}, which is not legal")
        return FoundMoves([Candidate(move, max(1 - WIN, min(WIN - 1, score)))], len(position.legal), nodes, depth)

    async def close(self) -> None:
        self._send("quit")
        await self.process.close()

    def _send(self, line: str) -> None:
        self.process.write(line.encode())

    async def _until(self, last: str) -> AsyncIterator[tuple[str, dict[str, str]]]:
        """Yield commands of the engine with their arguments, without the one called ``last``, which is kept."""
        for _ in range(MOST_LINES):
            line = (await self.process.read_line()).decode("utf-8", "replace").strip()
            command, _, rest = line.partition(" ")
            arguments = {name: value.strip('"') for name, value in _ARGUMENT.findall(rest)}
            if command == "error":
                raise EngineFailed(f"{self.name}: {arguments.get('message', line)}")
            if command == last:
                self._done = arguments
                return
            yield command, arguments
        raise EngineFailed(f"{self.name} wrote {MOST_LINES} lines without {last!r}")


def format_hub(board: Board, men: Men) -> str:
    """Return a position as the protocol has it: the side to move, and a letter for each square."""
    letters = ["W" if men.turn == "w" else "B"]
    for bit in board.field.bits:
        letter = "w" if bit & men.white else "b" if bit & men.black else "e"
        letters.append(letter.upper() if bit & men.kings else letter)
    return "".join(letters)


def format_move(board: Board, move: Move) -> str:
    """Return a move as the protocol has it: from, to, and all captured pieces in the order of their squares."""
    names = board.field.names
    if not move.taken:
        return f"{names[move.start]}-{names[move.end]}"
    taken = [names[bit] for bit in board.field.bits if bit & move.taken]
    return "x".join((names[move.start], names[move.end], *taken))


def _move_of(position: Position, text: str) -> str | None:
    """Return the legal move that an engine means."""
    start, *rest = text.split("x")
    if rest:
        end, *taken = rest
        text = "x".join((start, end, *sorted(taken, key=lambda name: int(name) if name.isdigit() else 0)))
    known = {format_move(position.board, move): wire for wire, move in position.legal.items()}
    return known.get(text)
