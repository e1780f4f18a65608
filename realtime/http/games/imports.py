"""The imports API: games imported as PGN, listed, viewed and exported."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import Meta
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import Response

from game_core.events import Result
from lobby.errors import BadMessage, NotFound
from lobby.wire.imported_games import ImportedGameWire, ImportedWire, ImportPageWire, ImportsWire, ImportWire
from realtime.games.scores.score_text import PGN
from realtime.http.bodies.body import read_object
from realtime.http.bodies.query import read_query
from realtime.http.bodies.streamed import in_pieces
from realtime.http.guards.failures import json_response
from realtime.http.guards.session import known_viewer, viewer_grant
from realtime.http.operation import MEMBER_PLAY, MEMBER_READ, TEXT, UNKNOWN_TOKEN, Operation
from realtime.imports.import_runner import TooManyGames
from realtime.imports.import_store import MAX_NAME, UNNAMED, tidy_name
from realtime.net.http_protocol import TAKE_TIME
from realtime.protocol.permissions import ANYBODY
from realtime.protocol.requests import named_error

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator

    from starlette.requests import Request

    from lobby.accounts.identity import Identities
    from realtime.imports.import_runner import ImportRunner
    from realtime.imports.import_store import Import

MOST_LISTED = 100

LISTED = 50

MAX_N = 10**9
"""More than the number of games in any import, and within the range of a PostgreSQL integer."""

STALL_S = 30.0
"""A client that sends nothing for this long is treated as disconnected, as on a socket."""

SLOWEST = 16 * 1024
"""Minimum rate of an upload in bytes per second, apart from ``STALL_S``. Only a few imports run at once, so a very slow
upload would block all others."""

MAX_TEXT = 64 * 1024 * 1024
"""Bytes: about twenty thousand games with comments."""

NO_IMPORT = {404: "no such import, or the user cannot see it"}
NO_GAME = {404: "no such import or game, or the user cannot see it", **UNKNOWN_TOKEN}

Name = Annotated[str, Meta(max_length=MAX_NAME, pattern=r"^[^\x00]*$")]


class ImportQuery(msgspec.Struct, frozen=True):
    """``POST /api/v1/imports``."""

    name: Annotated[Name, Meta(description="the name of the import")] = UNNAMED


class ImportGamesQuery(msgspec.Struct, frozen=True):
    """``GET /api/v1/imports/{id}``."""

    after: Annotated[
        int, Meta(ge=0, le=MAX_N, description="start after the game with this number: `next` of the previous page")
    ] = 0
    limit: Annotated[int, Meta(ge=1, le=MOST_LISTED, description="maximum number of entries")] = LISTED
    q: Annotated[Name | None, Meta(description="games with this text in a player's name or the event")] = None
    result: Annotated[Result | None, Meta(description="games with this result")] = None


class ImportForm(msgspec.Struct, frozen=True):
    """``PUT /api/v1/imports/{id}``."""

    name: Name
    public: bool


class Imports:
    """``/api/v1/imports`` and what is below it."""

    def __init__(self, identities: Identities, runner: ImportRunner) -> None:
        self._identities = identities
        self._store = runner.store
        self._runner = runner

    @Operation("GET /api/v1/imports", MEMBER_READ, id="listImports", answer=ImportsWire)
    async def own(self, request: Request) -> Response:
        """List the caller's imports, newest first."""
        user = await known_viewer(request, self._identities)
        return json_response(await self._store.of_person(user.id))

    @Operation(
        "POST /api/v1/imports",
        MEMBER_PLAY,
        id="importGames",
        query=ImportQuery,
        body=str,
        body_media=PGN,
        max_body=MAX_TEXT,
        answer=ImportedWire,
        status=201,
        fails={409: "the user's storage limit for imports is exceeded"},
    )
    async def bring(self, request: Request) -> Response:
        """Import the games of a PGN file."""
        user = await known_viewer(request, self._identities)
        name = tidy_name(read_query(request, ImportQuery).name)
        request.scope.get("extensions", {}).get(TAKE_TIME, {}).get("call", _nothing)()
        try:
            return json_response(await self._runner.bring(user.id, name, _pieces(request)), 201)
        except TooManyGames as error:
            raise HTTPException(413, error.message, {"Connection": "close"}) from error

    @Operation(
        "GET /api/v1/imports/{id}",
        ANYBODY,
        id="listImportedGames",
        query=ImportGamesQuery,
        answer=ImportPageWire,
        fails={**NO_IMPORT, **UNKNOWN_TOKEN},
    )
    async def games(self, request: Request) -> Response:
        """Return an import and its games, by pages."""
        query = read_query(request, ImportGamesQuery)
        found = await self._found(request)
        page = await self._store.page(found, after=query.after, limit=query.limit, q=query.q, result=query.result)
        return json_response(page)

    @Operation("DELETE /api/v1/imports/{id}", MEMBER_PLAY, id="deleteImport", status=204, fails=NO_IMPORT)
    async def delete(self, request: Request) -> Response:
        """Delete an import."""
        await self._store.drop((await self._found(request, own=True)).id)
        return Response(status_code=204)

    @Operation(
        "PUT /api/v1/imports/{id}", MEMBER_PLAY, id="changeImport", body=ImportForm, answer=ImportWire, fails=NO_IMPORT
    )
    async def change(self, request: Request) -> Response:
        """Rename an import, or make it public or private."""
        body = await read_object(request)
        try:
            form = msgspec.convert(body, ImportForm)
        except msgspec.ValidationError as error:
            raise BadMessage(named_error(error)) from error
        found = await self._found(request, own=True)
        name = tidy_name(form.name)
        await self._store.change(found.id, name=name, public=form.public)
        return json_response(msgspec.structs.replace(found, name=name, public=form.public).wire())

    @Operation(
        "GET /api/v1/imports/{id}/pgn",
        ANYBODY,
        id="exportImport",
        media=PGN,
        answer=str,
        fails={**NO_IMPORT, **UNKNOWN_TOKEN},
    )
    async def pgn(self, request: Request) -> Response:
        """Export all games of an import as PGN, streamed."""
        found = await self._found(request)
        headers = {"Content-Disposition": f'attachment; filename="zeitnot-{found.id}.pgn"'}
        return await in_pieces(request, self._all(found.id), headers, PGN)

    async def _all(self, import_id: str) -> AsyncGenerator[bytes, None]:
        async for text in self._store.pgn(import_id):
            yield text.encode()

    @Operation(
        "GET /api/v1/imports/{id}/games/{n}", ANYBODY, id="getImportedGame", answer=ImportedGameWire, fails=NO_GAME
    )
    async def game(self, request: Request) -> Response:
        """Return a game of an import.

        The JSON is the stored form.
        """
        found = await self._found(request)
        n = _number(request)
        score = await self._store.text(found.id, n, as_pgn=False)
        whole = {
            "import": found.id,
            "name": found.name,
            "n": n,
            "games": found.games,
            "game": msgspec.Raw(score.encode()),
        }
        return json_response(whole)

    @Operation(
        "GET /api/v1/imports/{id}/games/{n}/pgn", ANYBODY, id="getImportedScore", media=TEXT, answer=str, fails=NO_GAME
    )
    async def game_pgn(self, request: Request) -> Response:
        """Export a game of an import as PGN."""
        found = await self._found(request)
        return Response(await self._store.text(found.id, _number(request), as_pgn=True), media_type="text/plain")

    async def _found(self, request: Request, *, own: bool = False) -> Import:
        """Return the requested import; if ``own``, only for its owner.

        Raises:
            NotFound: there is none, or it is not visible to this user. The error does not say which.
        """
        grant = await viewer_grant(request, self._identities)
        found = await self._store.find(request.path_params["id"])
        if found is not None:
            is_owner = grant is not None and grant.user.id == found.owner.id
            if is_owner and grant is not None and "read" in grant.scopes:
                return found
            if is_owner if own else found.public:
                return found
        raise NotFound("there is no such import, or you cannot see it")


def _nothing() -> None:
    """Do nothing: used outside our own HTTP protocol, which has no deadline to lift."""


def _number(request: Request) -> int:
    text: str = request.path_params["n"]
    if not (text.isascii() and text.isdigit() and len(text) < len(str(MAX_N))):
        raise NotFound("there is no such game in this import")
    return int(text)


async def _pieces(request: Request) -> AsyncIterator[bytes]:
    """Yield the body as it arrives.

    Raises:
        BadMessage: the client disconnected, or was too slow: more than ``STALL_S`` behind the rate ``SLOWEST``.
    """
    stream: Any = request.stream()
    loop = asyncio.get_running_loop()
    left_s = STALL_S
    while True:
        asked_s = loop.time()
        try:
            async with asyncio.timeout(min(STALL_S, left_s)):
                piece = await anext(stream, None)
        except TimeoutError as error:
            raise BadMessage(f"the upload was too slow, {STALL_S:.0f} s late; the import was aborted") from error
        except ClientDisconnect as error:
            raise BadMessage("the client disconnected before the end of the text") from error
        if piece is None:
            return
        left_s += len(piece) / SLOWEST - (loop.time() - asked_s)
        if piece:
            yield piece
