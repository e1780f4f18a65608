"""Public view of a person, and what one of their tokens grants."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from lobby.accounts.scopes import ALL, Scope
from lobby.wire.lobby import Kind

if TYPE_CHECKING:
    from lobby.wire.lobby import UserWire


class User(msgspec.Struct, frozen=True):
    """A person, as everybody may see them. ``msgspec.to_builtins`` gives the wire form."""

    id: str
    name: str
    kind: Kind
    title: str | None = None


class Grant(msgspec.Struct, frozen=True):
    """The rights of a token.

    Attributes:
        user: its owner.
        key: hash of the token.
        scopes: what it may be used for; ``ALL`` for a session.
        roles: of its owner.
        is_session: it was created by a login or belongs to a guest; False for an API token.
        ends_s: when an API token expires, on the monotonic clock; None for a session, which is extended by use.
        is_invisible: its owner is not shown online.
    """

    user: User
    key: bytes
    scopes: frozenset[Scope] = ALL
    roles: frozenset[Role] = frozenset()
    is_session: bool = True
    ends_s: float | None = None
    is_invisible: bool = False


def user_wire(user: User) -> UserWire:
    """``{"id","name","kind","title"}``."""
    return {"id": user.id, "name": user.name, "kind": user.kind, "title": user.title}


Role = Literal["arbiter", "host", "moderator", "admin"]
"""An arbiter supervises games, a host gives simuls, a moderator handles conduct, an admin runs the server."""
