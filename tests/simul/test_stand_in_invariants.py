"""Who acts for the host, whatever the two do and whenever they drop out: never both."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from game_core.errors import Refusal
from simul import commands as c
from simul.replica import SimulReplica
from tests.simul.test_stand_in import named, presence, simul

if TYPE_CHECKING:
    from simul.state import Simul
    from tests.simul.simul_model import SimulModel

ACTS = st.sampled_from(
    ["host comes", "host goes", "deputy comes", "deputy goes", "host takes", "deputy takes", "host hands",
     "deputy hands", "deputy leaves", "host names", "restart", "break", "unbreak", "host moves on", "deputy moves on"]
)  # fmt: skip


@settings(deadline=None)
@given(st.sampled_from(["clock", "round"]), st.lists(st.tuples(ACTS, st.sampled_from([0, 5_000, 61_000])), max_size=25))
def test_never_two_act_for_the_host(mode: str, acts: list[tuple[str, int]]) -> None:
    model = simul(mode=mode)
    replica = SimulReplica(model.feed.snapshot(None, 0))
    told = len(model.messages)
    for act, ms in acts:
        before = model.state.acting_host.id, model.state.may_take_over
        with contextlib.suppress(Refusal):
            _do(model, act)
        _check(model.state, act, *before)
        if act == "restart":
            replica, told = SimulReplica(model.feed.snapshot(None, 0)), len(model.messages)
        model.wait(ms)
        for message in model.messages[told:]:
            replica.apply(message)
        told = len(model.messages)
        state = model.state
        assert replica.acting_stand_in() == ("deputy" if state.is_stand_in_acting else None)
        assert replica["away_since"] == state.away_since
        assert replica.snapshot().get("offered", False) == state.is_offered
        # Nobody waits for a person who is not there while another one could play.
        if state.is_running and state.away_since is not None:
            assert state.host_gone_since is not None


def _do(model: SimulModel, act: str) -> None:
    who, _, what = act.partition(" ")
    if what in ("comes", "goes"):
        presence(model, who, here=what == "comes")
    elif what == "takes":
        model.do(c.TakeOver(by=who))
    elif what == "hands":
        model.do(c.HandOver(by=who))
    elif what == "leaves":
        model.do(c.Leave(by=who))
    elif what == "names":
        named(model)
    elif what == "moves on":
        before = model.state.acting_host.id
        model.do(c.GoOn(by=who))
        assert who == before, "only the acting host goes from board to board"
    elif act == "restart":
        model.restart()
    else:
        until = model.now_ms + 20_000 if act == "break" else None
        model.do(c.TakeBreak(by=model.state.acting_host.id, until=until))


def _check(state: Simul, act: str, before: str, might: bool) -> None:
    assert state.acting_host.id in ("host", "deputy")
    assert "deputy" not in state.seats
    assert not (state.is_offered and state.is_stand_in_acting)
    assert state.stand_in is not None or not (state.is_offered or state.is_stand_in_acting)
    if state.acting_host.id != before:
        # The stand-in acts only by their own request and if the host is away or has agreed; the host, if connected.
        if state.acting_host.id == "deputy":
            assert act == "deputy takes"
            assert might
        else:
            assert state.host_gone_since is None or act == "host takes"
