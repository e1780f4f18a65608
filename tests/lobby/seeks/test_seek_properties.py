"""Any sequence of seeking, leaving and coming back: nobody is paired twice and nobody is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, multiple, rule

from lobby.accounts.user import User
from lobby.proposals import Proposal
from lobby.seeks.seeks import SEEK_MS, Seek, SeekBook, match, new_seek

if TYPE_CHECKING:
    from lobby.wire.lobby import LobbyEventWire

USERS = [User(letter, letter.upper(), "guest") for letter in "abcd"]
CONTROLS: list[Any] = [None, {"base_s": 60}, {"base_s": 180, "inc_s": 2}]

users = st.sampled_from(USERS)
proposals = st.builds(
    Proposal,
    tc=st.sampled_from(CONTROLS),
    variant=st.sampled_from(["standard", "chess960"]),
    color=st.sampled_from(["w", "b", "random"]),
    min_rating=st.sampled_from([None, 1400, 1600]),
)


class Book(RuleBasedStateMachine):
    """The book beside a plain list of what must be in it. Whoever finds a match is paired, as the desk would do."""

    seeks = Bundle("seeks")

    def __init__(self) -> None:
        super().__init__()
        self.now_ms = 1_000_000
        self.book = SeekBook(seq=0)
        self.open: dict[str, Seek] = {}
        self.paired: set[str] = set()
        self.here: set[str] = set()
        self.seen: dict[str, Any] = {}
        self.number = 0

    @rule(target=seeks, user=users, proposal=proposals)
    def seek(self, user: User, proposal: Proposal) -> Any:
        self.number += 1
        mine = new_seek(f"s{self.number}", user, proposal, self.now_ms)
        fitting = [other for other in self.open.values() if match(mine, other) and other.user.id in self.here]
        found = self.book.matches(mine)
        assert found == fitting
        if found:
            yours = found[0]
            assert match(yours, mine)
            assert yours.user != mine.user
            assert not self.paired & {mine.id, yours.id}
            self.paired |= {mine.id, yours.id}
            self.take(yours.id)
            return multiple()
        self.open[mine.id] = mine
        self.hear(self.book.add(mine, self.now_ms))
        return mine.id

    @rule(seek_id=consumes(seeks))
    def withdraw(self, seek_id: str) -> None:
        self.take(seek_id)

    @rule(user=users)
    def come(self, user: User) -> None:
        self.here.add(user.id)
        self.book.came(user.id)

    @rule(user=users)
    def leave(self, user: User) -> None:
        self.here.discard(user.id)
        self.book.left(user.id, self.now_ms)

    @rule(ms=st.sampled_from([1, 5_000, 10_000, SEEK_MS]))
    def wait(self, ms: int) -> None:
        self.now_ms += ms
        due = self.book.due(self.now_ms)
        assert len(due) == len(set(due))
        for seek in self.open.values():
            old = seek.created_ms + SEEK_MS <= self.now_ms
            assert not old or seek.id in due
            assert old or seek.user.id not in self.here or seek.id not in due
        for seek_id in due:
            self.take(seek_id)

    def take(self, seek_id: str) -> None:
        event = self.book.remove(seek_id)
        assert (event is not None) == (seek_id in self.open)
        self.open.pop(seek_id, None)
        if event is not None:
            self.hear(event)

    def hear(self, event: LobbyEventWire) -> None:
        """Apply an event as a subscriber does."""
        if event["t"] == "lobby.add":
            self.seen[event["seek"]] = {name: value for name, value in event.items() if name not in ("t", "seq")}
        else:
            del self.seen[event["seek"]]

    @invariant()
    def nobody_is_lost(self) -> None:
        snapshot = self.book.snapshot(games=0, online=0)
        assert [seek["seek"] for seek in snapshot["seeks"]] == list(self.open)
        assert {seek["seek"]: seek for seek in snapshot["seeks"]} == self.seen
        for user in USERS:
            assert {seek.id for seek in self.book.of_user(user.id)} == {
                seek.id for seek in self.open.values() if seek.user == user
            }


Book.TestCase.settings = settings(stateful_step_count=40)
TestBook = Book.TestCase
