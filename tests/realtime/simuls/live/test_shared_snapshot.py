"""Shared snapshot of a simul: encoded once, with each viewer's own part; size for a thousand boards."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from realtime.protocol.codec import decode_msgpack
from realtime.simuls.live.shared_snapshot import EncodedSnapshots
from simul import commands as c
from simul.draft import LateJoin
from simul.view import own_wire
from tests.simul.simul_model import SimulModel


def decoded(codec: str, payload: bytes) -> Any:
    return msgspec.msgpack.decode(payload) if codec == "msgpack" else json.loads(payload)


@pytest.mark.parametrize("codec", ["msgpack", "json"])
@pytest.mark.parametrize("viewer", ["host", "p1", "p3", None])
def test_encoded_snapshot_equals_snapshot_of_viewer(codec: str, viewer: str | None) -> None:
    actor = SimulModel(players=2, start=True, mode="round", late_join=LateJoin(move=5))
    actor.do(c.Arrange(by="host", board=1, note="plays the Dutch"))
    actor.move(1)
    actor.do(c.Prepare(by="p1", game="game1", ply=1, move="e7e5"))
    shown = EncodedSnapshots(actor.feed)
    for _ in range(2):
        payload = shown.payload(codec, own_wire(actor.state, viewer), 7)
        plain = json.loads(json.dumps(actor.feed.snapshot(viewer, 7)))
        assert json.loads(json.dumps(decoded(codec, payload))) == plain
        if codec == "msgpack":
            assert decode_msgpack(payload)["t"] == "simul"
        actor.move(actor.state.at or 0)


def test_snapshot_is_encoded_once_between_two_events() -> None:
    actor = SimulModel(players=2, start=True)
    shown = EncodedSnapshots(actor.feed)
    first = decoded("json", shown.payload("json", own_wire(actor.state, None), 1))
    assert decoded("json", shown.payload("json", own_wire(actor.state, None), 2))["watchers"] == first["watchers"] == 1
    actor.move(1)
    assert decoded("json", shown.payload("json", own_wire(actor.state, None), 2))["watchers"] == 2


@pytest.mark.parametrize("mode", ["clock", "round"])
def test_snapshot_of_a_thousand_boards_is_below_400_kb(mode: str) -> None:
    actor = SimulModel(players=1000, start=True, mode=mode, max_boards=1000)
    for number in range(1, 1001):
        actor.move(number)
        if mode == "clock":
            actor.move(number)
    shown = EncodedSnapshots(actor.feed)
    for viewer in ("host", "p500", None):
        assert len(shown.payload("msgpack", own_wire(actor.state, viewer), 1000)) < 400_000
    assert len(shown.payload("json", own_wire(actor.state, "host"), 1000)) < 400_000
