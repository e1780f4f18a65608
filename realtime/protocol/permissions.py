"""Permissions of socket requests and HTTP routes.

Conditions on the caller are checked before any verb: authentication, kind of account, roles, and token scopes.
Conditions on the object (a seat at the game, the owner of a seek) are named as ``Permission.place`` and checked by the
verb, which has the object.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from lobby.accounts.scopes import Scope
from lobby.accounts.user import Role
from lobby.errors import Forbidden, Unauthenticated

if TYPE_CHECKING:
    from lobby.accounts.user import Grant

Who = Literal["anybody", "somebody", "member"]
"""Required caller: ``somebody`` has a session or a token, ``member`` is registered (bots too)."""

Place = Literal["", "seat", "owner", "recipient", "host", "acting_host", "stand_in", "board", "robot"]
"""What the verb checks in addition: a seat at the game; the creator or the recipient; of a simul the host, the acting
host (``Simul.acting_host``), the host or the stand-in, or a player; an account of the server's robots.
"""


class Permission(msgspec.Struct, frozen=True):
    """What a request requires.

    Attributes:
        scope: scope that a token needs; sessions have all.
        roles: one of these roles; admins have all.
        session: an API token is refused, whatever its scopes.
        place: what is left for the verb to check.
    """

    who: Who = "anybody"
    scope: Scope | None = None
    roles: tuple[Role, ...] = ()
    session: bool = False
    place: Place = ""


ANYBODY = Permission()
READ = Permission("somebody", "read")
PLAY = Permission("somebody", "play")
SEAT = Permission("somebody", "play", place="seat")
OWNER = Permission("somebody", "play", place="owner")
RECIPIENT = Permission("somebody", "play", place="recipient")
HOST = Permission("somebody", "host", place="host")
ACTING_HOST = Permission("somebody", "host", place="acting_host")
STAND_IN = Permission("somebody", "host", place="stand_in")
ROBOT = Permission("somebody", "play", place="robot")
BOARD = Permission("somebody", "play", place="board")
SESSION = Permission("somebody", session=True)
MEMBER_SESSION = Permission("member", session=True)
MODERATOR = Permission("member", "read", roles=("moderator",))


def check(need: Permission, grant: Grant | None) -> None:
    """Check that a caller meets the requirement.

    Args:
        grant: the caller's grant; None: anonymous.

    Raises:
        Refusal: ``unauthenticated`` for anonymous callers, otherwise ``forbidden``.
    """
    if need.who == "anybody":
        return
    if grant is None:
        raise Unauthenticated("authentication required")
    if need.session and not grant.is_session:
        raise Forbidden("an API token cannot do this; sign in")
    if need.scope is not None and need.scope not in grant.scopes:
        raise Forbidden(f"this token lacks the scope `{need.scope}`")
    if need.who == "member" and grant.user.kind == "guest":
        raise Forbidden("guests cannot do this; sign up")
    if need.roles and "admin" not in grant.roles and not grant.roles.intersection(need.roles):
        raise Forbidden(f"this requires the role {' or '.join(need.roles)}")
