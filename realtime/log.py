"""Structured logs on stderr: one line an event, as text for people or JSON for programs.

Fields are given with ``extra={"game": ..., "user": ...}``. Tokens, keys and passwords never are.
"""

from __future__ import annotations

import json
import logging
import sys
import traceback
from typing import Literal

Format = Literal["text", "json"]

_STANDARD = frozenset(vars(logging.LogRecord("", 0, "", 0, "", (), None))) | {
    "message",
    "asctime",
    "taskName",
    "color_message",
}
"""What every record has, and uvicorn's coloured copy of its message; the rest are the fields of this one."""


def set_up(log_format: Format, level: str = "info") -> None:
    """Log to stderr in ``log_format`` from ``level`` up. Called once, by the command line."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter() if log_format == "json" else TextFormatter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for noisy in ("asyncio", "websockets", "uvicorn.access"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
    # Its warning is a trace at every try to reconnect; whoever needs the connection says the same in one line.
    logging.getLogger("asyncpg.pool").setLevel(logging.ERROR)


def _fields(record: logging.LogRecord) -> dict[str, object]:
    return {name: value for name, value in vars(record).items() if name not in _STANDARD}


class TextFormatter(logging.Formatter):
    """``12:00:00.123 info realtime.journal: batch written rows=3``"""

    def format(self, record: logging.LogRecord) -> str:
        time = self.formatTime(record, "%H:%M:%S")
        line = f"{time}.{int(record.msecs):03d} {record.levelname.lower()} {record.name}: {record.getMessage()}"
        fields = "".join(f" {name}={value}" for name, value in _fields(record).items())
        if record.exc_info and record.exc_info[0] is not None:
            return f"{line}{fields}\n{''.join(traceback.format_exception(*record.exc_info)).rstrip()}"
        return line + fields


class JsonFormatter(logging.Formatter):
    """One JSON object a line: ``at`` (Unix s), ``level``, ``logger``, ``message``, fields, ``traceback``."""

    def format(self, record: logging.LogRecord) -> str:
        body: dict[str, object] = {
            "at": round(record.created, 3),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **_fields(record),
        }
        if record.exc_info and record.exc_info[0] is not None:
            body["traceback"] = "".join(traceback.format_exception(*record.exc_info))
        return json.dumps(body, default=str, ensure_ascii=False)
