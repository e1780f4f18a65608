"""Profiles: a few lines that members write about themselves, their country, and whether they are shown online."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from lobby.accounts.countries import COUNTRIES
from lobby.chat import is_visible, shown
from lobby.errors import BadField, Conflict
from lobby.moderation.bans import note_act

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lobby.pairing import NewGame
    from lobby.ports import Connection, Pool

MAX_ABOUT = 400
"""Characters of the text: a few lines."""

MAX_LINES = 8


class PersonProfile(msgspec.Struct, frozen=True):
    """What a person says of themselves.

    Attributes:
        about: lines of text, as written: the word filter is applied when it is shown.
        country: a code of ``COUNTRIES``.
        changed_ms: when it was last changed, Unix ms; 0: never.
    """

    about: str = ""
    country: str | None = None
    changed_ms: int = 0


def checked_profile(about: str, country: str | None) -> PersonProfile:
    """Return the profile to store: lines without control characters and bidirectional overrides, stripped;
    no text if there is nothing to see.

    Raises:
        BadField: ``about`` is too long, or ``country`` is not one of ``COUNTRIES``.
    """
    lines = [" ".join("".join(shown(line)).split()) for line in about.splitlines()]
    text = "\n".join(lines).strip("\n")
    if not any(map(is_visible, text)):
        text = ""
    while "\n\n\n" in text:
        text = text.replace("\n\n\n", "\n\n")
    if len(text) > MAX_ABOUT:
        raise BadField("about", f"expected at most {MAX_ABOUT} characters, got {len(text)}")
    if text.count("\n") >= MAX_LINES:
        raise BadField("about", f"expected at most {MAX_LINES} lines")
    if country is not None and country not in COUNTRIES:
        raise BadField("country", "expected a country code of ISO 3166-1, such as NL")
    return PersonProfile(text, country)


async def read_profile(pool: Pool, person: str) -> PersonProfile:
    """Return the profile of ``person``; an empty one if they have written none."""
    row = await pool.fetchrow(
        "SELECT about, country, (extract(epoch FROM changed_at) * 1000)::bigint FROM profile WHERE person = $1", person
    )
    return PersonProfile() if row is None else PersonProfile(*row)


async def countries_of(pool: Pool | Connection, people: list[str]) -> dict[str, str]:
    """Return the countries of those ``people`` who show one."""
    rows = await pool.fetch(
        "SELECT person, country FROM profile WHERE person = ANY($1) AND country IS NOT NULL", people
    )
    return {row["person"]: row["country"] for row in rows}


async def with_countries(connection: Connection, games: Sequence[NewGame]) -> tuple[NewGame, ...]:
    """Return ``games`` with the countries that their players show now."""
    people = {user.id for game in games for user in (game.white, game.black) if user.kind == "member"}
    found = await countries_of(connection, list(people)) if people else {}
    return tuple(
        msgspec.structs.replace(game, countries=(found.get(game.white.id), found.get(game.black.id))) for game in games
    )


async def write_profile(pool: Pool, person: str, profile: PersonProfile) -> None:
    """Replace the profile of ``person``.

    Raises:
        Conflict: their account was closed meanwhile.
    """
    written = await pool.fetchval(
        """
        INSERT INTO profile (person, about, country)
        SELECT id, $2, $3 FROM person WHERE id = $1 AND closed_at IS NULL FOR SHARE
        ON CONFLICT (person) DO UPDATE SET about = excluded.about, country = excluded.country, changed_at = now()
        RETURNING true
        """,
        person,
        profile.about,
        profile.country,
    )
    if not written:
        raise Conflict("this account is closed")


async def clear_about(pool: Pool, moderator: str, person: str) -> None:
    """Remove the text of ``person``, as a moderator, and record that, without the text: the record outlives the
    account, and a report has the text as evidence. The country stays."""
    async with pool.acquire() as connection, connection.transaction():
        was = await connection.fetchval("SELECT about FROM profile WHERE person = $1 FOR UPDATE", person)
        if was:
            await connection.execute("UPDATE profile SET about = '', changed_at = now() WHERE person = $1", person)
            await note_act(connection, moderator, "clear profile", person, {})


async def set_invisible(pool: Pool, person: str, *, invisible: bool) -> None:
    """Store whether ``person`` is hidden wherever presence is shown. All nodes notice (``AccountPoller``)."""
    await pool.execute(
        "UPDATE person SET is_invisible = $2, changed_at = now() WHERE id = $1 AND is_invisible <> $2",
        person,
        invisible,
    )
