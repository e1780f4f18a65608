"""A simul as its host knows it: the server's last snapshot, and the events since. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable

    from robots.client import Message


class Applicant(msgspec.Struct, frozen=True):
    """Somebody who wants to play this variant."""

    id: str
    game: str
    variant: str


class HostedSimul:
    """The state of a simul.

    Attributes:
        seq: number of the last event.
        status: ``created``, ``running``, ``finished``, ``cancelled``.
        applicants: those who wait for the host's answer, by id, in order.
        players: number of those who are accepted and have no board yet.
        boards: games in progress by number of the board.
    """

    def __init__(self, snapshot: Message) -> None:
        self.seq: int = snapshot["seq"]
        self.status: str = snapshot["status"]
        self.applicants: dict[str, Applicant] = {}
        self.players = len(snapshot["players"])
        self.boards: dict[int, str] = {}
        self._first: tuple[str, str] = snapshot["game"], snapshot["variant"]
        self._most: int = snapshot["max_boards"]
        self._had = 0
        self._take_applicants(snapshot["applicants"])
        self._take_boards(snapshot["boards"])

    @property
    def is_over(self) -> bool:
        """Whether it has ended."""
        return self.status in ("finished", "cancelled")

    @property
    def has_room(self) -> bool:
        """Whether one more may be accepted."""
        return self.players + self._had < self._most

    def take(self, event: Message) -> None:
        """Apply an event: the next one by its ``seq``."""
        kind, self.seq = event["t"], event["seq"]
        if kind == "simul.joined":
            self._take_applicants((event["user"],))
        elif kind == "simul.accepted":
            self.players += self.applicants.pop(event["user"]["id"], None) is not None
        elif kind in ("simul.left", "simul.rejected", "simul.kicked"):
            was_waiting = self.applicants.pop(event["user"]["id"], None) is not None
            self.players -= not was_waiting
        elif kind == "simul.started":
            self.players = 0
            if "applicants" in event:
                self.applicants.clear()
            self._take_boards(event["boards"])
        elif kind == "simul.board":
            self._take_boards((event,))
        if kind in ("simul.started", "simul.finished", "simul.cancelled"):
            self.status = event["status"]

    def _take_applicants(self, people: Iterable[Message]) -> None:
        for person in people:
            game, variant = self._first if "variant" not in person else (person["game"], person["variant"])
            self.applicants[person["id"]] = Applicant(person["id"], game, variant)

    def _take_boards(self, boards: Iterable[Message]) -> None:
        for board in boards:
            if "g" in board:  # a new one, with all its fields
                self._had += 1
                self.applicants.pop(board["user"]["id"], None)
                self.boards[board["board"]] = board["g"]
            if board.get("status") == "over":
                self.boards.pop(board["board"], None)
