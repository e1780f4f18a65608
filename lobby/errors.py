"""What the lobby, simuls and the server refuse: a class for each code of the protocol, shared by all of them.

Refusal                  (``game_core.errors``)
├── BadMessage           ``bad_message``: what was sent cannot be read or granted; the text begins with the field
│   └── BadField             a field of a form about an account; ``field`` names it
│       └── WrongPassword        the password that an account's owner has to give once more
├── Unauthenticated      ``unauthenticated``: it needs a session
├── BadCredentials       ``bad_credentials``: no such name, or not its password
├── NameTaken            ``name_taken``: another user has that name, or one that looks like it
├── NotFound             ``not_found``: there never was, or no longer is, such a thing
├── Forbidden            ``forbidden``: others may do this, the caller may not
├── Conflict             ``conflict``: taken, closed, too many, too early, too late, or done already
├── GameOver             ``game_over``: the game at the board has ended
├── StalePly             ``stale_ply``: the move is for another position than the one on the board
├── NotYourTurn          ``not_your_turn``: at the board the other side is to move
├── Unsupported          ``unsupported``: the client has not said that it knows what this needs
├── RateLimited          ``rate_limited``: more than one may do in that time
└── Unavailable          ``unavailable``: not built yet, or the database or another node does not answer
    └── MailFailed           a mail could not be handed over

``illegal_move`` is the core's (``Refused``), ``unknown_type`` the decoder's.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from game_core.errors import Refusal

if TYPE_CHECKING:
    from game_core.errors import ErrorCode


class CodedRefusal(Refusal):
    """A refusal whose class has the code."""

    def __init__(self, message: str) -> None:
        super().__init__(self.code, message)


class BadMessage(CodedRefusal):
    """What was sent cannot be decoded, or nobody could grant it; the text begins with the name of the field."""

    code = "bad_message"


class BadField(BadMessage):
    """An invalid form field.

    Attributes:
        field: its name.
    """

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.field = field


class WrongPassword(BadField):
    """The password of the session's owner is wrong."""


class Unauthenticated(CodedRefusal):
    """The request needs a session."""

    code = "unauthenticated"


class BadCredentials(CodedRefusal):
    """Unknown name or wrong password. The message does not say which."""

    code = "bad_credentials"


class NameTaken(CodedRefusal):
    """The name, or one that looks like it, is taken."""

    code = "name_taken"


class NotFound(CodedRefusal):
    """No such game, person, seek, challenge, simul or board."""

    code = "not_found"


class Forbidden(CodedRefusal):
    """The requester lacks the right to do this."""

    code = "forbidden"


class Conflict(CodedRefusal):
    """It does not fit the moment: what was asked for is taken, closed, used up or done already."""

    code = "conflict"


class GameOver(CodedRefusal):
    """The board's game has ended."""

    code = "game_over"


class StalePly(CodedRefusal):
    """A move for a position that is not on the board."""

    code = "stale_ply"


class NotYourTurn(CodedRefusal):
    """The other side is to move."""

    code = "not_your_turn"


class Unsupported(CodedRefusal):
    """The client does not know what the game needs of it."""

    code = "unsupported"


class RateLimited(CodedRefusal):
    """The same is welcome a little later.

    Attributes:
        retry_after_s: when to retry; 1 if unknown.
    """

    code = "rate_limited"

    def __init__(self, message: str, retry_after_s: float = 1) -> None:
        super().__init__(message)
        self.retry_after_s = max(1, math.ceil(retry_after_s))


class Unavailable(CodedRefusal):
    """The request failed, as far as is known without effect. It may be repeated with the same ``key``."""

    code = "unavailable"


class MailFailed(Unavailable):
    """The mail server is unreachable or refused the mail. The message names no person."""


KINDS: dict[ErrorCode, type[CodedRefusal]] = {kind.code: kind for kind in CodedRefusal.__subclasses__()}


def refusal_of(code: ErrorCode, message: str) -> Refusal:
    """Return the refusal of ``code``, which the core or another node has given."""
    kind = KINDS.get(code)
    return Refusal(code, message) if kind is None else kind(message)
