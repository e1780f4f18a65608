"""Wire types of accounts, sessions and tokens over HTTP, as in docs/protocol.md."""

from __future__ import annotations

from typing import Literal, TypedDict

from lobby.accounts.scopes import Scope
from lobby.accounts.user import Role
from lobby.wire.lobby import UserWire
from lobby.wire.moderation import BanWire
from lobby.wire.ratings import RatingWire
from realtime.protocol.wire_http import ResultsWire


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
    about: str
    country: str | None
    invisible: bool


class OwnProfileWire(TypedDict):
    """``PUT /api/v1/account/profile``."""

    about: str
    country: str | None


class InvisibleWire(TypedDict):
    """``PUT /api/v1/account/invisible``."""

    invisible: bool


class ProfileWire(TypedDict):
    """``GET /api/v1/users/{name}``; ``playing`` is the newest game that is not over."""

    user: UserWire
    created: int
    closed: bool
    online: bool
    playing: str | None
    ratings: dict[str, RatingWire]
    games: ResultsWire
    about: str
    country: str | None
    followed: bool


class VersusWire(TypedDict):
    """``GET /api/v1/users/{name}/versus/{other}``; ``games`` from the point of view of ``user``."""

    user: UserWire
    other: UserWire
    games: ResultsWire


class UserStatusWire(TypedDict):
    """``GET /api/v1/users/{name}/status``."""

    user: UserWire
    online: bool
    playing: str | None


class FollowedUserWire(UserStatusWire):
    """A followed user."""

    country: str | None


class FollowsWire(TypedDict):
    """``GET /api/v1/follows``."""

    follows: list[FollowedUserWire]


class OnlineUserWire(TypedDict):
    """A user who is online. ``rating`` is their best rating that is not provisional."""

    user: UserWire
    rating: int | None
    playing: str | None
    country: str | None


class OnlineWire(TypedDict):
    """``GET /api/v1/online``: at most 200 members and bots, the best-rated first."""

    users: list[OnlineUserWire]
    members: int
    guests: int


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


Field = Literal[
    "name", "password", "email", "old", "new", "code", "label", "scopes", "days", "about", "country", "invisible",
]  # fmt: skip
"""Fields of account forms."""


class FieldFailureBodyWire(TypedDict):
    """An error in a form field."""

    code: Literal["bad_message"]
    message: str
    field: Field


class FieldFailureWire(TypedDict):
    """An answer with status 422."""

    error: FieldFailureBodyWire
