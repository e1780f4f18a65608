"""Permissions of every operation, for every kind of client."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from lobby.accounts.roles import set_roles
from lobby.accounts.scopes import SCOPES
from realtime.http.app import OPERATIONS
from realtime.http.operation import MEMBER_PLAY, MEMBER_READ, MODERATE, PREFIX, SOMEBODY
from realtime.protocol.permissions import ANYBODY, MEMBER_SESSION, MODERATOR, PLAY, READ, SESSION, Permission
from tests.realtime.http.accounts.test_account import somebody, token_of
from tests.realtime.http.accounts.test_signing import bearer

if TYPE_CHECKING:
    import httpx

    from realtime.http.operation import Operation
    from tests.realtime.http.conftest import Web

STRANGERS = {"anonymous"}
SESSIONS = {"guest", "member", "moderator", "admin"}
TOKENS = set(SCOPES)
MODERATORS_TOKENS = {f"moderator's {scope}" for scope in SCOPES}
EVERYBODY = STRANGERS | SESSIONS | TOKENS | MODERATORS_TOKENS

LET_IN: dict[Permission, set[str]] = {
    ANYBODY: EVERYBODY,
    SOMEBODY: EVERYBODY - STRANGERS,
    READ: SESSIONS | {"read", "moderator's read"},
    PLAY: SESSIONS | {"play", "moderator's play"},
    MEMBER_READ: SESSIONS - {"guest"} | {"read", "moderator's read"},
    MEMBER_PLAY: SESSIONS - {"guest"} | {"play", "moderator's play"},
    SESSION: SESSIONS,
    MEMBER_SESSION: SESSIONS - {"guest"},
    MODERATOR: {"moderator", "admin", "moderator's read"},
    MODERATE: {"moderator", "admin"},
}
"""Who gets past the guard, by what is needed."""

REFUSALS = (
    "authentication required",
    "an API token cannot",
    "this token lacks",
    "guests cannot",
    "this requires the role",
)
"""How the guard's refusals begin."""


async def everybody(web: Web) -> dict[str, str | None]:
    """A token each, by the names above."""
    moderator, admin, other = [await somebody(web, name) for name in ("Moderatrix", "Chief", "Other")]
    async with web.pool.acquire() as connection, connection.transaction():
        await set_roles(connection, moderator.id, ["moderator"], [])
        await set_roles(connection, admin.id, ["admin"], [])
    web.identities.forget_person(moderator.id)
    web.identities.forget_person(admin.id)
    guest = (await (await web.client()).post("/api/v1/guest")).json()["token"]
    tokens: dict[str, str | None] = {scope: await token_of(other, scope) for scope in SCOPES}
    tokens |= {f"moderator's {scope}": await token_of(moderator, scope) for scope in SCOPES}
    member = await somebody(web, "Member", address="198.51.100.8")
    sessions = {"guest": guest, "member": member.token, "moderator": moderator.token, "admin": admin.token}
    return {"anonymous": None, **sessions, **tokens}


def is_refused(response: httpx.Response) -> bool:
    """Whether the guard did not let it in."""
    if response.status_code not in (401, 403):
        return False
    message: str = response.json()["error"]["message"]
    return message.startswith(REFUSALS)


@pytest.mark.parametrize("operation", [o for o in OPERATIONS if o.path.startswith(PREFIX)], ids=lambda o: o.name)
async def test_each_operation_admits_only_its_clients(web: Web, operation: Operation) -> None:
    people = await everybody(web)
    assert people.keys() == EVERYBODY
    method = operation.method
    path = operation.path.replace("{name}", "Other").replace("{id}", "0123abcd").replace("{perf}", "blitz")
    let_in = set()
    for number, (name, token) in enumerate(people.items()):
        client = await web.client(f"203.0.113.{number}")
        headers = {} if token is None else bearer(token)
        response = await client.request(method, path, headers=headers, json=None if method == "GET" else {})
        assert response.status_code < 500, (name, response.text)
        if not is_refused(response):
            let_in.add(name)
    assert let_in == LET_IN[operation.permission]
