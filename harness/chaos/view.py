"""One client's view of one game and the acknowledgements of its own moves, for the checker."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import msgspec

from harness.chaos.errors import Violation

Message = dict[str, Any]


@dataclass(frozen=True)
class Ack:
    """An ``ok``: this request is stored as event number ``seq``."""

    key: str
    user: str
    request: str
    """``move`` or ``resign``."""
    seq: int
    ply: int
    move: str | None = None


@dataclass
class View:
    """One client's view of one game, over all of its connections."""

    game: str
    seq: int = 0
    """The last event it has seen, used after a reconnect (``from``)."""
    plies: int = 0
    over: bool = False
    started: bool = False
    """Whether it has had a snapshot."""
    events: dict[int, Message] = field(default_factory=dict)
    snapshots: list[Message] = field(default_factory=list)
    holds: int = 0
    """How often it was told that the clocks are held."""
    acks: list[Ack] = field(default_factory=list)

    def take(self, message: Message) -> None:
        """Apply a message about this game, and assert the order that the protocol promises."""
        kind = message["t"]
        if kind == "game":
            if message["seq"] < self.seq:
                raise Violation(f"{self.game}: went back from {self.seq} to a snapshot of {message}")
            self.snapshots.append(message)
            self.seq, self.plies = message["seq"], len(message["moves"])
            self.over = message["status"] == "over"
            self.started = True
        elif kind == "hold":
            self.holds += 1
        elif "seq" in message:
            if message["seq"] != self.seq + 1:
                raise Violation(f"{self.game}: after event {self.seq} came {message}")
            self.seq = message["seq"]
            self.events[self.seq] = message
            self.over = self.over or kind == "end"
            if kind == "move":
                if message["ply"] != self.plies:
                    raise Violation(f"{self.game}: at {self.plies} plies came {message}")
                self.plies += 1


class Thought(msgspec.Struct):
    """One move as measured by its player.

    Attributes:
        began_s, ended_s: the thinking time, by ``time.monotonic``.
        lost: number of sockets lost between the answer to the previous move and the answer to this one.
    """

    began_s: float
    ended_s: float
    lost: int = 0

    @property
    def ms(self) -> float:
        """The thinking time."""
        return (self.ended_s - self.began_s) * 1000
