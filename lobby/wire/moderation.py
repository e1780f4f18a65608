"""How conduct looks on the wire: blocks, reports, bans and what people are told of them. Types of docs/protocol.md."""

from __future__ import annotations

from typing import Literal, TypedDict

from lobby.wire.lobby import ChatLineWire, UserWire

Deed = Literal["ok", "aborted", "no_show", "let_run", "left"]
"""What a player did in a game, as far as its end says."""

BanCause = Literal["aborted", "no_show", "let_run", "left", "moderator"]
"""What brought a ban: the last of several such games, or a moderator."""

ReportKind = Literal["cheating", "chat", "stalling", "other"]
"""What somebody is reported for."""

Verdict = Literal["upheld", "dismissed"]
"""What a moderator makes of a report."""

NoticeCode = Literal["ban", "unban", "report"]
"""What a notice is of."""


class BanWire(TypedDict):
    """Why somebody may not play, and until when (Unix ms)."""

    until: int
    why: str
    what: BanCause


class NoticeWire(TypedDict):
    """Something a person has to know; ``text`` says it in English."""

    t: Literal["notice"]
    code: NoticeCode
    text: str
    until: int | None
    what: BanCause | None


class BlocksWire(TypedDict):
    """``GET /api/v1/blocks``."""

    blocks: list[UserWire]


class ReportedWire(TypedDict):
    """``POST /api/v1/reports``."""

    report: str


class ReportWire(TypedDict):
    """A report as moderators see it. ``user`` is whom it is about."""

    report: str
    by: UserWire
    user: UserWire
    game: str | None
    what: ReportKind
    text: str
    lines: list[ChatLineWire]
    created: int
    open: int
    verdict: Verdict | None
    note: str | None
    judge: UserWire | None
    judged: int | None
    ban: BanWire | None


class ReportsWire(TypedDict):
    """``GET /api/v1/reports``; ``next`` as ``after`` gives the page after it."""

    reports: list[ReportWire]
    next: str | None


class TimeoutWire(TypedDict):
    """``POST /api/v1/users/{name}/timeout``."""

    user: UserWire
    ban: BanWire | None
