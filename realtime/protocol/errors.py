"""Errors of the server, as one tree. Refusals of requests are in ``lobby.errors``.

HandshakeRefused         a ``Refusal`` to upgrade, with its HTTP status
RealtimeError
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

from typing import TYPE_CHECKING

from game_core.errors import Refusal

if TYPE_CHECKING:
    from game_core.errors import ErrorCode
    from realtime.protocol.wire_types import ErrorMessageWire


def error_message(error: Refusal, request_id: int | None = None) -> ErrorMessageWire:
    """Return the message that answers a request with ``error``."""
    body: ErrorMessageWire = {"t": "error", "code": error.code, "message": error.message}
    if request_id is not None:
        body["id"] = request_id
    return body


class RealtimeError(Exception):
    """Base of everything this package raises on purpose."""


class HandshakeRefused(Refusal):
    """An upgrade that is not made.

    Attributes:
        status: the HTTP status of the answer.
    """

    def __init__(self, status: int, code: ErrorCode, message: str) -> None:
        super().__init__(code, message)
        self.status = status


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
