"""Query parameters that select games, and the filter made from them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
from msgspec import Meta

from game_core.color import Color
from game_core.registry import games
from game_core.time_control import Speed
from lobby.errors import BadMessage
from lobby.ids import is_id
from realtime.http.accounts.profiles import person_named
from realtime.journal.game_rows import find_game
from realtime.watching.game_lists import VARIANTS, Cursor, GameFilter, Outcome
from realtime.watching.listed_games import MOST

if TYPE_CHECKING:
    from lobby.ports import Pool

DEFAULT_PAGE = 20

MS_DIGITS = 13
"""Unix ms have 13 digits from 2001 to 2286; ids have at most 12 characters."""

Instant = Annotated[int, Meta(ge=0, lt=10**MS_DIGITS)]
"""Unix ms."""


Variant = Annotated[str, Meta(extra_json_schema={"enum": VARIANTS})]

Family = Annotated[str, Meta(extra_json_schema={"enum": games()})]


class KindQuery(msgspec.Struct, frozen=True, kw_only=True):
    """``GET /api/v1/users/{name}/pgn``: which of the user's games."""

    opponent: Annotated[str | None, Meta(description="games against this user; requires `user`")] = None
    color: Annotated[Color | None, Meta(description="the colour of `user`; requires `user`")] = None
    variant: Annotated[Variant | None, Meta(description="games of this variant")] = None
    speed: Annotated[Speed | None, Meta(description="games at this speed")] = None
    rated: Annotated[Literal["0", "1"] | None, Meta(description="1: rated games; 0: casual games")] = None
    result: Annotated[Outcome | None, Meta(description="the result for `user`; requires `user`")] = None
    since: Annotated[Instant | None, Meta(description="games created at this instant or later")] = None
    until: Annotated[Instant | None, Meta(description="games created before this instant")] = None

    def __post_init__(self) -> None:
        if self.variant is not None and self.variant not in VARIANTS:
            raise ValueError(f"variant: expected one of {', '.join(VARIANTS)}")


class GamesQuery(KindQuery, frozen=True, kw_only=True):
    """``GET /api/v1/games``."""

    user: Annotated[str | None, Meta(description="games of this user")] = None
    game: Annotated[Family | None, Meta(description="games of this family; not with `user`")] = None
    before: Annotated[
        str | None,
        Meta(description="start after the game with this id, or before this instant: `next` of the previous page"),
    ] = None
    limit: Annotated[int, Meta(ge=1, le=MOST, description="maximum number of entries")] = DEFAULT_PAGE
    live: Annotated[
        Literal["1"] | None, Meta(description="games in progress; of the other parameters only `limit` applies")
    ] = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.game is not None and self.game not in games():
            raise ValueError(f"game: expected one of {', '.join(games())}")


async def filter_of(pool: Pool, query: KindQuery, user: str | None) -> GameFilter:
    """Return the filter of the games that ``query`` asks for.

    Args:
        user: id of the user whose games are asked for; None for the games of everybody.

    Raises:
        Refusal: ``bad_message``: a parameter requires a user; ``not_found``: there is no opponent of that name.
    """
    if user is None:
        for name in ("opponent", "color", "result"):
            if getattr(query, name) is not None:
                raise BadMessage(f"{name}: requires user")
    opponent = None if query.opponent is None else await person_named(pool, query.opponent)
    return GameFilter(
        user=user,
        opponent=None if opponent is None else opponent.id,
        color=query.color,
        variant=query.variant,
        speed=query.speed,
        rated=None if query.rated is None else query.rated == "1",
        result=query.result,
        since=None if query.since is None else _instant(query.since),
        until=None if query.until is None else _instant(query.until),
    )


async def cursor_of(pool: Pool, before: str | None) -> Cursor | None:
    """Return the position that ``before`` names: Unix ms, or the id of a game, which is exact.

    Raises:
        BadMessage: it is neither.
    """
    if before is None:
        return None
    if before.isascii() and before.isdigit() and len(before) == MS_DIGITS:
        return _instant(int(before)), ""
    row = await find_game(pool, before) if is_id(before) else None
    if row is None:
        raise BadMessage("before: expected the id of a game, as in next, or an instant in Unix ms")
    return row.created_at, row.setup.id


def _instant(unix_ms: int) -> datetime:
    return datetime.fromtimestamp(unix_ms / 1000, UTC)
