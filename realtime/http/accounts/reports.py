"""The moderation API: blocks, reports, and the actions of moderators."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, TypeVar

import msgspec
from msgspec import Meta
from starlette.responses import Response

from lobby.accounts.identity import user_named
from lobby.accounts.profile import read_profile
from lobby.accounts.user import user_wire
from lobby.errors import BadMessage, NotFound
from lobby.ids import is_id
from lobby.moderation import blocks, reports
from lobby.moderation.bans import MAX_MINUTES, Bans, ban_wire, time_out
from lobby.moderation.reports import MAX_TEXT, NewReport, add_report, judge_report, list_reports, upheld_notice
from lobby.wire.moderation import BlocksWire, ReportedWire, ReportKind, ReportsWire, ReportWire, TimeoutWire, Verdict
from realtime.http.bodies.body import read_object
from realtime.http.bodies.query import read_query
from realtime.http.guards.failures import json_response
from realtime.http.guards.session import known_viewer
from realtime.http.operation import MODERATE, NOBODY, Operation
from realtime.protocol.permissions import MODERATOR, PLAY, READ
from realtime.protocol.requests import named_error

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping
    from typing import Any

    from starlette.requests import Request

    from lobby.accounts.identity import Identities
    from lobby.accounts.profile import PersonProfile
    from lobby.accounts.user import User
    from lobby.wire.lobby import ChatLineWire
    from realtime.people.block_lists import BlockLists

DEFAULT_PAGE = 20

Words = Annotated[str, Meta(min_length=1, max_length=MAX_TEXT, pattern=r"^[^\x00]*[^\s\x00][^\x00]*$")]
"""Not blank, and without NUL, which PostgreSQL cannot store."""


class ReportForm(msgspec.Struct, frozen=True):
    """``POST /api/v1/reports``."""

    user: Annotated[str, Meta(min_length=1, max_length=32)]
    what: ReportKind
    text: Words
    game: Annotated[str, Meta(min_length=1, max_length=64)] | None = None


class VerdictForm(msgspec.Struct, frozen=True):
    """``POST /api/v1/reports/{id}``."""

    verdict: Verdict
    note: Words | None = None


class ReportsQuery(msgspec.Struct, frozen=True):
    """``GET /api/v1/reports``."""

    open: Annotated[Literal["0", "1"], Meta(description="1: reports without a verdict; 0: reports with one")] = "1"
    after: Annotated[
        str | None, Meta(description="start after the report with this id: `next` of the previous page")
    ] = None
    limit: Annotated[int, Meta(ge=1, le=reports.MOST, description="maximum number of entries")] = DEFAULT_PAGE


class TimeoutForm(msgspec.Struct, frozen=True):
    """``POST /api/v1/users/{name}/timeout``."""

    minutes: Annotated[int, Meta(ge=0, le=MAX_MINUTES)]
    why: Annotated[str, Meta(max_length=200, pattern=r"^[^\x00]*$")] = ""


Form = TypeVar("Form", ReportForm, VerdictForm, TimeoutForm)


class ReportsApi:
    """``/api/v1/blocks``, ``/reports`` and ``/users/{name}/timeout``.

    Args:
        lines: returns, for the id of a game and the id of a user, the chat of that user's room as far as a node
            remembers it.
        notify: sends a message to all sockets of a user.
    """

    def __init__(
        self,
        identities: Identities,
        bans: Bans,
        block_lists: BlockLists,
        lines: Callable[[str, str], Awaitable[list[ChatLineWire]]],
        notify: Callable[[str, Mapping[str, Any]], None],
    ) -> None:
        self._identities = identities
        self._pool = identities.pool
        self._bans = bans
        self._block_lists = block_lists
        self._lines = lines
        self._notify = notify

    @Operation("GET /api/v1/blocks", READ, id="listBlocks", answer=BlocksWire)
    async def list_blocks(self, request: Request) -> Response:
        """List the users whom the caller has blocked."""
        user = await known_viewer(request, self._identities)
        answer: BlocksWire = {"blocks": [user_wire(other) for other in await blocks.blocked_by(self._pool, user.id)]}
        return json_response(answer)

    @Operation(
        "PUT /api/v1/blocks/{name}", PLAY, id="block", status=204, fails={**NOBODY, 409: "too many users are blocked"}
    )
    async def block(self, request: Request) -> Response:
        """Block a user."""
        return await self._set_block(request, blocked=True)

    @Operation("DELETE /api/v1/blocks/{name}", PLAY, id="unblock", status=204, fails=NOBODY)
    async def unblock(self, request: Request) -> Response:
        """Unblock a user."""
        return await self._set_block(request, blocked=False)

    async def _set_block(self, request: Request, *, blocked: bool) -> Response:
        user = await known_viewer(request, self._identities)
        other = await self._named(request.path_params["name"])
        await (blocks.block if blocked else blocks.unblock)(self._pool, user.id, other.id)
        self._block_lists.changed(user.id, other.id, blocked=blocked)
        return Response(status_code=204)

    @Operation(
        "POST /api/v1/reports",
        PLAY,
        id="report",
        body=ReportForm,
        answer=ReportedWire,
        status=201,
        fails={404: "no such user or game"},
    )
    async def report(self, request: Request) -> Response:
        """Report a user to the moderators."""
        user = await known_viewer(request, self._identities)
        form = await _read(request, ReportForm)
        subject = await self._named(form.user)
        lines = [] if form.game is None else await self._lines(form.game, user.id)
        if form.what == "profile":
            lines = profile_lines(subject, await read_profile(self._pool, subject.id))
        new = NewReport(subject, form.game, form.what, form.text, lines)
        answer: ReportedWire = {"report": await add_report(self._pool, user, new)}
        return json_response(answer, 201)

    @Operation("GET /api/v1/reports", MODERATOR, id="listReports", query=ReportsQuery, answer=ReportsWire)
    async def list_reports(self, request: Request) -> Response:
        """List reports, for moderators."""
        query = read_query(request, ReportsQuery)
        if query.after is not None and not is_id(query.after):
            raise BadMessage("after: expected the id of a report")
        # One more than requested shows whether there is another page.
        found = await list_reports(self._pool, is_open=query.open == "1", after=query.after, limit=query.limit + 1)
        page = found[: query.limit]
        answer: ReportsWire = {"reports": page, "next": page[-1]["report"] if len(found) > query.limit else None}
        return json_response(answer)

    @Operation(
        "POST /api/v1/reports/{id}",
        MODERATE,
        id="judgeReport",
        body=VerdictForm,
        answer=ReportWire,
        fails={404: "no such report", 409: "the report already has another verdict"},
    )
    async def judge(self, request: Request) -> Response:
        """Decide a report."""
        moderator = await known_viewer(request, self._identities)
        form = await _read(request, VerdictForm)
        report_id: str = request.path_params["id"]
        report, reporter = await judge_report(self._pool, moderator, report_id, form.verdict, form.note)
        if reporter is not None:
            self._notify(reporter, upheld_notice())
        return json_response(report)

    @Operation(
        "POST /api/v1/users/{name}/timeout", MODERATE, id="timeOut", body=TimeoutForm, answer=TimeoutWire, fails=NOBODY
    )
    async def timeout(self, request: Request) -> Response:
        """Ban a user from playing and chatting for a time, or lift the ban."""
        moderator = await known_viewer(request, self._identities)
        form = await _read(request, TimeoutForm)
        why = form.why.strip()
        if form.minutes and not why:
            raise BadMessage("why: required; the user sees this reason")
        user = await self._named(request.path_params["name"])
        await time_out(self._pool, moderator, user, form.minutes, why)
        await self._bans.refresh()
        ban = self._bans.of(user.id)
        answer: TimeoutWire = {"user": user_wire(user), "ban": None if ban is None else ban_wire(ban)}
        return json_response(answer)

    async def _named(self, name: str) -> User:
        user = await user_named(self._pool, name)
        if user is None:
            raise NotFound("there is no such user")
        return user


def profile_lines(user: User, profile: PersonProfile) -> list[ChatLineWire]:
    """Return the text of a profile as evidence in a report, in the form of a line of chat."""
    return [{"user": user_wire(user), "text": profile.about, "at": profile.changed_ms}] if profile.about else []


async def _read(request: Request, form: type[Form]) -> Form:
    try:
        return msgspec.convert(await read_object(request), form)
    except msgspec.ValidationError as error:
        raise BadMessage(named_error(error)) from error
