"""How somebody likes the page: a small flat object that his clients agree on and the server only keeps."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import msgspec

from lobby.errors import BadMessage

if TYPE_CHECKING:
    from lobby.accounts.identity import Pool

MAX_BYTES = 4096
"""As JSON: a hundred settings, and no place to keep files in."""

MAX_KEY = 40
"""Characters of a name."""

Setting = str | int | float | bool | None
Preferences = dict[str, Setting]


def check_preferences(value: Any) -> Preferences:
    """``value`` if it can be kept.

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
            raise BadMessage("settings: there is a character that no text can hold")
    size = len(msgspec.json.encode(value))
    if size > MAX_BYTES:
        raise BadMessage(f"settings: expected at most {MAX_BYTES} bytes of JSON, got {size}")
    return value


async def read_preferences(pool: Pool, person: str) -> Preferences:
    """What ``person`` has stored; nothing at first."""
    value: Preferences | None = await pool.fetchval("SELECT value FROM settings WHERE person = $1", person)
    return value or {}


async def write_preferences(pool: Pool, person: str, value: Preferences) -> None:
    """Keep ``value`` instead of what was stored."""
    await pool.execute(
        """
        INSERT INTO settings (person, value) VALUES ($1, $2)
        ON CONFLICT (person) DO UPDATE SET value = excluded.value, changed_at = now()
        """,
        person,
        value,
    )
