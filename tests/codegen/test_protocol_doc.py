"""docs/protocol.md against the code: its generated tables, and every message, field and address."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, get_args, get_type_hints, is_typeddict

import pytest

from codegen.markdown import format_table, splice
from codegen.protocol_doc import DOCUMENT, sections
from game_core.events import ClockReading, ClockSet, Ended, Moved, Offered, TakenBack
from game_core.game import Setup
from game_core.start import new_game
from game_core.time_control import parse_time_control
from realtime.http.app import OPERATIONS
from realtime.protocol.limits import SETTABLE
from realtime.protocol.requests import REQUESTS
from realtime.protocol.simul_requests import SIMUL_REQUESTS
from realtime.protocol.wire_game import clock_body, event_body, snapshot_body
from simul import wire, wire_events, wire_lists
from simul.wire_events import SimulEventWire, SimulHintWire
from tests.integration.traffic import Traffic

if TYPE_CHECKING:
    from game_core.events import AnyEvent

ROOT = Path(__file__).parents[2]
TEXT = DOCUMENT.read_text(encoding="utf-8")


def is_told(name: str) -> bool:
    return re.search(rf"[`{{,\"]{re.escape(name)}[`}},\"]", TEXT) is not None


def test_generated_sections_are_up_to_date() -> None:
    assert splice(TEXT, sections()) == TEXT, "run `make docs`"


def test_every_request_has_a_heading() -> None:
    others = REQUESTS.keys() - SIMUL_REQUESTS.keys()
    assert [name for name in others if not re.search(rf"^###+ `{re.escape(name)}`$", TEXT, re.MULTILINE)] == []


def test_every_simul_request_is_in_a_table() -> None:
    told = TEXT[TEXT.index("### Requests for simuls") : TEXT.index("## Chat")]
    asked = [(name, field) for name, request in SIMUL_REQUESTS.items() for field in request.__struct_fields__]
    assert [name for name in SIMUL_REQUESTS if f"`{name}`" not in told] == []
    assert {field for _, field in asked if field not in ("id", "key") and f"`{field}`" not in told} == set()


def test_every_message_is_documented() -> None:
    sources = [file for package in ("lobby", "simul", "realtime") for file in (ROOT / package).rglob("*.py")]
    sent = {kind for file in sources for kind in re.findall(r'"t": "([a-z_.]+)"', file.read_text(encoding="utf-8"))}
    assert {"welcome", "lobby.add", "paired", "game", "move", "tick"} <= sent
    assert {kind for kind in sent if not is_told(kind)} == set()


def test_every_field_of_a_game_is_documented() -> None:
    tc = parse_time_control({"base_s": 60, "delay_s": 2})
    setup = Setup(id="game1", tc=tc, black_tc=parse_time_control({"base_s": 30}))
    game = new_game(setup, 0)
    reading = ClockReading(w=1, b=1, run="w", period=(0, 0), moves=(0, 0), held="pause")
    events: list[AnyEvent] = [
        Moved(ply=0, by="w", move="e2e4", san="e4", position="", draw=True),
        Offered(what="rematch", do="accept", by="w", next="game2"),
        TakenBack(plies=1, position=""),
        ClockSet(clock=reading, why="pause"),
        Ended(result="*", reason="aborted"),
    ]
    clock = clock_body(setup, reading, 0)
    assert clock is not None
    shown = {*clock, *snapshot_body(game, {}, 0, 0), *(field for e in events for field in event_body(game, e, 1, 0))}
    assert {field for field in shown if not is_told(field)} == set()


def test_every_field_of_a_simul_is_documented() -> None:
    kinds = [kind for module in (wire, wire_events, wire_lists) for kind in vars(module).values() if is_typeddict(kind)]
    shown = {field for kind in kinds for field in kind.__annotations__}
    assert {"host_clock", "terms", "points"} <= shown
    assert {field for field in shown if not is_told(field)} == set()


def test_every_http_operation_is_documented() -> None:
    names = [operation.name for operation in OPERATIONS]
    assert [name for name in names if not re.search(rf"`{re.escape(name)}[`? ]", TEXT)] == []


def test_every_limit_of_welcome_is_documented() -> None:
    assert {name for name in SETTABLE if not is_told(name)} == set()


class TestParts:
    def test_splice_replaces_generated_sections_only(self) -> None:
        text = "a\n<!-- written by the code: x -->\nold\n<!-- end -->\nb\n"
        assert splice(text, {"x": "new\n"}) == text.replace("old", "new")

    @pytest.mark.parametrize("names", [set(), {"x", "y"}])
    def test_missing_or_unknown_section_is_an_error(self, names: set[str]) -> None:
        with pytest.raises(ValueError, match="missing"):
            splice("<!-- written by the code: x -->\n<!-- end -->\n", dict.fromkeys(names, ""))

    def test_bar_in_a_table_cell_is_escaped(self) -> None:
        assert format_table(("a",), [("x|y",)]) == "| a |\n| --- |\n| x\\|y |\n"


def test_examples_are_valid_and_cover_every_simul_message() -> None:
    blocks = re.findall(r"^```json\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    messages = [json.loads(line) for block in blocks for line in block.splitlines()]
    traffic = Traffic()
    for message in messages:
        is_request = "id" in message
        (traffic.ask if is_request else traffic.hear)(message)
    assert traffic.faults == {}
    told = {message["t"] for message in messages if "id" not in message}
    every = {get_args(get_type_hints(one)["t"])[0] for one in (*get_args(SimulEventWire), *get_args(SimulHintWire))}
    assert every - told == set()
    assert set(SIMUL_REQUESTS) <= {message["t"] for message in messages if "id" in message}
