"""Participants: joining, leaving, and the host's decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from lobby.accounts.user import User
from lobby.errors import BadMessage, Conflict, Forbidden, NotFound
from simul import commands as c
from simul.draft import LateJoin, Offer
from simul.evolve import rename
from tests.simul.simul_model import HOST, PowerFailureError, SimulModel, person, unchanged

if TYPE_CHECKING:
    from game_core.errors import Refusal

GUEST = User("guest", "Guest-7F3K2", "guest")
BOT = User("bot", "Bot", "bot")
BOTH = (Offer("chess", "standard"), Offer("chess", "chess960"))


def names(model: SimulModel) -> tuple[list[str], list[str]]:
    return list(model.state.applicants), list(model.state.players)


class TestJoining:
    def test_automatic_acceptance_makes_applicants_players(self) -> None:
        assert names(SimulModel(players=2)) == ([], ["p1", "p2"])

    def test_host_accepts_and_rejects_applicants(self) -> None:
        model = SimulModel(players=3, auto_accept=False)
        model.do(c.Accept(by="host", user="p2"))
        model.do(c.Reject(by="host", user="p1"))
        assert names(model) == (["p3"], ["p2"])
        assert model.kinds() == ["joined", "joined", "joined", "accepted", "rejected"]

    def test_joining_twice_changes_nothing(self) -> None:
        model = SimulModel(players=1, auto_accept=False)
        assert not model.do(c.Join(user=person(1)))
        model.do(c.Accept(by="host", user="p1"))
        assert not model.do(c.Join(user=person(1)))
        model.do(c.Start(by="host"))
        assert not model.do(c.Join(user=person(1)))
        assert model.kinds().count("joined") == 1

    def test_host_cannot_join_their_own_simul(self) -> None:
        unchanged(SimulModel(), c.Join(user=HOST), Forbidden, "you are the host")

    def test_accepting_all_fills_the_boards_in_order_of_application(self) -> None:
        model = SimulModel(players=300, max_boards=200, auto_accept=False)
        assert len(model.state.applicants) == 300
        model.do(c.AcceptAll(by="host"))
        assert names(model)[1] == [f"p{number}" for number in range(1, 201)]
        assert len(model.state.applicants) == 100

    def test_simul_is_full_when_all_boards_are_taken(self) -> None:
        model = SimulModel(players=2, max_boards=2)
        unchanged(model, c.Join(user=person(3)), Conflict, "the simul is full: it has 2 boards")
        model.do(c.Leave(by="p1"))
        model.do(c.Join(user=person(3)))
        assert names(model) == ([], ["p2", "p3"])

    def test_number_of_applicants_is_bounded(self) -> None:
        model = SimulModel(players=2000, auto_accept=False)
        unchanged(model, c.Join(user=person(2001)), Conflict, "too many")

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
    def test_player_outside_the_conditions_is_refused(
        self, fields: dict[str, Any], user: User, ratings: tuple[tuple[int | None, bool], ...]
    ) -> None:
        unchanged(SimulModel(**fields), c.Join(user=user, ratings=ratings), Forbidden)

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
    def test_player_within_the_conditions_joins(
        self, fields: dict[str, Any], user: User, ratings: tuple[tuple[int | None, bool], ...]
    ) -> None:
        model = SimulModel(**fields)
        model.do(c.Join(user=user, ratings=ratings))
        assert model.state.role_of(user.id) == "player"

    def test_invited_player_may_join(self) -> None:
        model = SimulModel(invited=())
        model.do(c.Invite(by="host", user=person(1)))
        model.do(c.Join(user=person(1)))
        assert names(model) == ([], ["p1"])
        assert not model.do(c.Invite(by="host", user=person(1)))
        unchanged(model, c.Invite(by="host", user=HOST), Conflict)
        unchanged(model, c.Invite(by="p1", user=person(2)), Forbidden)

    def test_number_of_invitations_is_bounded(self) -> None:
        model = SimulModel(invited=())
        for number in range(2000):
            model.do(c.Invite(by="host", user=person(number)))
        unchanged(model, c.Invite(by="host", user=person(2000)), Conflict, "2000")

    def test_player_chooses_among_the_offered_variants(self) -> None:
        model = SimulModel(variants=BOTH, min_rating=1700)
        ratings = ((1500, False), (1800, True))
        unchanged(model, c.Join(user=person(1), ratings=ratings), Forbidden)
        unchanged(model, c.Join(user=person(1), variant="atomic", ratings=ratings), Conflict, "variant: ")
        model.do(c.Join(user=person(1), variant="chess960", ratings=ratings))
        wire = model.last("accepted")["user"]
        assert (wire["rating"], wire["provisional"], wire["variant"]) == (1800, True, "chess960")
        model.do(c.Start(by="host"))
        assert model.games[1].setup.variant == "chess960"
        assert model.last("started")["boards"][0]["variant"] == "chess960"


class TestLeaving:
    def test_players_can_leave_until_they_are_seated(self) -> None:
        model = SimulModel(players=2)
        model.do(c.Leave(by="p1"))
        assert not model.do(c.Leave(by="p1"))
        assert names(model) == ([], ["p2"])
        assert model.last("left")["user"]["name"] == "Player1"
        model.do(c.Start(by="host"))
        unchanged(model, c.Leave(by="p2"), Conflict, "resign")

    def test_leaving_a_finished_simul_changes_nothing(self) -> None:
        model = SimulModel(players=1, start=True)
        model.do(c.End(by="host"))
        assert not model.do(c.Leave(by="p1"))


class TestTheHostsChoice:
    def test_only_the_host_decides_about_players(self) -> None:
        model = SimulModel(players=2, auto_accept=False)
        for command in (
            c.Accept(by="p1", user="p2"),
            c.AcceptAll(by="p1"),
            c.Reject(by="p1", user="p2"),
            c.Kick(by="p1", user="p2"),
            c.Arrange(by="p1", user="p2", note="x"),
        ):
            unchanged(model, command, Forbidden, "only the host")

    def test_host_cannot_decide_about_people_who_have_not_applied(self) -> None:
        model = SimulModel(players=1)
        for command in (
            c.Accept(by="host", user="p2"),
            c.Accept(by="host", user="host"),
            c.Reject(by="host", user="p1"),
            c.Kick(by="host", user="p2"),
        ):
            unchanged(model, command, NotFound)
        assert not model.do(c.Accept(by="host", user="p1"))

    def test_host_cannot_accept_more_players_than_boards(self) -> None:
        model = SimulModel(players=2, auto_accept=False, max_boards=1)
        model.do(c.Accept(by="host", user="p2"))
        unchanged(model, c.Accept(by="host", user="p1"), Conflict, "full")
        assert not model.do(c.AcceptAll(by="host"))

    def test_kicked_player_returns_only_by_invitation(self) -> None:
        model = SimulModel(players=2)
        model.do(c.Kick(by="host", user="p1"))
        assert not model.do(c.Kick(by="host", user="p1"))
        unchanged(model, c.Join(user=person(1)), Forbidden, "removed you")
        model.do(c.Invite(by="host", user=person(1)))
        model.do(c.Join(user=person(1)))
        assert names(model) == ([], ["p2", "p1"])

    def test_rejected_player_may_apply_again(self) -> None:
        model = SimulModel(players=1, auto_accept=False)
        model.do(c.Reject(by="host", user="p1"))
        model.do(c.Join(user=person(1)))
        assert names(model) == (["p1"], [])

    def test_seated_player_cannot_be_kicked(self) -> None:
        unchanged(SimulModel(players=1, start=True), c.Kick(by="host", user="p1"), Conflict, "adjudicate")


class TestComingLate:
    def test_late_joiner_gets_a_board_at_once(self) -> None:
        model = SimulModel(players=1, start=True, late_join=LateJoin(move=2))
        model.do(c.Join(user=person(2)))
        assert model.kinds()[-2:] == ["joined", "board"]
        assert model.last("board")["user"]["id"] == "p2"
        assert model.state.role_of("p2") == "player"
        assert names(model) == ([], [])

    def test_late_joiner_gets_a_board_when_the_host_accepts(self) -> None:
        model = SimulModel(players=3, auto_accept=False, late_join=LateJoin(minutes=10))
        model.do(c.Accept(by="host", user="p1"))
        model.do(c.Start(by="host"))
        model.do(c.Accept(by="host", user="p2"))
        model.do(c.Join(user=person(4)))
        model.do(c.AcceptAll(by="host"))
        assert list(model.state.seats.items()) == [("p1", 1), ("p2", 2), ("p3", 3), ("p4", 4)]
        assert [game.setup.id for game in model.games.values()] == ["game1", "game2", "game3", "game4"]

    def test_late_joining_closes_after_the_announced_move(self) -> None:
        model = SimulModel(players=1, start=True, late_join=LateJoin(move=2))
        for _ in range(3):
            model.move(1)
        unchanged(model, c.Join(user=person(2)), Conflict, "late joining is closed")

    def test_late_joining_closes_after_the_announced_minutes(self) -> None:
        model = SimulModel(players=2, auto_accept=False, late_join=LateJoin(minutes=5))
        model.do(c.Accept(by="host", user="p1"))
        model.do(c.Start(by="host"))
        model.wait(5 * 60_000)
        unchanged(model, c.Accept(by="host", user="p2"), Conflict)
        unchanged(model, c.AcceptAll(by="host"), Conflict)
        unchanged(model, c.Join(user=person(3)), Conflict)

    def test_late_joining_is_refused_while_the_simul_is_being_ended(self) -> None:
        model = SimulModel(players=1, start=True, late_join=LateJoin(move=9))
        model.power = 1  # the boards do not hear of it yet
        with pytest.raises(PowerFailureError):
            model.do(c.End(by="host"))
        assert model.state.ending is not None
        model.power = None
        unchanged(model, c.Join(user=person(2)), Conflict)

    def test_late_joining_is_refused_unless_announced(self) -> None:
        model = SimulModel(players=2, auto_accept=False)
        model.do(c.Accept(by="host", user="p1"))
        model.do(c.Start(by="host"))
        assert names(model) == ([], [])
        assert "p2" in model.told
        unchanged(model, c.Join(user=person(3)), Conflict)

    def test_late_joining_is_refused_after_the_end(self) -> None:
        model = SimulModel(players=1, start=True, late_join=LateJoin(move=9))
        model.do(c.End(by="host"))
        unchanged(model, c.Join(user=person(2)), Conflict, "finished")

    def test_clocks_of_a_board_begun_in_a_break_are_stopped(self) -> None:
        model = SimulModel(players=1, start=True, late_join=LateJoin(move=9))
        model.do(c.TakeBreak(by="host", until=model.now_ms + 60_000))
        model.do(c.Join(user=person(2)))
        assert model.clock(2)[3] == "break"
        model.wait(60_000)
        assert model.clock(2)[2:] == ("w", None)

    def test_clocks_of_a_board_begun_without_the_host_are_stopped(self) -> None:
        model = SimulModel(players=1, start=True, late_join=LateJoin(move=9))
        model.leave()
        model.wait(60_000)
        model.do(c.Join(user=person(2)))
        assert model.clock(2)[3] == "host_away"

    def test_late_board_adds_time_to_the_single_host_clock(self) -> None:
        model = SimulModel(players=2, start=True, mode="round", late_join=LateJoin(move=9), host_extra_per_board_s=60)
        assert model.state.host_ms == 720_000
        model.do(c.Join(user=person(3)))
        model.wait(10_000)
        model.move(1)
        assert model.clock(2)[0] == 770_000
        assert model.last("at")["host_clock"]["left"] == 770_000


class TestArranging:
    def test_handicap_colour_and_note_can_be_arranged_before_the_start(self) -> None:
        model = SimulModel(players=2)
        model.do(c.Arrange(by="host", user="p1", player_extra_s=300, host_extra_s=60, color="b", note=" strong  one "))
        assert model.last("edited")["person"]["player_extra_s"] == 300
        assert model.feed.snapshot("host", 0)["notes"] == {"p1": "strong one"}
        model.do(c.Start(by="host"))
        assert model.clock(1)[:2] == (900_000, 660_000)
        assert model.clock(2)[:2] == (600_000, 600_000)
        assert [board.host for board in model.state.boards] == ["b", "w"]
        assert model.feed.snapshot("host", 0)["notes"] == {"1": "strong one"}
        board = model.last("started")["boards"][0]
        assert (board["player_extra_s"], board["host_extra_s"], board["color"]) == (300, 60, "b")

    def test_arranging_one_field_keeps_the_others(self) -> None:
        model = SimulModel(players=1)
        model.do(c.Arrange(by="host", user="p1", player_extra_s=300))
        model.do(c.Arrange(by="host", user="p1", color="b"))
        arranged = model.state.players["p1"]
        assert (arranged.player_extra_s, arranged.color) == (300, "b")
        assert not model.do(c.Arrange(by="host", user="p1", color="b"))

    def test_arranged_colour_can_be_reset(self) -> None:
        model = SimulModel(players=1)
        model.do(c.Arrange(by="host", user="p1", color="b"))
        model.do(c.Arrange(by="host", user="p1", color="announced"))
        assert "color" not in model.last("edited")["person"]
        assert not model.do(c.Arrange(by="host", user="p1", color="announced"))
        model.do(c.Start(by="host"))
        assert model.state.boards[0].host == "w"
        assert not model.do(c.Arrange(by="host", board=1, color="announced"))

    def test_empty_note_removes_the_note(self) -> None:
        model = SimulModel(players=1, auto_accept=False)
        model.do(c.Arrange(by="host", user="p1", note="x"))
        model.do(c.Arrange(by="host", user="p1", note=""))
        model.do(c.Arrange(by="host", user="p1", note=""))
        assert model.state.notes == {}
        assert "notes" not in model.feed.snapshot("p1", 0)
        assert model.told.count("host") == 3
        unchanged(model, c.Arrange(by="host", user="p1", note="x" * 201), BadMessage, "note: ")

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
    def test_invalid_arrangements_are_refused_before_the_start(
        self, fields: dict[str, Any], command: c.Arrange, error: type[Refusal]
    ) -> None:
        unchanged(SimulModel(players=1, **fields), command, error)


def test_renamed_participants_are_shown_under_the_new_name() -> None:
    model = SimulModel(players=2, auto_accept=False)
    model.do(c.Invite(by="host", user=person(3)))
    model.do(c.Accept(by="host", user="p1"))

    def renamed(user: str) -> Any:
        return model.feed.rename(User(user, "Renamed", "member")).messages

    assert renamed("p1")[0]["person"]["name"] == "Renamed"
    assert renamed("p2")[0]["person"]["name"] == "Renamed"
    assert renamed("p3") == ()
    assert renamed("host") == ()
    snapshot = model.feed.snapshot("host", 0)
    people = [snapshot["host"], *snapshot["applicants"], *snapshot["players"], *snapshot["invited"]]
    assert {user["name"] for user in people} == {"Renamed"}
    model.do(c.Start(by="host"))
    rename(model.state, person(1))
    (message,) = model.feed.rename(person(1)).messages
    assert message["t"] == "simul.board"
    assert model.feed.snapshot(None, 0)["boards"][0]["user"]["name"] == "Player1"


@pytest.mark.parametrize("mode", ["clock", "round"])
def test_accepting_all_accepts_only_as_many_as_there_are_boards(mode: str) -> None:
    model = SimulModel(players=1005, mode=mode, auto_accept=False, max_boards=1000, late_join=LateJoin(minutes=60))
    model.do(c.AcceptAll(by="host"))
    assert names(model) == ([f"p{n}" for n in range(1001, 1006)], [f"p{n}" for n in range(1, 1001)])
    unchanged(model, c.Accept(by="host", user="p1001"), Conflict, "is full")
    for number in range(11, 1001):
        model.do(c.Kick(by="host", user=f"p{number}"))
    model.do(c.Start(by="host"))
    for number in range(2001, 2990):
        model.do(c.Join(user=person(number)))
    model.do(c.AcceptAll(by="host"))
    late = [*range(1001, 1006), *range(2001, 2986)]
    assert [board.person.user.id for board in model.state.boards[10:]] == [f"p{number}" for number in late]
    assert len(model.state.boards) == len(model.games) == 1000
    assert list(model.state.applicants) == [f"p{number}" for number in range(2986, 2990)]
    assert model.state.score.live == 1000
    assert not model.do(c.AcceptAll(by="host"))
    model.restart()
    assert len(model.state.boards) == 1000
