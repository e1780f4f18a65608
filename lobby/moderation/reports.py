"""Reports to moderators, and their verdicts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from lobby.accounts.user import User, user_wire
from lobby.errors import Conflict, Forbidden, NotFound, RateLimited
from lobby.ids import is_id, new_id
from lobby.moderation.bans import note_act
from lobby.wire.lobby import ChatLineWire
from lobby.wire.moderation import ReportKind

if TYPE_CHECKING:
    from typing import Any

    from lobby.ports import Connection, Pool
    from lobby.wire.moderation import BanWire, NoticeWire, ReportWire, Verdict

A_DAY = 20
"""Reports of one person in 24 hours. Bounds the work of moderators."""

MAX_TEXT = 1000
"""Characters of a report, and of a moderator's note."""

MOST = 100
"""Maximum number of reports on a page."""

_COLUMNS = """
    r.id, r.game, r.what, r.text, r.lines, r.verdict, r.note,
    (extract(epoch FROM r.created_at) * 1000)::bigint AS created_ms,
    (extract(epoch FROM r.judged_at) * 1000)::bigint AS judged_ms,
    (SELECT count(*) FROM report o WHERE o.subject = r.subject AND o.verdict IS NULL) AS open,
    p.id AS p_id, p.name AS p_name, p.kind AS p_kind, p.title AS p_title,
    s.id AS s_id, s.name AS s_name, s.kind AS s_kind, s.title AS s_title,
    j.id AS j_id, j.name AS j_name, j.kind AS j_kind, j.title AS j_title,
    b.what AS b_what, b.why AS b_why, (extract(epoch FROM b.until) * 1000)::bigint AS b_until_ms
"""
_FROM = """
    FROM report r JOIN person p ON p.id = r.person JOIN person s ON s.id = r.subject
    LEFT JOIN person j ON j.id = r.judge
    LEFT JOIN LATERAL (
        SELECT what, why, until FROM ban WHERE person = r.subject AND until > now() ORDER BY until DESC LIMIT 1
    ) b ON true
"""


class NewReport(msgspec.Struct, frozen=True):
    """A report about ``subject``. ``lines`` is the chat as the reporter saw it."""

    subject: User
    game: str | None
    what: ReportKind
    text: str
    lines: Sequence[ChatLineWire] = ()


def upheld_notice() -> NoticeWire:
    """Return the notice for a reporter whose report was upheld."""
    text = "A moderator has reviewed and upheld your report. Thank you."
    return {"t": "notice", "code": "report", "text": text, "until": None, "what": None}


async def add_report(pool: Pool, person: User, new: NewReport) -> str:
    """Store a report and return its id. A repeated report gets the same id until there is a verdict.

    Raises:
        Forbidden: oneself; or a guest who was not the opponent in that game.
        NotFound: there is no such game, or the subject did not play in it.
        RateLimited: ``A_DAY`` within 24 hours.
    """
    if person.id == new.subject.id:
        raise Forbidden("you cannot report yourself")
    async with pool.acquire() as connection, connection.transaction():
        await _check_game(connection, person, new)
        # Of two concurrent reports the second waits here and counts the first.
        await connection.execute("SELECT FROM person WHERE id = $1 FOR NO KEY UPDATE", person.id)
        known: str | None = await connection.fetchval(
            """
            SELECT id FROM report
            WHERE person = $1 AND subject = $2 AND what = $3 AND coalesce(game, '') = $4 AND verdict IS NULL
            """,
            person.id,
            new.subject.id,
            new.what,
            new.game or "",
        )
        if known is not None:
            return known
        counted = await connection.fetchrow(
            """
            SELECT count(*), extract(epoch FROM min(created_at) + interval '24 hours' - now())::float8 AS left_s
            FROM report WHERE person = $1 AND created_at > now() - interval '24 hours'
            """,
            person.id,
        )
        assert counted is not None, "an aggregate has a row"
        if counted["count"] >= A_DAY:
            raise RateLimited(f"at most {A_DAY} reports in 24 hours", counted["left_s"])
        report_id = new_id()
        await connection.execute(
            "INSERT INTO report (id, person, subject, game, what, text, lines) VALUES ($1, $2, $3, $4, $5, $6, $7)",
            report_id,
            person.id,
            new.subject.id,
            new.game,
            new.what,
            new.text,
            list(new.lines),
        )
        return report_id


async def list_reports(pool: Pool, *, is_open: bool, after: str | None, limit: int) -> list[ReportWire]:
    """Return the reports after ``after``: open ones oldest first, or judged ones latest first."""
    if is_open:
        where, at, order = "r.verdict IS NULL", "r.created_at", "ASC"
    else:
        where, at, order = "r.verdict IS NOT NULL", "r.judged_at", "DESC"
    column = at.removeprefix("r.")
    sign = ">" if is_open else "<"
    rows = await pool.fetch(
        f"""
        SELECT {_COLUMNS} {_FROM}
        WHERE {where} AND ($1::text IS NULL OR ({at}, r.id) {sign} (SELECT {column}, id FROM report WHERE id = $1))
        ORDER BY {at} {order}, r.id {order} LIMIT $2
        """,  # noqa: S608  constants of this function
        after,
        limit,
    )
    return [_report_wire(row) for row in rows]


async def judge_report(
    pool: Pool, moderator: User, report_id: str, verdict: Verdict, note: str | None
) -> tuple[ReportWire, str | None]:
    """Give ``verdict``. Returns the report, and the id of the reporter if this call has upheld it: notify them.

    Raises:
        NotFound: there is no such report.
        Forbidden: it is by or about the moderator.
        Conflict: it has another verdict already.
    """
    async with pool.acquire() as connection, connection.transaction():
        row = await connection.fetchrow(
            "SELECT person, subject, verdict FROM report WHERE id = $1 FOR UPDATE",
            report_id if is_id(report_id) else "",
        )
        if row is None:
            raise NotFound("there is no such report")
        if moderator.id in (row["person"], row["subject"]):
            raise Forbidden("you cannot judge a report about or by yourself")
        if row["verdict"] not in (None, verdict):
            raise Conflict(f"this report already has a verdict: {row['verdict']}")
        notified = None
        if row["verdict"] is None:
            await connection.execute(
                "UPDATE report SET verdict = $2, note = $3, judge = $4, judged_at = now() WHERE id = $1",
                report_id,
                verdict,
                note,
                moderator.id,
            )
            detail: dict[str, object] = {"report": report_id, "verdict": verdict, "note": note}
            await note_act(connection, moderator.id, "verdict", row["subject"], detail)
            notified = row["person"] if verdict == "upheld" else None
        full = await connection.fetchrow(f"SELECT {_COLUMNS} {_FROM} WHERE r.id = $1", report_id)
        return _report_wire(full), notified


async def _check_game(connection: Connection, person: User, new: NewReport) -> None:
    players: set[str] = set()
    if new.game is not None:
        row = await connection.fetchrow(
            "SELECT white, black FROM game WHERE id = $1", new.game if is_id(new.game) else ""
        )
        if row is None:
            raise NotFound(f"there is no game {new.game!r}")
        players = set(row)
        if new.what != "chat" and new.subject.id not in players:
            raise NotFound(f"{new.subject.name} did not play in that game")
    if person.kind == "guest" and not {person.id, new.subject.id} <= players:
        raise Forbidden("guests can report only their opponents; name the game or sign up")


def _report_wire(row: Any) -> ReportWire:
    ban: BanWire | None = None
    if row["b_what"] is not None:
        ban = {"until": row["b_until_ms"], "why": row["b_why"], "what": row["b_what"]}
    return {
        "report": row["id"],
        "by": user_wire(User(row["p_id"], row["p_name"], row["p_kind"], row["p_title"])),
        "user": user_wire(User(row["s_id"], row["s_name"], row["s_kind"], row["s_title"])),
        "game": row["game"],
        "what": row["what"],
        "text": row["text"],
        "lines": row["lines"],
        "created": row["created_ms"],
        "open": row["open"],
        "verdict": row["verdict"],
        "note": row["note"],
        "judge": None
        if row["j_id"] is None
        else user_wire(User(row["j_id"], row["j_name"], row["j_kind"], row["j_title"])),
        "judged": row["judged_ms"],
        "ban": ban,
    }
