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
    """A request that nobody could grant; the text begins with the name of the field."""

    code = "bad_message"


class BadLine(LobbyError):
    """A line of chat that is empty or too long."""

    code = "bad_message"


class BadPreferences(LobbyError):
    """Settings that are too large or no flat object."""

    code = "bad_message"


class BadField(LobbyError):
    """A field of a form that cannot be taken.

    Attributes:
        field: its name.
    """

    code = "bad_message"

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.field = field


class WrongPassword(BadField):
    """It is not the password of the one who has the session."""


class BadCredentials(LobbyError):
    """Nobody of that name has that password. Which of the two is wrong is not told."""

    code = "bad_credentials"


class NameTaken(LobbyError):
    """Somebody has that name, or one that could be mistaken for it."""

    code = "name_taken"


class Forbidden(LobbyError):
    """Somebody else may do this, the one who asks may not."""

    code = "forbidden"


class NotFound(LobbyError):
    """No such seek, challenge or person."""

    code = "not_found"


class Conflict(LobbyError):
    """What was asked for is taken, closed or used up."""

    code = "conflict"


class TooFast(LobbyError):
    """The same is welcome a little later.

    Attributes:
        retry_after_s: in how many seconds, where that is known; else a second.
    """

    code = "rate_limited"

    def __init__(self, message: str, retry_after_s: float = 1) -> None:
        super().__init__(message)
        self.retry_after_s = max(1, math.ceil(retry_after_s))


class MailFailed(LobbyError):
    """The mail server is away, or does not take the mail; the text says which, and names nobody."""

    code = "unavailable"


class Unavailable(LobbyError):
    """Nothing was changed as far as is known; the same request with the same ``key`` may be sent again."""

    code = "unavailable"
