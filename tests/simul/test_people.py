"""Who plays: joining, leaving, and what the host does about it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from lobby.accounts.user import User
from lobby.errors import BadMessage, Conflict, Forbidden, NotFound
from simul import commands as c
from simul.draft import LateJoin, Offer
from simul.evolve import rename
from tests.simul.hall import HOST, Hall, PowerFailureError, person, unchanged

if TYPE_CHECKING:
    from game_core.errors import Refusal

GUEST = User("guest", "Guest-7F3K2", "guest")
BOT = User("bot", "Bot", "bot")
BOTH = (Offer("chess", "standard"), Offer("chess", "chess960"))


def names(hall: Hall) -> tuple[list[str], list[str]]:
    return list(hall.state.applicants), list(hall.state.players)


class TestJoining:
    def test_whoever_is_accepted_by_itself_is_a_player(self) -> None:
        assert names(Hall(players=2)) == ([], ["p1", "p2"])

    def test_otherwise_the_host_accepts(self) -> None:
        hall = Hall(players=3, auto_accept=False)
        hall.do(c.Accept(by="host", user="p2"))
        hall.do(c.Reject(by="host", user="p1"))
        assert names(hall) == (["p3"], ["p2"])
        assert hall.kinds() == ["joined", "joined", "joined", "accepted", "rejected"]

    def test_to_join_twice_is_to_have_joined(self) -> None:
        hall = Hall(players=1, auto_accept=False)
        assert not hall.do(c.Join(user=person(1)))
        hall.do(c.Accept(by="host", user="p1"))
        assert not hall.do(c.Join(user=person(1)))
        hall.do(c.Start(by="host"))
        assert not hall.do(c.Join(user=person(1)))
        assert hall.kinds().count("joined") == 1

    def test_the_host_plays_against_others(self) -> None:
        unchanged(Hall(), c.Join(user=HOST), Forbidden, "you are the host")

    def test_three_hundred_come_at_once(self) -> None:
        hall = Hall(players=300, max_boards=200, auto_accept=False)
        assert len(hall.state.applicants) == 300
        hall.do(c.AcceptAll(by="host"))
        assert names(hall)[1] == [f"p{number}" for number in range(1, 201)]
        assert len(hall.state.applicants) == 100

    def test_it_is_full_when_all_boards_are_taken(self) -> None:
        hall = Hall(players=2, max_boards=2)
        unchanged(hall, c.Join(user=person(3)), Conflict, "it is full: 2 boards")
        hall.do(c.Leave(by="p1"))
        hall.do(c.Join(user=person(3)))
        assert names(hall) == ([], ["p2", "p3"])

    def test_it_is_bounded_who_may_wait(self) -> None:
        hall = Hall(players=2000, auto_accept=False)
        unchanged(hall, c.Join(user=person(2001)), Conflict, "too many")

    @pytest.mark.parametrize(
        ("fields", "user", "ratings"),
        [
            ({"guests": False}, GUEST, ()),
            ({"members": True}, GUEST, ()),
            ({"members": True}, BOT, ((1500, False),)),
            ({"min_rating": 1600}, person(1), ((1599, False),)),
            ({"max_rating": 1600}, person(1), ((1601, True),)),
            ({"min_rating": 1600}, GUEST, ()),
            ({"invited": ()}, person(1), ((1500, False),)),
        ],
    )
    def test_who_does_not_meet_the_conditions_is_refused(
        self, fields: dict[str, Any], user: User, ratings: tuple[tuple[int | None, bool], ...]
    ) -> None:
        unchanged(Hall(**fields), c.Join(user=user, ratings=ratings), Forbidden)

    @pytest.mark.parametrize(
        ("fields", "user", "ratings"),
        [
            ({}, GUEST, ()),
            ({"guests": False}, BOT, ((1500, True),)),
            ({"members": True}, person(1), ((1500, False),)),
            ({"min_rating": 1500, "max_rating": 1500}, GUEST, ()),
            ({"min_rating": 1600}, person(1), ((1600, False),)),
        ],
    )
    def test_who_meets_them_is_let_in(
        self, fields: dict[str, Any], user: User, ratings: tuple[tuple[int | None, bool], ...]
    ) -> None:
        hall = Hall(**fields)
        hall.do(c.Join(user=user, ratings=ratings))
        assert hall.state.role_of(user.id) == "player"

    def test_whom_the_host_has_invited_may_join(self) -> None:
        hall = Hall(invited=())
        hall.do(c.Invite(by="host", user=person(1)))
        hall.do(c.Join(user=person(1)))
        assert names(hall) == ([], ["p1"])
        assert not hall.do(c.Invite(by="host", user=person(1)))
        unchanged(hall, c.Invite(by="host", user=HOST), Conflict)
        unchanged(hall, c.Invite(by="p1", user=person(2)), Forbidden)

    def test_the_list_of_the_invited_is_bounded(self) -> None:
        hall = Hall(invited=())
        for number in range(2000):
            hall.do(c.Invite(by="host", user=person(number)))
        unchanged(hall, c.Invite(by="host", user=person(2000)), Conflict, "2000")

    def test_one_chooses_among_what_is_offered(self) -> None:
        hall = Hall(variants=BOTH, min_rating=1700)
        ratings = ((1500, False), (1800, True))
        unchanged(hall, c.Join(user=person(1), ratings=ratings), Forbidden)
        unchanged(hall, c.Join(user=person(1), variant="atomic", ratings=ratings), Conflict, "variant: ")
        hall.do(c.Join(user=person(1), variant="chess960", ratings=ratings))
        wire = hall.last("accepted")["user"]
        assert (wire["rating"], wire["provisional"], wire["variant"]) == (1800, True, "chess960")
        hall.do(c.Start(by="host"))
        assert hall.games[1].setup.variant == "chess960"
        assert hall.last("started")["boards"][0]["variant"] == "chess960"


class TestLeaving:
    def test_applicants_and_players_may_leave_until_they_sit(self) -> None:
        hall = Hall(players=2)
        hall.do(c.Leave(by="p1"))
        assert not hall.do(c.Leave(by="p1"))
        assert names(hall) == ([], ["p2"])
        assert hall.last("left")["user"]["name"] == "Player1"
        hall.do(c.Start(by="host"))
        unchanged(hall, c.Leave(by="p2"), Conflict, "resign")

    def test_when_it_is_over_there_is_nothing_to_leave(self) -> None:
        hall = Hall(players=1, start=True)
        hall.do(c.End(by="host"))
        assert not hall.do(c.Leave(by="p1"))


class TestTheHostsChoice:
    def test_is_the_host_s_alone(self) -> None:
        hall = Hall(players=2, auto_accept=False)
        for command in (
            c.Accept(by="p1", user="p2"),
            c.AcceptAll(by="p1"),
            c.Reject(by="p1", user="p2"),
            c.Kick(by="p1", user="p2"),
            c.Arrange(by="p1", user="p2", note="x"),
        ):
            unchanged(hall, command, Forbidden, "only the host")

    def test_needs_somebody_who_has_applied(self) -> None:
        hall = Hall(players=1)
        for command in (
            c.Accept(by="host", user="p2"),
            c.Accept(by="host", user="host"),
            c.Reject(by="host", user="p1"),
            c.Kick(by="host", user="p2"),
        ):
            unchanged(hall, command, NotFound)
        assert not hall.do(c.Accept(by="host", user="p1"))

    def test_is_bounded_by_the_boards(self) -> None:
        hall = Hall(players=2, auto_accept=False, max_boards=1)
        hall.do(c.Accept(by="host", user="p2"))
        unchanged(hall, c.Accept(by="host", user="p1"), Conflict, "full")
        assert not hall.do(c.AcceptAll(by="host"))

    def test_who_is_kicked_cannot_come_back_unless_they_are_invited(self) -> None:
        hall = Hall(players=2)
        hall.do(c.Kick(by="host", user="p1"))
        assert not hall.do(c.Kick(by="host", user="p1"))
        unchanged(hall, c.Join(user=person(1)), Forbidden, "sent you away")
        hall.do(c.Invite(by="host", user=person(1)))
        hall.do(c.Join(user=person(1)))
        assert names(hall) == ([], ["p2", "p1"])

    def test_who_is_rejected_may_try_again(self) -> None:
        hall = Hall(players=1, auto_accept=False)
        hall.do(c.Reject(by="host", user="p1"))
        hall.do(c.Join(user=person(1)))
        assert names(hall) == (["p1"], [])

    def test_nobody_is_sent_away_from_their_board(self) -> None:
        unchanged(Hall(players=1, start=True), c.Kick(by="host", user="p1"), Conflict, "adjudicate")


class TestComingLate:
    def test_where_it_is_allowed_one_gets_a_board_at_once(self) -> None:
        hall = Hall(players=1, start=True, late_join=LateJoin(move=2))
        hall.do(c.Join(user=person(2)))
        assert hall.kinds()[-2:] == ["joined", "board"]
        assert hall.last("board")["user"]["id"] == "p2"
        assert hall.state.role_of("p2") == "player"
        assert names(hall) == ([], [])

    def test_or_when_the_host_accepts(self) -> None:
        hall = Hall(players=3, auto_accept=False, late_join=LateJoin(minutes=10))
        hall.do(c.Accept(by="host", user="p1"))
        hall.do(c.Start(by="host"))
        hall.do(c.Accept(by="host", user="p2"))
        hall.do(c.Join(user=person(4)))
        hall.do(c.AcceptAll(by="host"))
        assert list(hall.state.seats.items()) == [("p1", 1), ("p2", 2), ("p3", 3), ("p4", 4)]
        assert [game.setup.id for game in hall.games.values()] == ["game1", "game2", "game3", "game4"]

    def test_not_after_the_host_s_move(self) -> None:
        hall = Hall(players=1, start=True, late_join=LateJoin(move=2))
        for _ in range(3):
            hall.move(1)
        unchanged(hall, c.Join(user=person(2)), Conflict, "nobody may join any more")

    def test_not_after_the_minutes(self) -> None:
        hall = Hall(players=2, auto_accept=False, late_join=LateJoin(minutes=5))
        hall.do(c.Accept(by="host", user="p1"))
        hall.do(c.Start(by="host"))
        hall.wait(5 * 60_000)
        unchanged(hall, c.Accept(by="host", user="p2"), Conflict)
        unchanged(hall, c.AcceptAll(by="host"), Conflict)
        unchanged(hall, c.Join(user=person(3)), Conflict)

    def test_not_while_all_is_being_ended(self) -> None:
        hall = Hall(players=1, start=True, late_join=LateJoin(move=9))
        hall.power = 1  # the boards do not hear of it yet
        with pytest.raises(PowerFailureError):
            hall.do(c.End(by="host"))
        assert hall.state.ending is not None
        hall.power = None
        unchanged(hall, c.Join(user=person(2)), Conflict)

    def test_not_where_it_is_not_allowed(self) -> None:
        hall = Hall(players=2, auto_accept=False)
        hall.do(c.Accept(by="host", user="p1"))
        hall.do(c.Start(by="host"))
        assert names(hall) == ([], [])
        assert "p2" in hall.told
        unchanged(hall, c.Join(user=person(3)), Conflict)

    def test_not_when_it_is_over(self) -> None:
        hall = Hall(players=1, start=True, late_join=LateJoin(move=9))
        hall.do(c.End(by="host"))
        unchanged(hall, c.Join(user=person(2)), Conflict, "finished")

    def test_a_board_that_begins_in_a_break_stands(self) -> None:
        hall = Hall(players=1, start=True, late_join=LateJoin(move=9))
        hall.do(c.Rest(by="host", until=hall.now_ms + 60_000))
        hall.do(c.Join(user=person(2)))
        assert hall.clock(2)[3] == "break"
        hall.wait(60_000)
        assert hall.clock(2)[2:] == ("w", None)

    def test_a_board_that_begins_without_the_host_stands(self) -> None:
        hall = Hall(players=1, start=True, late_join=LateJoin(move=9))
        hall.leave()
        hall.wait(60_000)
        hall.do(c.Join(user=person(2)))
        assert hall.clock(2)[3] == "host_away"

    def test_each_late_board_adds_to_the_host_s_one_clock(self) -> None:
        hall = Hall(players=2, start=True, mode="round", late_join=LateJoin(move=9), host_extra_per_board_s=60)
        assert hall.state.host_ms == 720_000
        hall.do(c.Join(user=person(3)))
        hall.wait(10_000)
        hall.move(1)
        assert hall.clock(2)[0] == 770_000
        assert hall.last("at")["host_clock"]["left"] == 770_000


class TestArranging:
    def test_before_the_start_all_can_be_arranged(self) -> None:
        hall = Hall(players=2)
        hall.do(c.Arrange(by="host", user="p1", player_extra_s=300, host_extra_s=60, color="b", note=" strong  one "))
        assert hall.last("edited")["person"]["player_extra_s"] == 300
        assert hall.feed.snapshot("host", 0)["notes"] == {"p1": "strong one"}
        hall.do(c.Start(by="host"))
        assert hall.clock(1)[:2] == (900_000, 660_000)
        assert hall.clock(2)[:2] == (600_000, 600_000)
        assert [board.host for board in hall.state.boards] == ["b", "w"]
        assert hall.feed.snapshot("host", 0)["notes"] == {"1": "strong one"}
        board = hall.last("started")["boards"][0]
        assert (board["player_extra_s"], board["host_extra_s"], board["color"]) == (300, 60, "b")

    def test_what_is_not_named_stays(self) -> None:
        hall = Hall(players=1)
        hall.do(c.Arrange(by="host", user="p1", player_extra_s=300))
        hall.do(c.Arrange(by="host", user="p1", color="b"))
        arranged = hall.state.players["p1"]
        assert (arranged.player_extra_s, arranged.color) == (300, "b")
        assert not hall.do(c.Arrange(by="host", user="p1", color="b"))

    def test_a_colour_is_as_announced_again(self) -> None:
        hall = Hall(players=1)
        hall.do(c.Arrange(by="host", user="p1", color="b"))
        hall.do(c.Arrange(by="host", user="p1", color="announced"))
        assert "color" not in hall.last("edited")["person"]
        assert not hall.do(c.Arrange(by="host", user="p1", color="announced"))
        hall.do(c.Start(by="host"))
        assert hall.state.boards[0].host == "w"
        assert not hall.do(c.Arrange(by="host", board=1, color="announced"))

    def test_notes_are_taken_away_by_nothing(self) -> None:
        hall = Hall(players=1, auto_accept=False)
        hall.do(c.Arrange(by="host", user="p1", note="x"))
        hall.do(c.Arrange(by="host", user="p1", note=""))
        hall.do(c.Arrange(by="host", user="p1", note=""))
        assert hall.state.notes == {}
        assert "notes" not in hall.feed.snapshot("p1", 0)
        assert hall.told.count("host") == 3
        unchanged(hall, c.Arrange(by="host", user="p1", note="x" * 201), BadMessage, "note: ")

    @pytest.mark.parametrize(
        ("fields", "command", "error"),
        [
            ({}, c.Arrange(by="host", user="p9", note="x"), NotFound),
            ({}, c.Arrange(by="host", note="x"), NotFound),
            ({}, c.Arrange(by="host", user="p1", player_extra_s=-1), BadMessage),
            ({}, c.Arrange(by="host", user="p1", host_extra_s=36_001), BadMessage),
            ({"rated": True}, c.Arrange(by="host", user="p1", player_extra_s=1), Forbidden),
            ({"mode": "round"}, c.Arrange(by="host", user="p1", host_extra_s=1), Conflict),
            ({"tc": None}, c.Arrange(by="host", user="p1", host_extra_s=1), Conflict),
            ({}, c.Arrange(by="host", board=1, note="x"), NotFound),
        ],
    )
    def test_before_the_start(self, fields: dict[str, Any], command: c.Arrange, error: type[Refusal]) -> None:
        unchanged(Hall(players=1, **fields), command, error)


def test_people_change_their_names() -> None:
    hall = Hall(players=2, auto_accept=False)
    hall.do(c.Invite(by="host", user=person(3)))
    hall.do(c.Accept(by="host", user="p1"))

    def renamed(user: str) -> Any:
        return hall.feed.rename(User(user, "Renamed", "member")).messages

    assert renamed("p1")[0]["person"]["name"] == "Renamed"
    assert renamed("p2")[0]["person"]["name"] == "Renamed"
    assert renamed("p3") == ()
    assert renamed("host") == ()
    snapshot = hall.feed.snapshot("host", 0)
    people = [snapshot["host"], *snapshot["applicants"], *snapshot["players"], *snapshot["invited"]]
    assert {user["name"] for user in people} == {"Renamed"}
    hall.do(c.Start(by="host"))
    rename(hall.state, person(1))
    (message,) = hall.feed.rename(person(1)).messages
    assert message["t"] == "simul.board"
    assert hall.feed.snapshot(None, 0)["boards"][0]["user"]["name"] == "Player1"


@pytest.mark.parametrize("mode", ["clock", "round"])
def test_of_a_long_list_as_many_are_accepted_as_there_is_room_for(mode: str) -> None:
    hall = Hall(players=1005, mode=mode, auto_accept=False, max_boards=1000, late_join=LateJoin(minutes=60))
    hall.do(c.AcceptAll(by="host"))
    assert names(hall) == ([f"p{n}" for n in range(1001, 1006)], [f"p{n}" for n in range(1, 1001)])
    unchanged(hall, c.Accept(by="host", user="p1001"), Conflict, "it is full")
    for number in range(11, 1001):
        hall.do(c.Kick(by="host", user=f"p{number}"))
    hall.do(c.Start(by="host"))
    for number in range(2001, 2990):
        hall.do(c.Join(user=person(number)))
    hall.do(c.AcceptAll(by="host"))
    late = [*range(1001, 1006), *range(2001, 2986)]
    assert [board.person.user.id for board in hall.state.boards[10:]] == [f"p{number}" for number in late]
    assert len(hall.state.boards) == len(hall.games) == 1000
    assert list(hall.state.applicants) == [f"p{number}" for number in range(2986, 2990)]
    assert hall.state.score.live == 1000
    assert not hall.do(c.AcceptAll(by="host"))
    hall.restart()
    assert len(hall.state.boards) == 1000
