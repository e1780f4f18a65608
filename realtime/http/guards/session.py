"""Whose request it is: a bearer token or the session cookie."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lobby.accounts.identity import GUEST_DAYS
from lobby.errors import Unauthenticated
from realtime.net.handshake import COOKIE, MAX_TOKEN

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from lobby.accounts.identity import Identities
    from lobby.accounts.user import Grant, User

COOKIE_S = GUEST_DAYS * 86_400
"""The cookie lives as long as the session behind it."""


def bearer_token(request: Request) -> str | None:
    """The token of the ``Authorization`` header; None without one.

    Raises:
        Refusal: ``unauthenticated``, the header is there and is no bearer token.
    """
    header = request.headers.get("authorization")
    if header is None:
        return None
    scheme, _, token = header.partition(" ")
    token = token.strip()
    if scheme.lower() != "bearer" or not 0 < len(token) <= MAX_TOKEN:
        raise Unauthenticated("expected 'Authorization: Bearer TOKEN'")
    return token


def cookie_token(request: Request) -> str | None:
    """The token of the session cookie."""
    return request.cookies.get(COOKIE) or None


async def viewer_grant(request: Request, identities: Identities) -> Grant | None:
    """What who asks may do; None for a stranger. A bad bearer token is refused, a bad cookie has just expired.

    Raises:
        Refusal: ``unauthenticated``.
    """
    token = bearer_token(request)
    if token is not None:
        grant = await identities.grant_of_token(token)
        if grant is None:
            raise Unauthenticated("that token is unknown, expired or revoked")
        return grant
    token = cookie_token(request)
    return None if token is None else await identities.grant_of_token(token)


async def viewer(request: Request, identities: Identities) -> User | None:
    """Who asks; None for a stranger.

    Raises:
        Refusal: ``unauthenticated``, a bad bearer token.
    """
    grant = await viewer_grant(request, identities)
    return None if grant is None else grant.user


async def known_grant(request: Request, identities: Identities) -> Grant:
    """What who asks may do; strangers are refused.

    Raises:
        Refusal: ``unauthenticated``.
    """
    grant = await viewer_grant(request, identities)
    if grant is None:
        raise Unauthenticated("there is no session; POST /api/v1/guest begins one")
    return grant


async def known_viewer(request: Request, identities: Identities) -> User:
    """Who asks; strangers are refused.

    Raises:
        Refusal: ``unauthenticated``.
    """
    return (await known_grant(request, identities)).user


def set_cookie(request: Request, response: Response, token: str) -> None:
    """Let the browser keep the session; scripts cannot read it, other sites cannot send it along."""
    response.set_cookie(
        COOKIE,
        token,
        max_age=COOKIE_S,
        path="/",
        secure=request.url.scheme == "https",
        httponly=True,
        samesite="lax",
    )


def delete_cookie(request: Request, response: Response) -> None:
    """Let the browser forget the session."""
    response.delete_cookie(COOKIE, path="/", secure=request.url.scheme == "https", httponly=True, samesite="lax")
