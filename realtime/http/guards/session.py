"""Authentication of requests: a bearer token or the session cookie."""

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
"""The lifetime of the cookie, equal to that of the session."""


def bearer_token(request: Request) -> str | None:
    """Return the token of the ``Authorization`` header; None without one.

    Raises:
        Refusal: ``unauthenticated``: the header does not contain a bearer token.
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
    """Return the token of the session cookie; None without one."""
    return request.cookies.get(COOKIE) or None


async def viewer_grant(request: Request, identities: Identities) -> Grant | None:
    """Return the grant of the request; None if it is anonymous. An unknown cookie is ignored: it has expired.

    Raises:
        Refusal: ``unauthenticated``: the bearer token is unknown.
    """
    token = bearer_token(request)
    if token is not None:
        grant = await identities.grant_of_token(token)
        if grant is None:
            raise Unauthenticated("unknown, expired or revoked token")
        return grant
    token = cookie_token(request)
    return None if token is None else await identities.grant_of_token(token)


async def viewer(request: Request, identities: Identities) -> User | None:
    """Return the user of the request; None if it is anonymous.

    Raises:
        Refusal: ``unauthenticated``: the bearer token is unknown.
    """
    grant = await viewer_grant(request, identities)
    return None if grant is None else grant.user


async def known_grant(request: Request, identities: Identities) -> Grant:
    """Return the grant of the request.

    Raises:
        Refusal: ``unauthenticated``: it is anonymous, or its token is unknown.
    """
    grant = await viewer_grant(request, identities)
    if grant is None:
        raise Unauthenticated("authentication required; POST /api/v1/guest creates a guest session")
    return grant


async def known_viewer(request: Request, identities: Identities) -> User:
    """Return the user of the request.

    Raises:
        Refusal: ``unauthenticated``: it is anonymous, or its token is unknown.
    """
    return (await known_grant(request, identities)).user


def set_cookie(request: Request, response: Response, token: str) -> None:
    """Set the session cookie: not readable by scripts (HttpOnly), not sent with requests from other sites
    (SameSite=Lax)."""
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
    """Delete the session cookie."""
    response.delete_cookie(COOKIE, path="/", secure=request.url.scheme == "https", httponly=True, samesite="lax")
