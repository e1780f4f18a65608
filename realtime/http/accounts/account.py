"""The account API: account data, password, email address, sessions, tokens, export, deletion."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from starlette.responses import Response

from lobby.accounts.closing import become_bot, delete_account
from lobby.accounts.export import Exports
from lobby.accounts.members import check_email
from lobby.accounts.profile import read_profile
from lobby.accounts.roles import sorted_roles
from lobby.accounts.scopes import sorted_scopes
from lobby.accounts.tokens import check_token, create_token, sessions_of
from lobby.accounts.user import user_wire
from lobby.errors import NotFound, Unavailable
from lobby.ids import is_id
from lobby.moderation.bans import ban_wire_of
from realtime.http.accounts.forms import Code, Confirmed, NewEmail, NewPassword, NewToken, read_form
from realtime.http.accounts.routes import address_of
from realtime.http.bodies.streamed import in_pieces
from realtime.http.guards.failures import json_response
from realtime.http.guards.session import delete_cookie, known_grant
from realtime.http.operation import BAD_FIELD, Operation
from realtime.protocol.permissions import MEMBER_SESSION, READ, SESSION
from realtime.protocol.wire_people import (
    AccountWire,
    EmailWire,
    NewTokenWire,
    SessionWire,
    TokenWire,
    UserAnswerWire,
)

if TYPE_CHECKING:
    from datetime import datetime

    from starlette.requests import Request

    from lobby.accounts.addresses import AddressBook, Addresses
    from lobby.accounts.identity import Identities
    from lobby.accounts.members import Members
    from lobby.accounts.tokens import SessionRow
    from lobby.accounts.user import Grant, User
    from realtime.cluster.lobby.lobby_client import AnyLobby
    from realtime.http.accounts.login_limit import LoginLimit


class AccountApi:
    """``/api/v1/account`` and below."""

    def __init__(
        self,
        identities: Identities,
        members: Members,
        addresses: AddressBook,
        lobby: AnyLobby,
        login_limit: LoginLimit,
    ) -> None:
        self._identities = identities
        self._members = members
        self._addresses = addresses
        self._lobby = lobby
        self._login_limit = login_limit
        self._pool = identities.pool
        self._exports = Exports(identities.pool)

    @Operation("GET /api/v1/account", READ, id="getAccount", answer=AccountWire)
    async def show(self, request: Request) -> Response:
        """Return the caller's account."""
        grant = await self._grant(request)
        rows = await sessions_of(self._pool, grant.user.id)
        person = await self._pool.fetchrow(
            """
            SELECT p.created_at, p.is_invisible, a.email, a.unconfirmed
            FROM person p LEFT JOIN account a ON a.person = p.id WHERE p.id = $1
            """,
            grant.user.id,
        )
        if person is None:
            raise NotFound("there is no such account")
        profile = await read_profile(self._pool, grant.user.id)
        account: AccountWire = {
            "user": user_wire(grant.user),
            "email": person["email"],
            "unconfirmed": person["unconfirmed"],
            "mail": self._addresses.sends_mail,
            "roles": sorted_roles(grant.roles),
            "created": _ms(person["created_at"]),
            "sessions": [session_wire(row, grant) for row in rows if row.scopes is None],
            "tokens": [token_wire(row) for row in rows if row.scopes is not None],
            "ban": await ban_wire_of(self._pool, grant.user.id),
            "about": profile.about,
            "country": profile.country,
            "invisible": person["is_invisible"],
        }
        return json_response(account)

    @Operation(
        "POST /api/v1/account/password",
        MEMBER_SESSION,
        id="changePassword",
        body=NewPassword,
        status=204,
        fails=BAD_FIELD,
    )
    async def change_password(self, request: Request) -> Response:
        """Change the password.

        All other sessions and all API tokens end.
        """
        grant = await self._grant(request)
        form = await read_form(request, NewPassword)
        with self._login_limit.trying(address_of(request), grant.user.name):
            await self._members.change_password(grant.user, form.old, form.new, keep=grant.key)
        return Response(status_code=204)

    @Operation(
        "PUT /api/v1/account/email",
        MEMBER_SESSION,
        id="changeEmail",
        body=NewEmail,
        answer=EmailWire,
        fails={503: "too many emails are being sent", **BAD_FIELD},
    )
    async def change_email(self, request: Request) -> Response:
        """Send a code to a new email address, or remove the address."""
        grant = await self._grant(request)
        form = await read_form(request, NewEmail)
        if form.email is not None:
            check_email(form.email)
        await self._confirm(request, grant.user, form.password)
        return _addresses(await self._addresses.change(grant.user, form.email))

    @Operation(
        "POST /api/v1/account/email/code",
        MEMBER_SESSION,
        id="confirmEmail",
        body=Code,
        answer=EmailWire,
        fails=BAD_FIELD,
    )
    async def confirm_email(self, request: Request) -> Response:
        """Confirm the new email address with the code that was sent to it."""
        grant = await self._grant(request)
        form = await read_form(request, Code)
        return _addresses(await self._addresses.confirm(grant.user, form.code))

    @Operation(
        "DELETE /api/v1/account/sessions/{id}", SESSION, id="endSession", status=204, fails={404: "no such session"}
    )
    async def end_session(self, request: Request) -> Response:
        """End a session.

        It may be the session of this request.
        """
        return await self._end(request, is_token=False)

    @Operation(
        "DELETE /api/v1/account/tokens/{id}", MEMBER_SESSION, id="endToken", status=204, fails={404: "no such token"}
    )
    async def end_token(self, request: Request) -> Response:
        """End an API token."""
        return await self._end(request, is_token=True)

    @Operation("DELETE /api/v1/account/sessions", SESSION, id="endOtherSessions", status=204)
    async def end_other_sessions(self, request: Request) -> Response:
        """End all sessions except the one of this request.

        API tokens stay valid.
        """
        grant = await self._grant(request)
        await self._identities.revoke_others(grant.user.id, grant.key)
        return Response(status_code=204)

    @Operation(
        "POST /api/v1/account/tokens",
        MEMBER_SESSION,
        id="createToken",
        body=NewToken,
        answer=NewTokenWire,
        status=201,
        fails={409: "the user has 20 tokens already", **BAD_FIELD},
    )
    async def create_token(self, request: Request) -> Response:
        """Create an API token.

        A token outlives the session, so the password is required: a stolen session is not enough.
        """
        grant = await self._grant(request)
        form = await read_form(request, NewToken)
        check_token(form.label, form.scopes, form.days)
        await self._confirm(request, grant.user, form.password)
        row, token = await create_token(self._pool, grant.user.id, form.label, form.scopes, form.days)
        made: NewTokenWire = {**token_wire(row), "token": token}
        return json_response(made, 201)

    @Operation(
        "POST /api/v1/account/bot",
        MEMBER_SESSION,
        id="becomeBot",
        body=Confirmed,
        answer=UserAnswerWire,
        fails={409: "the account has played", **BAD_FIELD},
    )
    async def become_bot(self, request: Request) -> Response:
        """Turn the account into a bot, permanently."""
        grant = await self._grant(request)
        await self._confirm(request, grant.user, (await read_form(request, Confirmed)).password)
        user = await become_bot(self._pool, grant.user)
        self._members.changed(user)
        answer: UserAnswerWire = {"user": user_wire(user)}
        return json_response(answer)

    @Operation("GET /api/v1/account/export", SESSION, id="exportAccount", answer=dict[str, Any])
    async def export(self, request: Request) -> Response:
        """Export all data stored about the caller, streamed."""
        user = (await self._grant(request)).user
        headers = {"Content-Disposition": f'attachment; filename="zeitnot-{user.name}.json"'}
        return await in_pieces(request, self._exports.pieces(user.id), headers, "application/json")

    @Operation(
        "POST /api/v1/account/delete",
        MEMBER_SESSION,
        id="deleteAccount",
        body=Confirmed,
        status=204,
        fails={409: "the account has a game in progress", **BAD_FIELD},
    )
    async def delete(self, request: Request) -> Response:
        """Delete the account."""
        grant = await self._grant(request)
        await self._confirm(request, grant.user, (await read_form(request, Confirmed)).password)
        user, ended = await delete_account(self._pool, grant.user)
        self._members.changed(user)
        self._identities.ended(user.id, ended)
        with suppress(Unavailable):  # then they are withdrawn ten seconds after the last socket closes
            await self._lobby.drop(user.id)
        response = Response(status_code=204)
        delete_cookie(request, response)
        return response

    async def _grant(self, request: Request) -> Grant:
        return await known_grant(request, self._identities)

    async def _end(self, request: Request, *, is_token: bool) -> Response:
        user, name = (await self._grant(request)).user, request.path_params["id"]
        if not (is_id(name) and await self._identities.revoke_one(user.id, name, is_token=is_token)):
            raise NotFound(f"you have no such {'token' if is_token else 'session'}")
        return Response(status_code=204)

    async def _confirm(self, request: Request, user: User, password: str) -> None:
        """Check the password. The login limit applies here too, so a stolen session cannot be used to guess it."""
        with self._login_limit.trying(address_of(request), user.name):
            await self._members.check_own_password(user, password)


def session_wire(row: SessionRow, grant: Grant) -> SessionWire:
    """Return the wire form of a session for its owner, whose request has ``grant``."""
    return {
        "id": row.id,
        "current": row.key == grant.key,
        "created": _ms(row.created),
        "used": _ms(row.used),
        "agent": row.agent,
    }


def token_wire(row: SessionRow) -> TokenWire:
    """Return the wire form of an API token for its owner."""
    return {
        "id": row.id,
        "label": row.label or "",
        "scopes": sorted_scopes(frozenset(row.scopes or ())),
        "created": _ms(row.created),
        "expires": _ms(row.expires),
        "used": None if row.used == row.created else _ms(row.used),
    }


def _addresses(addresses: Addresses) -> Response:
    answer: EmailWire = {"email": addresses.email, "unconfirmed": addresses.unconfirmed}
    return json_response(answer)


def _ms(at: datetime) -> int:
    return int(at.timestamp() * 1000)
