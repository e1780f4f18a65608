"""OpenAPI document against the running server, for every kind of client.

schemathesis makes the requests: some that the document allows, some that it forbids. It looks for faults of the server,
answers that are not in the document, bad requests that are taken and good ones that are not. The same requests every
time (``derandomize``); to look for more, against a server of one's own:

    st run http://127.0.0.1:8000/api/v1/openapi.json --max-examples 1000
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance

from realtime.games.scores.score_text import PGN
from realtime.http.app import OPERATIONS
from realtime.http.openapi.openapi import openapi_document
from realtime.http.operation import JSON
from tests.integration.lobby.test_people import ask, users
from tests.integration.match import match
from tests.integration.running_simul import running
from tests.server_process import CHEAP_HASHES
from tests.wire_client import PASSWORD, guest

if TYPE_CHECKING:
    from collections.abc import Callable

    from schemathesis import BaseSchema, Case, CheckFunction

    from realtime.http.operation import Operation
    from tests.server_process import ServerProcess

LIMITS = "connections=20000,guests=20000,rate=1000,logins=20000"
"""Nothing is refused for its number: what is asked for is looked at."""

PREPARE = CHEAP_HASHES
"""Every second request of a form has a password."""

EXAMPLES = 10
"""Of each kind an operation and person, besides those that try every border of the document once."""

ANNA, BERT = "Schema-Anna", "Schema-Bert"
NAMES = [ANNA, BERT, "nobody", "Nul\0"]
PERFS = ["blitz", "chess960-rapid", "nothing"]
GAME = "the-game"
"""Stands for the id of a game that there is."""

SIMUL = "the-simul"
"""Stands for the id of a simul that there is."""

BREAKS_OFF = "POST /api/v1/logout"
"""Ends the session that the others ask with."""

ANY_TEXT = "POST /api/v1/imports"
"""Takes whatever text there is: what cannot be read of it is told in the answer."""

ENTANGLED = {"GET /api/v1/games", "GET /api/v1/simuls", "GET /api/v1/reports", "POST /api/v1/users/{name}/timeout"}
"""Where one field depends on another, or an id has to be there: the document cannot say which requests are good."""

QUICK = settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)


@schemathesis.serializer(PGN)
def _as_pgn(_context: Any, value: Any) -> bytes:
    return str(value).encode(errors="replace")


def strict_document() -> dict[str, Any]:
    """The document, stricter: nothing is answered that it does not tell of, and people and games are there."""
    document = openapi_document(OPERATIONS)
    asked = {
        operation["requestBody"]["content"][JSON]["schema"]["$ref"].rpartition("/")[2]
        for operations in document["paths"].values()
        for operation in operations.values()
        if JSON in operation.get("requestBody", {}).get("content", {})
    }
    for name, schema in document["components"]["schemas"].items():
        if name not in asked:
            schema["additionalProperties"] = False
    there = {"name": NAMES, "other": NAMES, "user": NAMES, "opponent": NAMES, "perf": PERFS}
    for path, operations in document["paths"].items():
        for operation in operations.values():
            for part in operation.get("parameters", ()):
                if part["name"] in there and (part["name"], part["in"]) != ("name", "query"):  # that of an import
                    part["schema"] = {"type": "string", "enum": there[part["name"]]}
                elif part["name"] == "id" and path.startswith("/api/v1/games"):
                    part["schema"] = {"type": "string", "enum": [GAME, "nosuchgame", "%"]}
                elif part["name"] == "id" and path.startswith("/api/v1/simuls"):
                    part["schema"] = {"type": "string", "enum": [SIMUL, "nosuch", "%"]}
    return document


CONFIG = {
    "checks": {
        # What a form cannot take for its content, as a password that everybody would try first; or for its length.
        "positive_data_acceptance": {"expected-statuses": ["2xx", "401", "403", "404", "409", "413", "422"]},
        # An anonymous request is refused before anything else is checked.
        "negative_data_rejection": {"expected-statuses": ["400", "401", "403", "404", "405", "409", "413", "422"]},
    },
}

DOCUMENT = schemathesis.openapi.from_dict(strict_document(), config=schemathesis.Config.from_dict(CONFIG))


def operations(wanted: Callable[[Operation], bool]) -> BaseSchema:
    """The document with the operations that are ``wanted``."""
    names = {operation.name for operation in OPERATIONS if wanted(operation)}
    return DOCUMENT.include(lambda context: context.operation.label in names)


class World:
    """Who is there on the server.

    Attributes:
        game, simul: ids of a game and a simul that go on.
        over, ended: ids of a simul and of a game of it that are over: whoever follows what goes on hears of no
            end.
        tokens: of a guest, a member and a moderator.
    """

    def __init__(self, server: ServerProcess) -> None:
        self.url = server.url
        self.game, self.simul, self.over, self.ended = asyncio.run(self._play())
        self.tokens = {"guest": guest(self.url)[0]}
        for name in (ANNA, BERT, "Schema-Carl"):
            assert ask(self.url, "POST", "signup", {"name": name, "password": PASSWORD})[0] == 201
        users(server, "role", "Schema-Carl", "+moderator")
        for who, name in (("member", ANNA), ("moderator", "Schema-Carl")):
            self.tokens[who] = ask(self.url, "POST", "login", {"name": name, "password": PASSWORD})[1]["token"]

    async def _play(self) -> tuple[str, str, str, str]:
        async with match(self.url, "e2e4", "e7e5") as m, running(self.url, 2, mode="round") as x:
            await x.at(1)
            await x.move(1, 0)
            await x.player(2).request("resign", g=x.boards[2])
            async with running(self.url, 1) as over:
                await over.ask("end")
                await over.event("finished")
                return m.g, x.id, over.id, over.boards[1]

    def check(self, case: Case[Any], who: str | None = None) -> None:
        """Ask as ``who``, and hold the answer to the document."""
        if case.path_parameters.get("id") == GAME:
            case.path_parameters["id"] = self.ended if case.operation.label.endswith("/stream") else self.game
        if case.path_parameters.get("id") == SIMUL:
            case.path_parameters["id"] = self.over if case.operation.label.endswith(("/pgn", "/pdn")) else self.simul
        headers = {} if who is None else {"Authorization": f"Bearer {self.tokens[who]}"}
        excluded: list[CheckFunction] = [positive_data_acceptance] if case.operation.label in ENTANGLED else []
        if case.operation.label == ANY_TEXT:
            excluded.append(negative_data_rejection)
        case.call_and_validate(self.url, headers=headers, excluded_checks=excluded)


@pytest.fixture(scope="module")
def world(server: ServerProcess) -> World:
    return World(server)


@DOCUMENT.parametrize()
@QUICK
def test_openapi_holds_for_anonymous_requests(case: Case[Any], world: World) -> None:
    world.check(case)


@operations(lambda operation: operation.permission.who == "somebody").parametrize()
@QUICK
def test_openapi_holds_for_a_guest(case: Case[Any], world: World) -> None:
    world.check(case, "guest")


@operations(lambda operation: operation.name != BREAKS_OFF).parametrize()
@QUICK
def test_openapi_holds_for_a_member(case: Case[Any], world: World) -> None:
    world.check(case, "member")


@operations(lambda operation: bool(operation.permission.roles)).parametrize()
@QUICK
def test_openapi_holds_for_a_moderator(case: Case[Any], world: World) -> None:
    world.check(case, "moderator")
