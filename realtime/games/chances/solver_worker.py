"""Solver process, which finds out who can still win.

    python -m realtime.games.chances.solver_worker

It answers each input line, a ``Question`` in JSON, with a ``SolverReply``, and exits at the end of its input, so it
never outlives the server. It reads no clock: the number of positions is the only bound.
"""

from __future__ import annotations

import gc
import sys
import traceback
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec

from game_core.color import Color
from game_core.registry import rules_for
from game_core.rules import Finding

if TYPE_CHECKING:
    from typing import BinaryIO

COLLECTIONS = (100_000, 50, 100)
"""Thresholds of the garbage collector. Repeated collections over all boards of a search would double its time."""


class Question(msgspec.Struct, frozen=True):
    """The question whether ``color`` can win from the position that ``rules.identity`` calls ``identity``."""

    game: str
    variant: str
    identity: str
    color: Color
    nodes: int
    """Most positions that a search expands."""
    profile: str = "online"


class SolverReply(msgspec.Struct, frozen=True):
    """The answer to a question."""

    finding: Finding | None
    fault: str = ""
    """The traceback if there is no finding; the server writes it to its log."""


def answer_lines(lines: BinaryIO, answers: BinaryIO) -> None:
    """Answer every question of ``lines`` until the end of the input."""
    decoder = msgspec.json.Decoder(Question)
    encoder = msgspec.json.Encoder()
    for line in lines:
        try:
            question = decoder.decode(line)
            rules = rules_for(question.game, question.variant, question.profile)
            reply = SolverReply(rules.find_win(question.identity, question.color, question.nodes))
        except Exception:  # noqa: BLE001  its trace goes to the server, which logs it
            reply = SolverReply(None, fault=traceback.format_exc())
        answers.write(encoder.encode(reply) + b"\n")
        answers.flush()


def main() -> None:
    """Run the process."""
    # A search makes a million small objects and almost no cycles.
    gc.set_threshold(*COLLECTIONS)
    with suppress(BrokenPipeError):
        answer_lines(sys.stdin.buffer, sys.stdout.buffer)


if __name__ == "__main__":
    main()
