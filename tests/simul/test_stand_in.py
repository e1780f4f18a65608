"""The stand-in: who may act for the host, and when."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from lobby.accounts.user import User
from lobby.errors import Conflict, Forbidden
from simul import commands as c
from simul.evolve import note_presence
from simul.replica import SimulReplica
from simul.setup import draft_of
from simul.state import AWAY_AFTER_MS
from tests.simul.simul_model import NOW_MS, SimulModel, person, unchanged

if TYPE_CHECKING:
    from collections.abc import Callable

    from game_core.errors import Refusal

STAND_IN = User("deputy", "Deputy", "member")


def named(model: SimulModel, user: User | None = STAND_IN) -> SimulModel:
    model.do(c.Edit(by="host", draft=draft_of(model.state.setup), stand_in=user))
    return model


def simul(**fields: Any) -> SimulModel:
    """A running simul of three boards with a stand-in; both are connected."""
    return named(SimulModel(players=3, start=True, **fields))


def presence(model: SimulModel, user: str, *, here: bool) -> None:
    note_presence(model.state, user, model.now_ms, here=here)
    model.settle()


def dropped_out(**fields: Any) -> SimulModel:
    """The host has been gone long enough."""
    model = simul(**fields)
    model.leave()
    model.wait(AWAY_AFTER_MS)
    assert model.state.away_since is not None
    return model


def taken_over(**fields: Any) -> SimulModel:
    """The host has been gone long enough, and the stand-in plays."""
    model = dropped_out(**fields)
    model.do(c.TakeOver(by="deputy"))
    return model


def handed_over(**fields: Any) -> SimulModel:
    """The host is present and has let the stand-in play."""
    model = simul(**fields)
    model.do(c.HandOver(by="host"))
    model.do(c.TakeOver(by="deputy"))
    return model


def clocks(model: SimulModel) -> list[Any]:
    return [model.clock(board.number) for board in model.state.live_boards()]


class TestNaming:
    def test_before_the_start_and_while_it_runs(self) -> None:
        model = named(SimulModel(players=1))
        assert (model.state.stand_in, model.state.role_of("deputy")) == (STAND_IN, "stand_in")
        assert model.last("edited")["stand_in"]["name"] == "Deputy"
        model.do(c.Start(by="host"))
        named(model, None)
        assert (model.state.stand_in, model.last("edited")["stand_in"]) == (None, None)

    def test_the_two_are_told_their_part(self) -> None:
        model = SimulModel(players=1)
        named(model)
        assert model.told[-2:] == ["host", "deputy"]
        named(model, None)
        assert model.told[-1] == "deputy"

    def test_naming_the_same_again_changes_nothing(self) -> None:
        model = simul()
        stored = len(model.log)
        named(model)
        assert len(model.log) == stored

    @pytest.mark.parametrize(
        ("user", "error"),
        [(person(1), Conflict), (User("host", "Host", "member"), Conflict), (User("b", "Bot", "bot"), Forbidden)],
    )
    def test_not_the_host_a_player_or_a_bot(self, user: User, error: type[Refusal]) -> None:
        model = SimulModel(players=1, start=True)
        unchanged(model, c.Edit(by="host", draft=draft_of(model.state.setup), stand_in=user), error)

    @pytest.mark.parametrize(("field", "error"), [({"rated": True}, Forbidden), ({"delay_s": 60}, Conflict)])
    def test_not_in_rated_or_delayed_simuls(self, field: dict[str, Any], error: type[Refusal]) -> None:
        model = SimulModel(**field)
        unchanged(model, c.Edit(by="host", draft=draft_of(model.state.setup), stand_in=STAND_IN), error)

    def test_only_by_the_host(self) -> None:
        model = simul()
        unchanged(model, c.Edit(by="deputy", draft=draft_of(model.state.setup), stand_in=person(9)), Forbidden)

    def test_a_stand_in_cannot_join(self) -> None:
        model = named(SimulModel())
        unchanged(model, c.Join(user=STAND_IN), Forbidden, "stand-in")

    def test_a_stand_in_may_step_down_unless_they_play(self) -> None:
        model = simul()
        model.do(c.HandOver(by="host"))
        model.do(c.Leave(by="deputy"))
        assert (model.state.stand_in, model.state.is_offered) == (None, False)
        assert (model.last("away")["offered"], model.last("edited")["stand_in"]) == (False, None)
        unchanged(handed_over(), c.Leave(by="deputy"), Conflict, "plays for the host")

    @pytest.mark.parametrize("user", [STAND_IN, person(9), None])
    def test_other_nodes_show_the_same_snapshot(self, user: User | None) -> None:
        model = SimulModel(players=1)
        if user is not STAND_IN:
            named(model)
        replica = SimulReplica(model.feed.snapshot(None, 0))
        told = len(model.messages)
        named(model, user)
        for message in model.messages[told:]:
            replica.apply(message)
        fields = ("stand_in", "acting", "offered")
        snapshots = (replica.snapshot(), model.feed.snapshot(None, 0))
        mine, owners = ({name: body[name] for name in fields if name in body} for body in snapshots)  # type: ignore[literal-required]  # by name
        assert mine == owners
        assert bool(owners) is (user is not None)

    @pytest.mark.parametrize("user", [person(9), None])
    def test_an_offer_ends_with_the_stand_in(self, user: User | None) -> None:
        model = simul()
        model.do(c.HandOver(by="host"))
        named(model, user)
        assert (model.state.stand_in, model.state.is_offered) == (user, False)
        unchanged(model, c.TakeOver(by="deputy"), Forbidden)

    def test_an_older_version_may_have_made_it_rated(self) -> None:
        model = dropped_out()
        model.state.setup = msgspec.structs.replace(model.state.setup, rated=True)
        unchanged(model, c.TakeOver(by="deputy"), Forbidden, "rated")

    def test_an_older_version_may_have_given_them_a_board(self) -> None:
        model = dropped_out()
        model.state.stand_in = model.state.boards[0].person.user
        unchanged(model, c.TakeOver(by=model.state.stand_in.id), Conflict, "you have a board")


class TestTakeOver:
    def test_only_once_the_host_is_away(self) -> None:
        model = simul()
        unchanged(model, c.TakeOver(by="deputy"), Conflict, "hands over")
        model.leave()
        model.wait(AWAY_AFTER_MS - 1)
        unchanged(model, c.TakeOver(by="deputy"), Conflict, "hands over")
        model.wait(1)
        model.do(c.TakeOver(by="deputy"))
        assert model.state.acting_host == STAND_IN
        assert model.last("away")["acting"] is True

    def test_or_has_handed_over(self) -> None:
        model = simul()
        model.do(c.HandOver(by="host"))
        assert (model.last("away")["since"], model.last("away")["offered"]) == (None, True)
        assert model.state.acting_host.id == "host", "the stand-in has not agreed yet"
        model.do(c.GoTo(by="host", board=2))
        model.do(c.TakeOver(by="deputy"))
        assert (model.state.acting_host, model.state.is_offered) == (STAND_IN, False)
        assert (model.last("away")["acting"], model.last("away")["offered"]) == (True, False)

    def test_what_is_offered_may_be_withdrawn(self) -> None:
        model = simul()
        model.do(c.HandOver(by="host"))
        model.do(c.TakeOver(by="host"))
        assert model.last("away")["offered"] is False
        unchanged(model, c.TakeOver(by="deputy"), Conflict, "hands over")

    def test_an_offer_stands_while_the_host_is_away(self) -> None:
        model = simul()
        model.do(c.HandOver(by="host"))
        model.leave()
        model.wait(AWAY_AFTER_MS)
        model.come()
        assert (model.state.away_since, model.state.is_offered) == (None, True)
        model.do(c.TakeOver(by="deputy"))
        assert model.state.acting_host == STAND_IN

    def test_nobody_can_be_handed_to(self) -> None:
        unchanged(SimulModel(players=1, start=True), c.HandOver(by="host"), Conflict, "not named")
        unchanged(named(SimulModel(players=1)), c.HandOver(by="host"), Conflict, "created")

    @pytest.mark.parametrize("by", ["p1", "somebody"])
    def test_by_nobody_else(self, by: str) -> None:
        unchanged(dropped_out(), c.TakeOver(by=by), Forbidden)
        unchanged(dropped_out(), c.HandOver(by=by), Forbidden)

    @pytest.mark.parametrize(
        ("before", "again"),
        [
            (simul, c.HandOver(by="host")),
            (dropped_out, c.TakeOver(by="deputy")),
            (handed_over, c.HandOver(by="host")),
            (handed_over, c.TakeOver(by="host")),
            (handed_over, c.HandOver(by="deputy")),
        ],
    )
    def test_twice_is_once(self, before: Callable[[], SimulModel], again: c.SimulCommand) -> None:
        model = before()
        model.do(again)
        stored = len(model.log)
        with contextlib.suppress(Conflict):  # a stand-in who has given it back does not play any more
            model.do(again)
        assert len(model.log) == stored

    def test_the_clocks_run_again(self) -> None:
        model = dropped_out()
        assert model.clock(1)[3] == "host_away"
        model.do(c.TakeOver(by="deputy"))
        assert model.clock(1)[3] is None

    @pytest.mark.parametrize("mode", ["clock", "round"])
    def test_a_hand_over_changes_no_clock(self, mode: str) -> None:
        model = simul(mode=mode)
        model.wait(1_000)
        for command in (
            c.HandOver(by="host"),
            c.TakeOver(by="deputy"),
            c.HandOver(by="deputy"),
            c.HandOver(by="host"),
            c.TakeOver(by="deputy"),
            c.TakeOver(by="host"),
        ):
            before = clocks(model), model.state.host_ms, model.state.bonus_ms, model.state.at
            model.do(command)
            assert (clocks(model), model.state.host_ms, model.state.bonus_ms, model.state.at) == before

    @pytest.mark.parametrize("mode", ["clock", "round"])
    def test_in_a_break_the_clocks_stay_stopped(self, mode: str) -> None:
        model = simul(mode=mode)
        model.do(c.HandOver(by="host"))
        model.do(c.TakeBreak(by="host", until=model.now_ms + 600_000))
        before = clocks(model)
        model.do(c.TakeOver(by="deputy"))
        assert clocks(model) == before
        model.do(c.TakeOver(by="host"))
        assert clocks(model) == before

    def test_the_stand_in_plays_and_the_host_does_not(self) -> None:
        model = taken_over()
        model.do(c.GoTo(by="deputy", board=2))
        assert model.state.at == 2
        for command in (
            c.GoTo(by="host", board=1),
            c.GoOn(by="host"),
            c.Later(by="host", board=1),
            c.TakeBreak(by="host", until=NOW_MS + 10_000_000),
            c.Adjudicate(by="host", game=model.state.boards[0].game, result="1/2-1/2"),
            c.End(by="host"),
        ):
            unchanged(model, command, Conflict, "plays for you")

    def test_the_simul_stays_the_hosts(self) -> None:
        model = taken_over()
        for command in (c.End(by="deputy"), c.Invite(by="deputy", user=person(9)), c.Kick(by="deputy", user="p1")):
            unchanged(model, command, Forbidden)
        unchanged(model, c.Edit(by="host", draft=draft_of(model.state.setup), stand_in=None), Conflict)

    def test_before_that_the_stand_in_does_nothing(self) -> None:
        unchanged(simul(), c.GoTo(by="deputy", board=1), Conflict)
        unchanged(simul(), c.HandOver(by="deputy"), Conflict, "not taken over")

    def test_others_are_told_who_plays_for_the_host_or_may(self) -> None:
        model = simul()
        assert model.state.possible_hosts() == ["host"]
        model.do(c.HandOver(by="host"))
        assert model.state.possible_hosts() == ["host", "deputy"]
        model.do(c.TakeOver(by="host"))
        assert model.state.possible_hosts() == ["host"]


class TestReturn:
    @pytest.mark.parametrize("by", ["host", "deputy"])
    def test_the_host_plays_again_when_one_of_them_says_so(self, by: str) -> None:
        model = taken_over()
        model.come()
        model.wait(AWAY_AFTER_MS)
        assert model.state.acting_host == STAND_IN, "both are here"
        model.do(c.TakeOver(by="host") if by == "host" else c.HandOver(by="deputy"))
        assert (model.state.acting_host.id, model.state.away_since) == ("host", None)
        assert model.last("away")["acting"] is False

    def test_it_cannot_be_given_back_to_a_host_who_is_gone(self) -> None:
        unchanged(taken_over(), c.HandOver(by="deputy"), Conflict, "not connected")

    @pytest.mark.parametrize("start", [taken_over, handed_over])
    def test_a_stand_in_who_drops_out_is_replaced_by_a_host_who_is_here(self, start: Callable[[], SimulModel]) -> None:
        model = start()
        model.come()
        presence(model, "deputy", here=False)
        model.wait(AWAY_AFTER_MS - 1)
        assert model.state.acting_host == STAND_IN
        model.wait(1)
        assert (model.state.acting_host.id, model.state.away_since) == ("host", None)

    @pytest.mark.parametrize("start", [taken_over, handed_over])
    def test_both_gone_the_simul_is_away_until_the_host_is_back(self, start: Callable[[], SimulModel]) -> None:
        model = start()
        model.leave()
        presence(model, "deputy", here=False)
        model.wait(AWAY_AFTER_MS)
        assert model.state.away_since is not None
        assert model.clock(1)[3] == "host_away"
        model.come()
        assert (model.state.acting_host.id, model.state.stop, model.clock(1)[3]) == ("host", None, None)

    def test_a_stand_in_who_comes_back_goes_on(self) -> None:
        model = taken_over()
        presence(model, "deputy", here=False)
        model.wait(AWAY_AFTER_MS)
        presence(model, "deputy", here=True)
        assert (model.state.acting_host, model.state.away_since) == (STAND_IN, None)

    def test_a_break_stays_a_break(self) -> None:
        model = taken_over()
        model.do(c.TakeBreak(by="deputy", until=model.now_ms + 600_000))
        model.come()
        model.do(c.TakeOver(by="host"))
        assert (model.state.acting_host.id, model.clock(1)[3]) == ("host", "break")

    @pytest.mark.parametrize("mode", ["clock", "round"])
    def test_a_crash_keeps_who_plays(self, mode: str) -> None:
        model = simul(mode=mode)
        model.do(c.HandOver(by="host"))
        model.restart()
        assert (model.state.acting_host.id, model.state.is_offered) == ("host", True)
        model.do(c.TakeOver(by="deputy"))
        model.restart()
        assert (model.state.acting_host, model.state.is_offered) == (STAND_IN, False)

    def test_nobody_stands_in_at_the_end(self) -> None:
        model = handed_over()
        replica = SimulReplica(model.feed.snapshot(None, 0))
        told = len(model.messages)
        for board in list(model.state.live_boards()):
            model.do(c.Adjudicate(by="deputy", game=board.game, result="1/2-1/2"))
        for message in model.messages[told:]:
            replica.apply(message)
        assert (model.state.status, model.state.is_stand_in_acting) == ("finished", False)
        assert model.last("finished")["acting"] is False
        assert (replica.acting_stand_in(), replica["acting"], replica["offered"]) == (None, False, False)
