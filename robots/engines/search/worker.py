"""The process that runs our own search: one request a line on standard input, one reply a line on standard output.

``python -m robots.engines.search.worker``; it ends with its input.
"""

from __future__ import annotations

import sys

import msgspec

from robots.engines.engine import FoundMoves
from robots.engines.search.solving import solve
from robots.jobs import BadJob, Job
from robots.levels import Level


class SearchRequest(msgspec.Struct, frozen=True):
    """A job with the level's parameters, which may have fewer nodes than usual."""

    job: Job
    level: Level
    longest_s: float | None
    """CPU time for a move of draughts. None: no limit."""


class SearchReply(msgspec.Struct, frozen=True):
    """Either of the two."""

    result: FoundMoves | None = None
    bad: str | None = None
    """Why the job cannot be done."""


def reply_to(request: SearchRequest) -> SearchReply:
    """Do a request."""
    try:
        return SearchReply(result=solve(request.job, request.level, longest_s=request.longest_s))
    except BadJob as error:
        return SearchReply(bad=str(error))


def main() -> None:
    """Answer requests until the input ends."""
    decoder, encoder = msgspec.json.Decoder(SearchRequest), msgspec.json.Encoder()
    for line in sys.stdin.buffer:
        sys.stdout.buffer.write(encoder.encode(reply_to(decoder.decode(line))) + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
