"""An exhibition as it stands: one value that ``apply`` and ``observe`` change in place, and nothing else.

    created --start--> running --the last board is over--> finished
       \\----cancel----> cancelled

In place, because a move on one of a thousand boards must not cost a copy of them all. Who wants to know what would
happen asks ``decide``, which changes nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from simul.order import Round, Waiting
from simul.score import Score

if TYPE_CHECKING:
    from collections.abc import Iterator

    from game_core.color import Color
    from lobby.accounts.user import User
    from simul.board import Board
    from simul.events import Ending, GiftTakenBack
    from simul.people import Person
    from simul.ports import Chance
    from simul.score import Final
    from simul.setup import Setup
    from simul.wire import SimulRole, SimulStatus

Stop = Literal["break", "host_away"]
"""Why an exhibition stands still, in the words of its boards (``game_core.holds``)."""

AWAY_AFTER_MS = 60_000
"""How long the host may be gone before his clocks stand: a page loaded anew, a train through a tunnel."""


START_LATE_MS = 600_000
"""For so long after ``start_at`` the host may still come for it to start by itself; after that he starts it."""

MISSED_MS = 24 * 3_600_000
"""So long after the instant for which it was announced an exhibition may still be started."""

FORGOTTEN_MS = 14 * MISSED_MS
"""The same of one without such an instant, from when it was announced."""

DESERTED_MS = 24 * 3_600_000
"""When the host has been gone for so long the boards that are still played end: nobody may be left who would claim."""

FORSAKEN_MS = 3_600_000
"""What has lapsed is cancelled when its host has been gone for so long: not while he is at it."""


class Exhibition:
    """One host and his boards.

    Attributes:
        id, host, setup, created_ms: what was announced, by whom and when (Unix ms).
        status, started_ms, ended_ms: how far it has come.
        invited, barred: who may join where one has to be invited, and who was kicked, by id.
        applicants, players: who wants to play, and who is accepted and has no board, by id, as they came.
        notes: the host's, by person.
        boards: number ``n`` at ``n - 1``.
        seats, games: the number of a person's board, and of a game.
        round: the order of the host's visits (``round`` mode).
        waiting: the boards where the host is to move (``clock`` mode).
        at: the board where the host is; None while he is on his way or has not said.
        to: where he goes once he has left; None when he has not said.
        visited: the last board that he has come to.
        visit_seq, visit_ply: its game's as he came.
        host_ms: what his one clock for all boards showed at ``host_at_ms``; None where there is none.
        bonus_ms: what it gets more when he comes to the next board, for boards that were added.
        countdown: the board where he waits for the player's move, and until when (Unix ms).
        break_until, away_since: Unix ms; None when there is no break, when he is here.
        gone_since: since when the host has no socket; None while he has one.
        ending: how the host wants all boards to end.
        refused: time that games have refused, which is still shown as given.
        score: as it stands.
        final: the rest of it, once it is finished.
        most_moves: the most that the host has made at one board.
    """

    __slots__ = (
        "applicants", "at", "away_since", "barred", "boards", "bonus_ms", "break_until", "countdown", "created_ms",
        "ended_ms", "ending", "final", "games", "gone_since", "host", "host_at_ms", "host_ms", "id", "invited",
        "most_moves", "notes", "players", "refused", "round", "score", "seats", "setup", "started_ms", "status",
        "to", "visit_ply", "visit_seq", "visited", "waiting",
    )  # fmt: skip

    def __init__(self, simul_id: str, host: User, setup: Setup, created_ms: int) -> None:
        self.id = simul_id
        self.host = host
        self.setup = setup
        self.created_ms = created_ms
        self.status: SimulStatus = "created"
        self.started_ms: int | None = None
        self.ended_ms: int | None = None
        self.invited: dict[str, User] = {}
        self.barred: set[str] = set()
        self.applicants: dict[str, Person] = {}
        self.players: dict[str, Person] = {}
        self.notes: dict[str, str] = {}
        self.boards: list[Board] = []
        self.seats: dict[str, int] = {}
        self.games: dict[str, int] = {}
        self.round = Round()
        self.waiting = Waiting()
        self.at: int | None = None
        self.to: int | None = None
        self.visited: int | None = None
        self.visit_seq = 0
        self.visit_ply = 0
        self.host_ms: int | None = None
        self.host_at_ms = created_ms
        self.bonus_ms = 0
        self.countdown: tuple[int, int] | None = None
        self.break_until: int | None = None
        self.away_since: int | None = None
        self.gone_since: int | None = None
        self.ending: Ending | None = None
        self.refused: list[GiftTakenBack] = []
        self.score = Score()
        self.final: Final | None = None
        self.most_moves = 0

    @property
    def is_round(self) -> bool:
        """Whether the host goes from board to board."""
        return self.setup.mode == "round"

    @property
    def stop(self) -> Stop | None:
        """Why the exhibition stands still, as its boards have it; None when it goes on."""
        if self.break_until is not None:
            return "break"
        return None if self.away_since is None else "host_away"

    def board(self, number: int) -> Board | None:
        """Board ``number``; None if there is none."""
        return self.boards[number - 1] if 1 <= number <= len(self.boards) else None

    def board_at(self) -> Board | None:
        """Where the host is."""
        return None if self.at is None else self.boards[self.at - 1]

    def live_boards(self) -> Iterator[Board]:
        """The boards that are played; this walks over all."""
        return (board for board in self.boards if board.is_live)

    def stopped_boards(self) -> list[Board]:
        """The boards whose clocks stand in a break or without the host: all that are played, in a round only that
        where he is, for at the others they stand anyhow.
        """
        if not self.is_round:
            return list(self.live_boards())
        board = self.board_at()
        return [] if board is None or not board.is_live else [board]

    def is_later(self, board: int) -> bool:
        """Whether the host has put ``board`` off."""
        return self.round.is_later(board) if self.is_round else self.waiting.is_later(board)

    def role_of(self, user: str | None) -> SimulRole | None:
        """What ``user`` is here."""
        if user == self.host.id:
            return "host"
        if user in self.players or user in self.seats:
            return "player"
        return "applicant" if user in self.applicants else None

    def person_of(self, user: str) -> Person | None:
        """The applicant or player without a board of this id."""
        return self.players.get(user) or self.applicants.get(user)

    def color_at(self, number: int, chosen: Color | None, chance: Chance) -> Color:
        """The host's colour at board ``number``: as ``chosen``, else as announced."""
        wish = chosen or self.setup.host_color
        if wish == "random":
            return "w" if chance.randbelow(2) == 0 else "b"
        if wish == "alternating":
            return "w" if number % 2 else "b"
        return wish

    def is_late_join_open(self, now_ms: int) -> bool:
        """Whether one may still get a board of the exhibition, which runs."""
        late = self.setup.late_join
        if late is None or self.ending is not None or self.started_ms is None:
            return False
        if late.move is not None:
            return self.most_moves < late.move
        assert late.minutes is not None, "one of the two is there"
        return now_ms < self.started_ms + late.minutes * 60_000

    def host_gone_ms(self, now_ms: int) -> int | None:
        """For how long the host has been away, where his players may claim for it at some time; None: he is not.

        They may from ``setup.away_limit_s`` on, at boards where he is to move.
        """
        return None if self.away_since is None else max(0, now_ms - self.away_since)

    def starts_now(self, now_ms: int) -> bool:
        """Whether it, which is announced, begins by itself: its instant has come, and whom it needs is here."""
        start_at = self.setup.start_at
        if start_at is None or not start_at <= now_ms < start_at + START_LATE_MS:
            return False
        return self.gone_since is None and bool(self.players)

    def lapses_ms(self) -> int | None:
        """When it is cancelled if it has not begun and the host stays away (Unix ms); None while he is here."""
        if self.gone_since is None:
            return None
        start_at = self.setup.start_at
        announced_ms = self.created_ms + FORGOTTEN_MS if start_at is None else start_at + MISSED_MS
        return max(announced_ms, self.gone_since + FORSAKEN_MS)

    def deserted_ms(self) -> int | None:
        """When it ends, which runs, if the host does not come back (Unix ms); None while nothing speaks for that.

        A server that was down for long does not take the host for gone: for it he is so from when it began to look.
        """
        if self.gone_since is None or self.away_since is None or self.ending is not None:
            return None
        return self.gone_since + DESERTED_MS

    def next_due_ms(self, now_ms: int) -> int | None:
        """When to ``Settle`` next (Unix ms) if nothing happens before; None: nothing is waited for."""
        due: list[int] = []
        if self.status == "created":
            lapses_ms = self.lapses_ms()
            if lapses_ms is not None:
                due.append(lapses_ms)
            start_at = self.setup.start_at
            if start_at is not None and (now_ms < start_at or self.starts_now(now_ms)):
                due.append(start_at)
        elif self.status == "running":
            if self.break_until is not None:
                due.append(self.break_until)
            elif self.countdown is not None:
                due.append(self.countdown[1])
            if self.break_until is None and self.gone_since is not None and self.away_since is None:
                due.append(self.gone_since + AWAY_AFTER_MS)
            deserted_ms = self.deserted_ms()
            if deserted_ms is not None:
                due.append(deserted_ms)
        return min(due, default=None)
