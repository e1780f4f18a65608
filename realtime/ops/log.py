"""Structured logs on stderr: one line an event, as text for people or JSON for programs.

Fields are given with ``extra={"game": ..., "user": ...}``. Tokens, keys and passwords are never logged. Every line
names the process (``name_process``) and the request that is being served (``REQUEST``), if there is one.
"""

from __future__ import annotations

import json
import logging
import sys
import traceback
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Literal

Format = Literal["text", "json"]

REQUEST: ContextVar[str] = ContextVar("request")
"""The request served in this context: the type of a message, or the method and path of an HTTP request."""

_process: dict[str, object] = {}

_STANDARD = frozenset(vars(logging.LogRecord("", 0, "", 0, "", (), None))) | {
    "message",
    "asctime",
    "taskName",
    "color_message",
}
"""Standard attributes of a record, and uvicorn's coloured copy of the message; all others are fields."""


def set_up(log_format: Format, level: str = "info") -> None:
    """Set up logging to stderr in ``log_format`` from ``level`` up. Called once, by the command line."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter() if log_format == "json" else TextFormatter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for noisy in ("asyncio", "websockets", "uvicorn.access"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
    # It logs a traceback at every attempt to reconnect; whoever needs the connection logs the same in one line.
    logging.getLogger("asyncpg.pool").setLevel(logging.ERROR)


def name_process(**fields: object) -> None:
    """Add fields to every line of this process: ``node``, and ``worker`` of several on one machine."""
    _process.update(fields)


def _fields(record: logging.LogRecord) -> dict[str, object]:
    request = REQUEST.get(None)
    return {
        **_process,
        **({} if request is None else {"request": request}),
        **{name: value for name, value in vars(record).items() if name not in _STANDARD},
    }


def _time(record: logging.LogRecord) -> str:
    """Return the time in RFC 3339, UTC, with milliseconds."""
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class TextFormatter(logging.Formatter):
    """``2026-11-24T12:00:00.123Z info realtime.journal.journal: batch written node=a3k9 rows=3``"""

    def format(self, record: logging.LogRecord) -> str:
        line = f"{_time(record)} {record.levelname.lower()} {record.name}: {record.getMessage()}"
        fields = "".join(f" {name}={value}" for name, value in _fields(record).items())
        if record.exc_info and record.exc_info[0] is not None:
            return f"{line}{fields}\n{''.join(traceback.format_exception(*record.exc_info)).rstrip()}"
        return line + fields


class JsonFormatter(logging.Formatter):
    """One JSON object a line: ``at`` (RFC 3339), ``level``, ``logger``, ``message``, fields, ``traceback``."""

    def format(self, record: logging.LogRecord) -> str:
        body: dict[str, object] = {
            "at": _time(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **_fields(record),
        }
        if record.exc_info and record.exc_info[0] is not None:
            body["traceback"] = "".join(traceback.format_exception(*record.exc_info))
        return json.dumps(body, default=str, ensure_ascii=False)
