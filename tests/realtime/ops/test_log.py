"""Log lines: time, node, worker and request."""

from __future__ import annotations

import json
import logging
import re
from contextvars import copy_context

import pytest

from realtime.ops import log
from realtime.ops.log import REQUEST, JsonFormatter, TextFormatter, name_process

AT = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"


@pytest.fixture(autouse=True)
def process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log, "_process", {})


def line(formatter: logging.Formatter, text: str = "a batch of %d", **extra: object) -> str:
    record = logging.getLogger("realtime.journal.journal").makeRecord(
        "realtime.journal.journal", logging.WARNING, "realtime/journal/journal.py", 1, text, (3,), None, extra=extra
    )
    record.created = 1_795_486_734.6875
    return formatter.format(record)


def test_json_line_has_node_worker_and_request() -> None:
    name_process(worker=2)
    name_process(node="a3k9")
    context = copy_context()
    context.run(REQUEST.set, "move")
    assert json.loads(context.run(line, JsonFormatter(), game="g1")) == {
        "at": "2026-11-24T02:18:54.687Z",
        "level": "warning",
        "logger": "realtime.journal.journal",
        "message": "a batch of 3",
        "worker": 2,
        "node": "a3k9",
        "request": "move",
        "game": "g1",
    }


def test_json_line_without_request_has_no_request_field() -> None:
    assert "request" not in json.loads(line(JsonFormatter()))


def test_text_line_has_the_same_fields() -> None:
    name_process(node="a3k9")
    found = line(TextFormatter(), game="g1")
    assert re.fullmatch(rf"{AT} warning realtime\.journal\.journal: a batch of 3 node=a3k9 game=g1", found)


def test_traceback_follows_the_line() -> None:
    error = ValueError("why")
    record = logging.LogRecord("x", logging.ERROR, "x.py", 1, "failed", (), (ValueError, error, None))
    assert json.loads(JsonFormatter().format(record))["traceback"].endswith("ValueError: why\n")
    assert TextFormatter().format(record).endswith("ValueError: why")
