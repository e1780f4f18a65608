"""Preferences of the page: a small flat object, defined by the clients and stored by the server."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import msgspec

from lobby.errors import BadMessage

if TYPE_CHECKING:
    from lobby.accounts.identity import Pool

MAX_BYTES = 4096
"""Size as JSON: about a hundred settings."""

MAX_KEY = 40
"""Characters of a key."""

Setting = str | int | float | bool | None
Preferences = dict[str, Setting]


def check_preferences(value: Any) -> Preferences:
    """Return ``value`` if it can be stored.

    Raises:
        BadMessage: it is no object, has other values than plain ones, or is too large; the text names the key.
    """
    if not isinstance(value, dict):
        raise BadMessage("settings: expected an object")
    for key, setting in value.items():
        if not (isinstance(key, str) and 0 < len(key) <= MAX_KEY):
            raise BadMessage(f"settings: a name has 1 to {MAX_KEY} characters")
        if not (setting is None or isinstance(setting, str | int | float)):
            raise BadMessage(f"settings.{key}: expected a string, a number, true, false or null")
        if isinstance(setting, float) and not math.isfinite(setting):
            raise BadMessage(f"settings.{key}: expected a finite number")
        if "\0" in key or (isinstance(setting, str) and "\0" in setting):
            raise BadMessage("settings: contains a character that cannot be stored")
    size = len(msgspec.json.encode(value))
    if size > MAX_BYTES:
        raise BadMessage(f"settings: expected at most {MAX_BYTES} bytes of JSON, got {size}")
    return value


async def read_preferences(pool: Pool, person: str) -> Preferences:
    """Return the stored preferences of ``person``; empty if there are none."""
    value: Preferences | None = await pool.fetchval("SELECT value FROM settings WHERE person = $1", person)
    return value or {}


async def write_preferences(pool: Pool, person: str, value: Preferences) -> None:
    """Replace the stored preferences of ``person``."""
    await pool.execute(
        """
        INSERT INTO settings (person, value) VALUES ($1, $2)
        ON CONFLICT (person) DO UPDATE SET value = excluded.value, changed_at = now()
        """,
        person,
        value,
    )
