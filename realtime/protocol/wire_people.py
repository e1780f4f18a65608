"""Wire types of accounts, sessions and tokens over HTTP, as in docs/protocol.md."""

from __future__ import annotations

from typing import Literal, TypedDict

from lobby.accounts.scopes import Scope
from lobby.accounts.user import Role
from lobby.wire.lobby import UserWire
from lobby.wire.moderation import BanWire
from lobby.wire.ratings import RatingWire


class GuestWire(TypedDict):
    """``POST /api/v1/guest``."""

    token: str
    user: UserWire


class LoginWire(TypedDict):
    """``POST /api/v1/signup``, ``/login`` and ``/reset``."""

    token: str
    user: UserWire


class MeWire(TypedDict):
    """``GET /api/v1/me``."""

    user: UserWire
    roles: list[Role]
    scopes: list[Scope]
    ratings: dict[str, RatingWire]
    ban: BanWire | None


class SessionWire(TypedDict):
    """A session of the account."""

    id: str
    current: bool
    created: int
    used: int
    agent: str | None


class TokenWire(TypedDict):
    """An API token, without the token."""

    id: str
    label: str
    scopes: list[Scope]
    created: int
    expires: int
    used: int | None


class NewTokenWire(TokenWire):
    """``POST /api/v1/account/tokens``: the only time the token is shown."""

    token: str


class AccountWire(TypedDict):
    """``GET /api/v1/account``."""

    user: UserWire
    email: str | None
    unconfirmed: str | None
    mail: bool
    roles: list[Role]
    created: int
    sessions: list[SessionWire]
    tokens: list[TokenWire]
    ban: BanWire | None


class MailWire(TypedDict):
    """``POST /api/v1/reset/request``."""

    mail: bool


class EmailWire(TypedDict):
    """``PUT /api/v1/account/email`` and ``POST /api/v1/account/email/code``."""

    email: str | None
    unconfirmed: str | None


class UserAnswerWire(TypedDict):
    """``POST /api/v1/account/bot``."""

    user: UserWire


Field = Literal["name", "password", "email", "old", "new", "code", "label", "scopes", "days"]
"""Fields of account forms."""


class FieldFailureBodyWire(TypedDict):
    """An error in a form field."""

    code: Literal["bad_message"]
    message: str
    field: Field


class FieldFailureWire(TypedDict):
    """An answer with status 422."""

    error: FieldFailureBodyWire
