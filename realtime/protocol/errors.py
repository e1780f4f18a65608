"""What the server refuses or cannot do, as one tree.

RealtimeError
├── WireError            a request that gets ``{"t":"error"}`` with this code and message
│   └── BadMessage       ``bad_message``: not a payload, or not a request, of the protocol
├── BadLimits            a ``--limit`` setting that cannot be read
├── BadSetting           an option or argument of the command that cannot be used
├── BadPage              the built page is not one that the server can fill
└── DatabaseError        storage cannot do what was asked
    ├── EmbeddedError    the embedded PostgreSQL cannot be started
    │   └── AlreadyRunning   another server has its directory
    ├── MigrationError   the migrations of the database are not those of this program
    ├── BackupError      no backup could be made or restored
    └── Overloaded       the journal's queue is full; the request gets ``unavailable``
"""

from __future__ import annotations

from typing import Literal

ErrorCode = Literal[
    "bad_message",
    "unknown_type",
    "unauthenticated",
    "bad_credentials",
    "name_taken",
    "not_found",
    "forbidden",
    "conflict",
    "game_over",
    "stale_ply",
    "not_your_turn",
    "illegal_move",
    "rate_limited",
    "unavailable",
]
"""All error codes of the protocol."""


class RealtimeError(Exception):
    """Base of everything this package raises on purpose."""


class WireError(RealtimeError):
    """A request that is answered with an error.

    Attributes:
        code: the error code of the protocol.
        message: what was wrong and what would be right, for the client's developer.
    """

    def __init__(self, code: ErrorCode, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class BadMessage(WireError):
    """A payload that cannot be decoded, is not a map, or lacks required fields."""

    def __init__(self, message: str) -> None:
        super().__init__("bad_message", message)


class HandshakeRefused(RealtimeError):
    """A refused websocket handshake.

    Attributes:
        status: the HTTP status of the answer.
        code: the error code in its body (``unauthenticated``, ``forbidden``, ``not_found``, ``rate_limited``, ...).
        message: what was wrong and what would be right.
    """

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message


class BadLimits(RealtimeError):
    """An unknown limit, or a value that is not a positive number."""


class BadSetting(RealtimeError, ValueError):
    """An invalid option, argument or environment variable; the message names it."""


class BadPage(RealtimeError):
    """``index.html`` lacks what the server's template needs; build the page again."""


class DatabaseError(RealtimeError):
    """Storage cannot do what was asked."""


class EmbeddedError(DatabaseError):
    """The embedded PostgreSQL cannot be started; the message says why and what to do."""


class AlreadyRunning(EmbeddedError):
    """Another server runs the embedded PostgreSQL of this directory."""


class MigrationError(DatabaseError):
    """The migrations of the database differ from those of this program."""


class BackupError(DatabaseError):
    """A backup could not be made or restored; the message says why and what to do."""


class Overloaded(DatabaseError):
    """The journal's queue is full."""
