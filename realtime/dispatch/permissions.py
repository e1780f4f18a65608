"""Who may ask for what: one table for the requests of sockets, one form for these and for the addresses of HTTP.

What can be told of the one who asks is checked here, before any verb: that there is somebody, his kind, his roles, and
what his token is good for. What depends on the thing asked for (a seat at the game, whose seek it is) is named here as
``Permission.place`` and looked at by the verb that has the thing before it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from lobby.accounts.scopes import Scope
from lobby.accounts.user import Role
from realtime.protocol import requests as r
from realtime.protocol import simul_requests as s
from realtime.protocol.errors import WireError

if TYPE_CHECKING:
    from lobby.accounts.user import Grant
    from realtime.protocol.request_fields import Request

Who = Literal["anybody", "somebody", "member"]
"""``somebody`` has a session or a token, ``member`` has signed up (bots too)."""

Place = Literal["", "seat", "owner", "recipient", "host", "board"]
"""What the verb looks at besides: a seat at the game, who made the thing, for whom it is, who gives the exhibition, who
plays in it."""


class Permission(msgspec.Struct, frozen=True):
    """What a request needs.

    Attributes:
        scope: what a token has to be good for; sessions are good for everything.
        role: one of these roles; admins have all.
        session: an API token will not do, whatever its scopes.
        place: what is left for the verb to look at.
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
BOARD = Permission("somebody", "play", place="board")
SESSION = Permission("somebody", session=True)
MEMBER_SESSION = Permission("member", session=True)
MODERATOR = Permission("member", "read", roles=("moderator",))

HOSTS: tuple[type[Request], ...] = (
    s.SimulEdit, s.SimulInvite, s.SimulAccept, s.SimulAcceptAll, s.SimulReject, s.SimulKick, s.SimulStart,
    s.SimulCancel, s.SimulAt, s.SimulNext, s.SimulLater, s.SimulBreak, s.SimulAdjudicate, s.SimulEnd,
)  # fmt: skip
"""What only the host of an exhibition asks for."""

NEEDS: dict[type[Request], Permission] = {
    r.Ping: ANYBODY,
    r.Sub: ANYBODY,
    r.Unsub: ANYBODY,
    r.Seek: PLAY,
    r.Unseek: OWNER,
    r.Accept: PLAY,
    r.Challenge: PLAY,
    r.ChallengeAccept: RECIPIENT,
    r.ChallengeDecline: RECIPIENT,
    r.ChallengeCancel: OWNER,
    r.PoolJoin: PLAY,
    r.PoolLeave: PLAY,
    r.Move: SEAT,
    r.Resign: SEAT,
    r.Abort: SEAT,
    r.Draw: SEAT,
    r.Takeback: SEAT,
    r.MoreTime: SEAT,
    r.Flag: SEAT,
    r.Claim: SEAT,
    r.Rematch: SEAT,
    r.Pause: SEAT,
    r.Chat: PLAY,
    s.SimulCreate: Permission("somebody", "host"),
    **dict.fromkeys(HOSTS, HOST),
    s.SimulJoin: PLAY,
    s.SimulLeave: PLAY,
    s.SimulPrepare: BOARD,
    s.SimulPass: BOARD,
}
"""Every request of the protocol. A test fails for one that is missing."""

PRIVATE_TOPIC = "user"
"""The topic that ``sub`` needs more for than its table says."""


def need_of(request: Request) -> Permission:
    """What ``request`` needs."""
    if type(request) is r.Sub and request.topic == PRIVATE_TOPIC:
        return READ
    return NEEDS[type(request)]


def check(need: Permission, grant: Grant | None) -> None:
    """Let pass who has what is needed.

    Args:
        grant: of the one who asks; None for a stranger.

    Raises:
        WireError: ``unauthenticated`` for strangers, ``forbidden`` for everybody else.
    """
    if need.who == "anybody":
        return
    if grant is None:
        raise WireError("unauthenticated", "only somebody with a session may do this; get one first")
    if need.session and not grant.is_session:
        raise WireError("forbidden", "an API token cannot do this; log in")
    if need.scope is not None and need.scope not in grant.scopes:
        raise WireError("forbidden", f"this token is not good for it: it lacks the scope {need.scope}")
    if need.who == "member" and grant.user.kind == "guest":
        raise WireError("forbidden", "guests cannot do this; sign up")
    if need.roles and "admin" not in grant.roles and not grant.roles.intersection(need.roles):
        raise WireError("forbidden", f"only a person with the role {' or '.join(need.roles)} may do this")
