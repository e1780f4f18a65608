"""What the lobby refuses or cannot do, as one tree; each error carries its wire code.

LobbyError
├── BadProposal      ``bad_message``: a field of a request is wrong; the text names it
├── BadLine          ``bad_message``: a line of chat that cannot be shown
├── BadPreferences   ``bad_message``: settings that cannot be kept
├── BadField         ``bad_message``: a field of a form about an account; ``field`` names it
│   └── WrongPassword    the password that an account's owner has to give once more
├── BadCredentials   ``bad_credentials``: no such name, or not its password
├── NameTaken        ``name_taken``: somebody has that name, or one that looks like it
├── Forbidden        ``forbidden``: not for this person
├── NotFound         ``not_found``: there never was, or no longer is, such a thing
├── Conflict         ``conflict``: somebody was faster, or there are too many already
├── TooFast          ``rate_limited``: more than one person may do in that time
├── MailFailed       ``unavailable``: a mail could not be handed over
└── Unavailable      ``unavailable``: not built yet, or the database does not answer
"""

from __future__ import annotations

import math
from typing import ClassVar, Literal

LobbyCode = Literal[
    "bad_message",
    "bad_credentials",
    "name_taken",
    "forbidden",
    "not_found",
    "conflict",
    "rate_limited",
    "unavailable",
]
"""The error codes of the protocol that the lobby gives."""


class LobbyError(Exception):
    """Base of everything the lobby raises on purpose.

    Attributes:
        code: the error code of the protocol.
        message: what was wrong and what would be right.
    """

    code: ClassVar[LobbyCode]

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class BadProposal(LobbyError):
    """A request that cannot be granted. The message begins with the name of the field."""

    code = "bad_message"


class BadLine(LobbyError):
    """A line of chat that is empty or too long."""

    code = "bad_message"


class BadPreferences(LobbyError):
    """Preferences that are too large or not a flat object."""

    code = "bad_message"


class BadField(LobbyError):
    """An invalid form field.

    Attributes:
        field: its name.
    """

    code = "bad_message"

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.field = field


class WrongPassword(BadField):
    """The password of the session's owner is wrong."""


class BadCredentials(LobbyError):
    """Unknown name or wrong password. The message does not say which."""

    code = "bad_credentials"


class NameTaken(LobbyError):
    """The name, or one that looks like it, is taken."""

    code = "name_taken"


class Forbidden(LobbyError):
    """The requester lacks the right to do this."""

    code = "forbidden"


class NotFound(LobbyError):
    """No such seek, challenge or person."""

    code = "not_found"


class Conflict(LobbyError):
    """The thing asked for is taken, closed or used up."""

    code = "conflict"


class TooFast(LobbyError):
    """A rate limit was exceeded.

    Attributes:
        retry_after_s: when to retry; 1 if unknown.
    """

    code = "rate_limited"

    def __init__(self, message: str, retry_after_s: float = 1) -> None:
        super().__init__(message)
        self.retry_after_s = max(1, math.ceil(retry_after_s))


class MailFailed(LobbyError):
    """The mail server is unreachable or refused the mail. The message names no person."""

    code = "unavailable"


class Unavailable(LobbyError):
    """The request failed, as far as is known without effect. It may be repeated with the same ``key``."""

    code = "unavailable"
