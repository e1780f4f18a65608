"""Seats of a table: who holds each side, whether they are present, and since when they are away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game_core.board import missed_ms
from game_core.color import COLORS, Color, of, other
from game_core.lag import UNMEASURED_QUOTA_MS
from lobby.accounts.user import user_wire
from lobby.ratings.at_start import NO_RATINGS
from lobby.robots.robot_accounts import is_robot
from realtime.games.board_hosts import PRESENT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from game_core.game import Game
    from game_core.simul_board import SimulBoard
    from lobby.accounts.user import User
    from lobby.pairing import Countries, MatchScore
    from lobby.ratings.at_start import RatingAtStart, RatingsAtStart
    from lobby.wire.lobby import RoomName
    from realtime.games.board_hosts import BoardHosts
    from realtime.games.clocks.attendance import Attendance
    from realtime.journal.game_rows import GameRow
    from realtime.net.connection import Connection
    from realtime.protocol.wire_types import MatchWire, PlayerWire, SeatWire

    IsShown = Callable[[str], bool]
    """Returns whether a user is shown online."""

HERE = -1
"""``gone_ms`` of a player who is present."""


class Seat:
    """One side of a table and the sockets of the person who holds it."""

    __slots__ = ("ceiling_ms", "connections", "country", "goodbye", "left_at_ms", "rating", "remote_nodes", "user")

    def __init__(self, user: User, now_ms: int, rating: RatingAtStart | None, country: str | None = None) -> None:
        self.user = user
        self.rating = rating
        self.country = country
        """The country that they showed when the table was opened."""
        self.connections: set[Connection] = set()
        """The player's sockets that are subscribed to the game."""
        self.remote_nodes: dict[str, int] = {}
        """Other nodes with such sockets, and the lag ceiling of the slowest at each. In a replica the owner reports
        them."""
        self.left_at_ms = now_ms
        """When the last socket left; at first, when the table was opened."""
        self.goodbye = False
        """The player closed the page; the connection was not merely lost."""
        self.ceiling_ms = 0
        """Lag ceiling of the connection of the player's last move."""

    @property
    def is_here(self) -> bool:
        """Return whether the player is subscribed to the game, at this node or another."""
        return bool(self.connections) or bool(self.remote_nodes)

    def gone_ms(self, now_ms: int) -> int:
        """Return how long the player has been away; ``HERE`` if they are present."""
        return HERE if self.is_here else max(0, now_ms - self.left_at_ms)

    def slowest_ms(self, unmeasured_quota_ms: int) -> int:
        """Return the lag ceiling of the player's slowest connection, or of their last one.

        Args:
            unmeasured_quota_ms: their part of ``Game.unmeasured_quota``.
        """
        here_ms = max((connection.ceiling_ms(unmeasured_quota_ms) for connection in self.connections), default=None)
        if self.remote_nodes:
            return max(here_ms or 0, *self.remote_nodes.values())
        return self.ceiling_ms if here_ms is None else here_ms

    def attend(self, node: str, sockets: int, ceiling_ms: int) -> None:
        """Set the number of the player's sockets at ``node``."""
        if sockets:
            self.remote_nodes[node] = ceiling_ms
            self.goodbye = False
            self.ceiling_ms = ceiling_ms
        else:
            self.remote_nodes.pop(node, None)

    def touch(self, connection: Connection | None, now_ms: int, unmeasured_quota_ms: int = UNMEASURED_QUOTA_MS) -> None:
        """Note an action of the player: they are present, subscribed or not."""
        self.left_at_ms = now_ms
        self.goodbye = False
        if connection is not None:
            self.ceiling_ms = connection.ceiling_ms(unmeasured_quota_ms)


class Seats:
    """Both sides of a table. One person may hold both (a game against oneself)."""

    __slots__ = ("_is_shown", "black", "hosts", "match", "simul_board", "white")

    def __init__(
        self,
        white: User,
        black: User,
        now_ms: int,
        ratings: RatingsAtStart = NO_RATINGS,
        match: MatchScore | None = None,
        hosts: BoardHosts = PRESENT,
        simul_board: SimulBoard | None = None,
        is_shown: IsShown = lambda user: True,
        countries: Countries = (None, None),
    ) -> None:
        self.white = Seat(white, now_ms, ratings[0], countries[0])
        self.black = Seat(black, now_ms, ratings[1], countries[1])
        self.hosts = hosts
        """For a board of a simul: the host need not be subscribed to all boards, and may have a stand-in."""
        self.simul_board = simul_board
        self._is_shown = is_shown
        self.match = match
        """Score of the match before this game; None if the game is not a rematch."""

    def __getitem__(self, color: Color) -> Seat:
        return self.white if color == "w" else self.black

    def color_of(self, user: str | None) -> Color | None:
        """Return the side that ``user`` holds; White if they hold both."""
        if user is None:
            return None
        if user == self.white.user.id:
            return "w"
        return "b" if user == self.black.user.id else None

    def acts_for(self, user: str | None) -> Color | None:
        """Return the side that ``user`` plays now; White if both.

        It is the side they hold, except at a board of a simul whose stand-in has taken over: they play the host's side,
        and the host plays none.
        """
        color, board = self.color_of(user), self.simul_board
        if board is None or color == board.player or user is None:
            return color
        stand_in = self.hosts.acting_stand_in(board.id)
        if stand_in is None:
            return color
        return board.host if user == stand_in else None

    def chat_room(self, user: str | None) -> RoomName | None:
        """Return the only room that ``user`` may read and write; None: a stand-in who plays for the host.

        The players' chat is the host's and the player's, and in that of the spectators the game is discussed.
        """
        if self.color_of(user) is not None:
            return "players"
        return None if self.acts_for(user) is not None else "spectators"

    def may_act(self, user: str, game: Game) -> bool:
        """Return whether ``user`` plays in ``game`` or, as far as any node may know, for the host of its simul."""
        return self.color_of(user) is not None or (self.simul_board is not None and game.status != "over")

    def knows_side(self, user: str | None, game: Game, *, owned: bool) -> bool:
        """Return whether ``acts_for`` is reliable: not before the simul of ``game`` is loaded, for those who may play
        for its host.

        Args:
            owned: this node owns the game.
        """
        board = self.simul_board
        if board is None or user is None or game.status == "over" or self.color_of(user) == board.player:
            return True
        return self.hosts.knows_acting_host(board.id, owned=owned)

    async def until_side_known(self, *, owned: bool) -> None:
        """Wait until ``knows_side``. Raises ``Refusal``: ``unavailable``."""
        if self.simul_board is not None:
            await self.hosts.find_acting_host(self.simul_board.id, owned=owned)

    @property
    def is_self(self) -> bool:
        """Return whether one person plays both sides."""
        return self.white.user.id == self.black.user.id

    @property
    def is_between_people(self) -> bool:
        """Return whether two people play, or bots of people: not one person alone, nor a robot of the server."""
        return not self.is_self and not any(is_robot(self[color].user.id) for color in COLORS)

    def rename(self, user: User) -> list[Color]:
        """Set the new name or status of ``user``. Return the sides for which it is a change."""
        changed = [color for color in COLORS if self[color].user.id == user.id and self[color].user != user]
        for color in changed:
            self[color].user = user
        return changed

    def speaker(self, game: Game, user: str, what: str | None = None) -> Color | None:
        """Return the side for which ``user`` acts now; None if they hold none.

        A person who holds both sides acts for the side to move. If an offer of kind ``what`` is open, they act for the
        side that has to answer it. A takeback is requested by the side that has just moved.
        """
        color = self.acts_for(user)
        if color is None or not self.is_self:
            return color
        if what is None:
            return game.turn
        standing: Color | None = getattr(game.offers, what)
        if standing is not None:
            return other(standing)
        return other(game.turn) if what == "takeback" else game.turn

    def ceiling_ms(self, game: Game) -> int:
        """Return the lag ceiling of the side to move in ``game``, a game of these seats."""
        return self[game.turn].slowest_ms(of(game.unmeasured_quota, game.turn))

    def join(self, connection: Connection) -> None:
        """Add a subscribed socket, if it is a player's."""
        for color in COLORS:
            seat = self[color]
            if self._is_for(color, connection):
                seat.connections.add(connection)
                seat.goodbye = False
                seat.ceiling_ms = connection.ceiling_ms(UNMEASURED_QUOTA_MS)

    def _is_for(self, color: Color, connection: Connection) -> bool:
        if connection.user is None:
            return False
        if self.simul_board is not None:
            return self.acts_for(connection.user.id) == color
        return connection.user.id == self[color].user.id

    def change_host(self, subscribers: Iterable[Connection]) -> None:
        """Note that another person plays for the host of the simul: only their sockets are a player's now.

        Args:
            subscribers: all sockets that are subscribed to the game.
        """
        if self.simul_board is not None:
            color = self.simul_board.host
            self[color].connections = {connection for connection in subscribers if self._is_for(color, connection)}

    def leave(self, connection: Connection, now_ms: int) -> list[Color]:
        """Remove a socket that has unsubscribed or closed. Return the sides that have no socket left."""
        left = []
        for color in COLORS:
            seat = self[color]
            if connection in seat.connections:
                seat.connections.discard(connection)
                seat.ceiling_ms = connection.ceiling_ms(UNMEASURED_QUOTA_MS)
                if not seat.connections:
                    seat.goodbye = connection.said_goodbye
                if not seat.is_here:
                    seat.left_at_ms = now_ms
                    left.append(color)
        return left

    def attend(self, node: str, attendance: Attendance, now_ms: int) -> list[Color]:
        """Set the players' sockets at ``node``. Return the sides that have no socket left."""
        left = []
        for color in COLORS:
            seat, there = self[color], attendance.of(color)
            was_here = seat.is_here
            seat.attend(node, there.sockets, there.ceiling_ms)
            if was_here and not seat.is_here:
                seat.left_at_ms = now_ms
                seat.goodbye = there.goodbye
                left.append(color)
        return left

    def online(self) -> dict[Color, bool]:
        """Return which sides are present."""
        return {color: self[color].is_here for color in COLORS}

    def shown_online(self) -> dict[Color, bool]:
        """Return which sides are shown as present to spectators: an invisible person never is."""
        return {color: here and self._is_shown(self[color].user.id) for color, here in self.online().items()}

    def claimable_in_ms(self, game: Game, now_ms: int) -> dict[Color, int | None]:
        """Return for each side how long until its absence can be claimed, in ms; None: it is present, or never."""
        return {color: self._claimable_in_ms(color, game, now_ms) for color in COLORS}

    def _claimable_in_ms(self, color: Color, game: Game, now_ms: int) -> int | None:
        seat, simul_board = self[color], game.setup.simul_board
        gone_ms = seat.gone_ms(now_ms)
        limit_ms = game.profile.claimable_after_ms(game.setup.pace, goodbye=seat.goodbye)
        if simul_board is not None and color == simul_board.host:
            gone_ms, limit_ms = self.hosts.absence(simul_board.id) or (HERE, None)
        if gone_ms == HERE or limit_ms is None or game.status == "over":
            return None
        if simul_board is not None:
            missed = missed_ms(game, simul_board, color, gone_ms, now_ms)
            return None if missed is None else max(0, limit_ms - missed)
        return max(0, limit_ms - gone_ms)

    def match_body(self) -> MatchWire | None:
        """Return the ``match`` of a snapshot."""
        match = self.match
        return None if match is None else {"games": match.games, "w": match.white / 2, "b": match.black / 2}

    def body(self, online: dict[Color, bool]) -> dict[Color, PlayerWire]:
        """Return the ``players`` of a snapshot, of which these are shown as present."""
        return {color: self._player_body(color, online=online[color]) for color in COLORS}

    def _player_body(self, color: Color, *, online: bool) -> PlayerWire:
        seat = self[color]
        shown = seat_body(seat.user, seat.rating)
        body: PlayerWire = {
            "user": shown["user"],
            "rating": shown["rating"],
            "provisional": shown["provisional"],
            "online": online,
        }
        if seat.country is not None:
            body["country"] = seat.country
        return body


def seats_of(row: GameRow, now_ms: int, hosts: BoardHosts, is_shown: IsShown) -> Seats:
    """Return the seats of a stored game, without sockets."""
    match = None if row.rematch_of is None else row.match
    return Seats(
        row.white, row.black, now_ms, row.ratings, match, hosts, row.setup.simul_board, is_shown, row.countries
    )


def seat_body(user: User, rating: RatingAtStart | None) -> SeatWire:
    """Return one side of a game as shown: the person, and their rating at the start."""
    return {
        "user": user_wire(user),
        "rating": None if rating is None else rating.rating,
        "provisional": None if rating is None else rating.provisional,
    }
