"""Errors of a demonstration.

RealtimeError
└── DemoFailed       it cannot begin or continue; the message says why, and what would help
    └── RequestRefused   the server has refused a request
"""

from __future__ import annotations

from realtime.protocol.errors import RealtimeError


class DemoFailed(RealtimeError):
    """The demonstration cannot begin or continue."""


class RequestRefused(DemoFailed):
    """An ``error`` of the protocol.

    Attributes:
        code: as in the protocol.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
