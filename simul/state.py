"""The state of a simul: one value, changed in place by ``apply`` and ``observe`` only.

    created --start--> running --the last board is over--> finished
       \\----cancel----> cancelled

It is mutable because a move on one of a thousand boards must not copy them all. ``decide`` answers what would happen
and changes nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from simul.order import VisitQueue, WaitingBoards
from simul.score import Score

if TYPE_CHECKING:
    from collections.abc import Iterator

    from game_core.color import Color
    from lobby.accounts.user import User
    from simul.board import BoardState
    from simul.events import Ending, GiftTakenBack
    from simul.people import Person
    from simul.ports import Chance
    from simul.score import Final
    from simul.setup import SimulSetup
    from simul.wire import SimulRole, SimulStatus

Stop = Literal["break", "host_away"]
"""Why a simul is stopped, as named in its games (``game_core.holds``)."""

AWAY_AFTER_MS = 60_000
"""Absence of the host after which the clocks stop. Covers a page reload or a short loss of the network."""

START_LATE_MS = 600_000
"""How long after ``start_at`` an arriving host still starts the simul automatically. Later they start it themselves."""

MISSED_MS = 24 * 3_600_000
"""How long after ``start_at`` a simul may still be started."""

FORGOTTEN_MS = 14 * MISSED_MS
"""The same for a simul without ``start_at``, from its announcement."""

DESERTED_MS = 24 * 3_600_000
"""Absence of the host after which the live boards are ended, even if no player is left to claim."""

FORSAKEN_MS = 3_600_000
"""Absence of the host after which a lapsed simul is cancelled. It is not cancelled while the host is there."""


class Simul:
    """One host and their boards.

    Attributes:
        id, host, setup, created_ms: the announcement, its host and its time (Unix ms).
        status, started_ms, ended_ms: the stage of its life cycle.
        stand_in: who may play for the host if they drop out; never a person who has a board or wants one.
        is_stand_in_acting: the stand-in plays, and the host does not.
        is_offered: the host lets the stand-in take over although they are present.
        invited, barred: ids of invited people, and of people who were removed.
        applicants, players: people who want to play, and accepted people without a board; by id, in order.
        notes: the host's notes by person.
        boards: board ``n`` at index ``n - 1``.
        seats, games: board number by person, and by game.
        round: order of the host's visits (``round`` mode).
        waiting: boards where the host is to move (``clock`` mode).
        at: the board where the host is; None on the way or undecided.
        to: where the host goes after leaving; None if undecided.
        visited: the board of the last arrival.
        followed: the board of the host's last arrival or move, for spectators; None before the first.
        visit_seq, visit_ply: event number and ply of its game at the arrival.
        host_ms: the host's one clock at ``host_at_ms``; None if there is none.
        bonus_ms: time added to it at the next arrival, for boards that were added.
        countdown: the board where the host waits for the player's move, and until when (Unix ms).
        break_until, away_since: Unix ms; None without a break, and while the host is present.
        host_gone_since, stand_in_gone_since: since when they have no socket; None while they have one.
        ending: how the host ends all boards.
        refused: added time that games have refused, which is still shown as added.
        score: the present score.
        final: further figures of a finished simul.
        most_moves: highest number of the host's moves at one board.
    """

    __slots__ = (
        "applicants", "at", "away_since", "barred", "boards", "bonus_ms", "break_until", "countdown", "created_ms",
        "ended_ms", "ending", "final", "followed", "games", "host", "host_at_ms", "host_gone_since", "host_ms", "id",
        "invited", "is_offered", "is_stand_in_acting", "most_moves", "notes", "players", "refused", "round", "score",
        "seats", "setup", "stand_in", "stand_in_gone_since", "started_ms", "status", "to", "visit_ply", "visit_seq",
        "visited", "waiting",
    )  # fmt: skip

    def __init__(self, simul_id: str, host: User, setup: SimulSetup, created_ms: int) -> None:
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
        self.boards: list[BoardState] = []
        self.seats: dict[str, int] = {}
        self.games: dict[str, int] = {}
        self.round = VisitQueue()
        self.waiting = WaitingBoards()
        self.at: int | None = None
        self.to: int | None = None
        self.visited: int | None = None
        self.followed: int | None = None
        self.visit_seq = 0
        self.visit_ply = 0
        self.host_ms: int | None = None
        self.host_at_ms = created_ms
        self.bonus_ms = 0
        self.countdown: tuple[int, int] | None = None
        self.break_until: int | None = None
        self.away_since: int | None = None
        self.stand_in: User | None = None
        self.is_stand_in_acting = False
        self.is_offered = False
        self.host_gone_since: int | None = None
        self.stand_in_gone_since: int | None = None
        self.ending: Ending | None = None
        self.refused: list[GiftTakenBack] = []
        self.score = Score()
        self.final: Final | None = None
        self.most_moves = 0

    @property
    def is_round(self) -> bool:
        """Whether the simul is in ``round`` mode."""
        return self.setup.mode == "round"

    @property
    def is_running(self) -> bool:
        """Whether it has started and is not over."""
        return self.status == "running"

    @property
    def acting_host(self) -> User:
        """Who plays for the host now: the host, or the stand-in. Never both."""
        return self.stand_in if self.is_stand_in_acting and self.stand_in is not None else self.host

    def possible_hosts(self) -> list[str]:
        """Return the ids of those who play for the host now, or may take over."""
        if self.stand_in is None or not (self.is_stand_in_acting or self.may_take_over):
            return [self.host.id]
        return [self.host.id, self.stand_in.id]

    @property
    def may_take_over(self) -> bool:
        """Whether the stand-in, if there is one who does not play yet, may play for the host now."""
        return self.away_since is not None or self.is_offered

    @property
    def gone_since(self) -> int | None:
        """Since when the acting host has no socket; None while they have one."""
        return self.stand_in_gone_since if self.is_stand_in_acting else self.host_gone_since

    @property
    def stop(self) -> Stop | None:
        """Why the simul is stopped, as named in its games; None while it continues."""
        if self.break_until is not None:
            return "break"
        return None if self.away_since is None else "host_away"

    def board(self, number: int) -> BoardState | None:
        """Return board ``number``; None if there is none."""
        return self.boards[number - 1] if 1 <= number <= len(self.boards) else None

    def board_at(self) -> BoardState | None:
        """The board where the host is."""
        return None if self.at is None else self.boards[self.at - 1]

    def board_followed(self) -> BoardState | None:
        """The board where the host was last, by arrival or by a move: in ``clock`` mode a client need not tell
        arrivals. None before the first."""
        return None if self.followed is None else self.boards[self.followed - 1]

    def live_boards(self) -> Iterator[BoardState]:
        """Yield the live boards. Walks over all."""
        return (board for board in self.boards if board.is_live)

    def stopped_boards(self) -> list[BoardState]:
        """Return the boards whose clocks stop in a break or absence of the host: all live ones; in ``round`` mode only
        the one where the host is, because the clocks of the others stand already."""
        if not self.is_round:
            return list(self.live_boards())
        board = self.board_at()
        return [] if board is None or not board.is_live else [board]

    def is_later(self, board: int) -> bool:
        """Return whether the host has put ``board`` off."""
        return self.round.is_later(board) if self.is_round else self.waiting.is_later(board)

    def role_of(self, user: str | None) -> SimulRole | None:
        """Return the role of ``user``."""
        if user == self.host.id:
            return "host"
        if self.stand_in is not None and user == self.stand_in.id:
            return "stand_in"
        if user in self.players or user in self.seats:
            return "player"
        return "applicant" if user in self.applicants else None

    def person_of(self, user: str) -> Person | None:
        """Return the applicant or player without a board who has this id."""
        return self.players.get(user) or self.applicants.get(user)

    def color_at(self, number: int, chosen: Color | None, chance: Chance) -> Color:
        """Return the host's colour at board ``number``: ``chosen``, else as announced."""
        wish = chosen or self.setup.host_color
        if wish == "random":
            return "w" if chance.randbelow(2) == 0 else "b"
        if wish == "alternating":
            return "w" if number % 2 else "b"
        return wish

    def is_late_join_open(self, now_ms: int) -> bool:
        """Return whether one may still join the simul, which is running."""
        late = self.setup.late_join
        if late is None or self.ending is not None or self.started_ms is None:
            return False
        if late.move is not None:
            return self.most_moves < late.move
        assert late.minutes is not None, "one of the two is there"
        return now_ms < self.started_ms + late.minutes * 60_000

    def host_gone_ms(self, now_ms: int) -> int | None:
        """Return how long the host has been away; None if they are present or no claim is possible.

        Players may claim from ``setup.away_limit_s`` on, at boards where the host is to move.
        """
        return None if self.away_since is None else max(0, now_ms - self.away_since)

    def starts_now(self, now_ms: int) -> bool:
        """Return whether an announced simul starts automatically: its start time has come, and the people it needs are
        present."""
        start_at = self.setup.start_at
        if start_at is None or not start_at <= now_ms < start_at + START_LATE_MS:
            return False
        return self.gone_since is None and bool(self.players)

    def lapses_ms(self) -> int | None:
        """When it is cancelled if it has not begun and the host stays away (Unix ms); None while the host is
        present."""
        if self.gone_since is None:
            return None
        start_at = self.setup.start_at
        announced_ms = self.created_ms + FORGOTTEN_MS if start_at is None else start_at + MISSED_MS
        return max(announced_ms, self.gone_since + FORSAKEN_MS)

    def deserted_ms(self) -> int | None:
        """When the running simul ends if the host does not return (Unix ms); None while there is no reason.

        An outage of the server does not count as an absence: that counts from when the server is up again.
        """
        if self.gone_since is None or self.away_since is None or self.ending is not None:
            return None
        return self.gone_since + DESERTED_MS

    def next_due_ms(self, now_ms: int) -> int | None:
        """Return when to ``Settle`` next (Unix ms) if nothing happens before; None if nothing is due."""
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
