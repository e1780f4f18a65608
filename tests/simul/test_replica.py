"""Replica of a simul, also from a leader of the previous version."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import msgspec
import pytest

from simul import commands as c
from simul.draft import LateJoin
from simul.replica import SimulReplica
from tests.simul.simul_model import SimulModel, person

if TYPE_CHECKING:
    from simul.wire_events import SimulEventWire

TOLD_SINCE = {
    "simul.started": ("status", "players", "applicants", "order", "score"),
    "simul.board": ("score",),
    "simul.finished": ("status", "break_until", "away_since"),
    "simul.cancelled": ("status", "applicants", "players"),
}
"""What the version before did not tell: of boards the score at the start of a new one."""


@pytest.mark.parametrize("mode", ["clock", "round"])
def test_replica_fills_in_fields_that_an_older_leader_omits(mode: str) -> None:
    model = SimulModel(players=3, mode=mode, late_join=LateJoin(minutes=5))
    shown = SimulReplica(msgspec.json.decode(msgspec.json.encode(model.feed.snapshot(None, 0))))
    known = len(model.messages)
    model.do(c.Start(by="host"))
    model.do(c.Join(user=person(4)))
    model.do(c.End(by="host", rest="draw"))
    for message in model.messages[known:]:
        body = msgspec.json.decode(msgspec.json.encode(message))
        if not (body["t"] == "simul.board" and body.get("status") == "over"):
            for field in TOLD_SINCE.get(body["t"], ()):
                body.pop(field, None)
        shown.apply(cast("SimulEventWire", shown.completed(body)))
    last = model.feed.snapshot(None, 0)
    assert {name: value for name, value in shown.snapshot().items() if name in last} == last
