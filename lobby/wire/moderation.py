"""Wire types of moderation: blocks, reports, bans and notices, as in docs/protocol.md."""

from __future__ import annotations

from typing import Literal, TypedDict

from lobby.wire.lobby import ChatLineWire, UserWire

Deed = Literal["ok", "aborted", "no_show", "let_run", "left"]
"""A player's conduct in a game, derived from how it ended."""

BanCause = Literal["aborted", "no_show", "let_run", "left", "moderator"]
"""What brought a ban: the last of several games with such conduct, or a moderator."""

ReportKind = Literal["cheating", "chat", "stalling", "profile", "other"]
"""Subject of a report."""

Verdict = Literal["upheld", "dismissed"]
"""A moderator's verdict on a report."""

NoticeCode = Literal["ban", "unban", "report"]
"""Subject of a notice."""


class BanWire(TypedDict):
    """Why a person may not play, and until when (Unix ms)."""

    until: int
    why: str
    what: BanCause


class NoticeWire(TypedDict):
    """A notice to a person; ``text`` is in English."""

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
    """A report as moderators see it. ``user`` is its subject."""

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
    """``GET /api/v1/reports``. ``next``, passed as ``after``, gives the next page."""

    reports: list[ReportWire]
    next: str | None


class TimeoutWire(TypedDict):
    """``POST /api/v1/users/{name}/timeout``."""

    user: UserWire
    ban: BanWire | None
