"""Limit of unfinished games and of requests, in requests to the lobby."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from game_core.errors import Refusal
from lobby.accounts.scopes import ALL
from lobby.accounts.user import Grant
from lobby.moderation.bans import Ban, Bans
from realtime.dispatch.verbs.lobby import UNFINISHED, LobbyVerbs
from realtime.fanout.session import Session
from realtime.journal.live_games import LiveGame, LiveGames
from realtime.protocol.limits import DEFAULTS
from realtime.protocol.requests import Challenge, PoolJoin, PoolTake, Seek, Unseek
from tests.realtime.table_harness import BLACK, WHITE, Ear

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from lobby.accounts.scopes import Scope
    from lobby.accounts.user import User
    from realtime.protocol.request_fields import Request


TAKE = PoolTake(id=1, user="anna", pool="3+2")


class Asker(Ear):
    """A socket that is answered."""

    number = 1

    def send(self, message: dict[str, Any]) -> None:
        self.heard.append(message)


class Desk:
    """A lobby that has been asked once before, with the key ``old``."""

    async def seek(self, user: User, proposal: object, *, key: str | None) -> dict[str, Any]:
        return {"seek": "new"}

    async def unseek(self, user: User, seek: str, *, key: str | None) -> dict[str, Any]:
        return {}

    async def challenge(self, user: User, proposal: object, **_: object) -> dict[str, Any]:
        return {"g": "new"}

    @property
    def waiting(self) -> Desk:
        return self

    def notify(self, user: str, notify: Callable[[dict[str, Any]], None]) -> None:
        notify({"t": "pool"})

    async def reply_to(self, user: User, key: str) -> dict[str, Any] | None:
        return {"seek": "first"} if key == "old" else None


def bans(*banned: str) -> Bans:
    """Those ``banned`` may not play until a second after the epoch, which is now."""
    bans = Bans(None, lambda: 0)  # type: ignore[arg-type]  # of the database nothing is asked here
    bans._bans = {person: {1: Ban(1, person, "aborted", "too many aborted games", 1000)} for person in banned}
    return bans


@pytest.mark.parametrize(("scopes", "kinds"), [(ALL, ["notice", "pool"]), ({"play"}, ["notice"]), (None, [])])
def test_new_socket_is_told_its_pool_only_with_scope_read(scopes: Collection[Scope] | None, kinds: list[str]) -> None:
    asker = Asker(None if scopes is None else WHITE)
    asker.grant = None if scopes is None else Grant(WHITE, b"", scopes=frozenset(scopes))
    verbs = LobbyVerbs(Desk(), LiveGames(), DEFAULTS, bans(WHITE.id))  # type: ignore[arg-type]  # as much of a lobby
    verbs.greet(asker)  # type: ignore[arg-type]  # a socket as far as it is greeted
    assert asker.kinds() == kinds


async def answer(games: int, request: Request, *banned: str) -> dict[str, Any]:
    """What White, who has so many games under way, is answered."""
    live_games = LiveGames()
    for number in range(games):
        live_games.begin(str(number), LiveGame(WHITE.id, WHITE.id, 0))
    asker = Asker(WHITE)
    session = Session(asker)  # type: ignore[arg-type]  # a socket as far as a session needs one
    verbs = LobbyVerbs(Desk(), live_games, DEFAULTS, bans(*banned))  # type: ignore[arg-type]  # as much of a lobby
    verbs.handle(session, request, 0)
    await session.finish()
    said: dict[str, Any] = asker.heard[0]
    return said


async def test_seek_below_the_game_limit_is_accepted() -> None:
    assert (await answer(UNFINISHED - 1, Seek(id=1, tc=None)))["seek"] == "new"


async def test_seek_at_the_game_limit_is_refused() -> None:
    for request in (Seek(id=1, tc=None, key="new"), TAKE):
        assert (await answer(UNFINISHED, request))["code"] == "conflict"


async def test_repeated_request_at_the_game_limit_gets_its_answer() -> None:
    assert (await answer(UNFINISHED, Seek(id=1, tc=None, key="old")))["seek"] == "first"


async def test_requests_that_begin_no_game_are_unlimited() -> None:
    assert (await answer(UNFINISHED, Unseek(id=1, seek="s")))["t"] == "ok"


async def test_banned_player_begins_no_game() -> None:
    for request in (Seek(id=1, tc=None, key="new"), Challenge(id=1, tc=None), PoolJoin(id=1, pool="3+2"), TAKE):
        refused = await answer(0, request, WHITE.id)
        assert refused["code"] == "forbidden"
        assert "until 1970-01-01 00:00 UTC: too many aborted games" in refused["message"]
    assert (await answer(0, Seek(id=1, tc=None), BLACK.id))["t"] == "ok"
    assert (await answer(0, Challenge(id=1, tc=None, to="self"), WHITE.id))["t"] == "ok"
    assert (await answer(0, Unseek(id=1, seek="s"), WHITE.id))["t"] == "ok"
    assert (await answer(0, Seek(id=1, tc=None, key="old"), WHITE.id))["seek"] == "first"


async def test_lobby_requests_are_limited_per_person_over_all_sockets() -> None:
    askers = [Asker(WHITE), Asker(WHITE), Asker(BLACK)]
    sessions = [Session(asker) for asker in askers]  # type: ignore[arg-type]  # sockets as far as sessions need them
    verbs = LobbyVerbs(Desk(), LiveGames(), DEFAULTS, bans())  # type: ignore[arg-type]  # as much of a lobby
    for number in range(DEFAULTS.burst // 2):
        verbs.handle(sessions[number % 2], Unseek(seek="s"), 0)
        await sessions[number % 2].finish()
    with pytest.raises(Refusal, match="seeks and challenges") as refused:
        verbs.handle(sessions[0], Unseek(seek="s"), 0)
    assert refused.value.code == "rate_limited"
    verbs.handle(sessions[2], Unseek(seek="s"), 0)
    verbs.handle(sessions[1], Unseek(seek="s"), 2000)
    with pytest.raises(Refusal):
        verbs.handle(sessions[1], Unseek(seek="s"), 2001)
    for session in sessions:
        await session.finish()
