"""Permissions of requests: only its players change a game, each for themselves.

Every request type of the protocol has at least one row in ``ROWS``; a new type without one fails a test here.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from lobby.accounts.scopes import SCOPES as ALL_SCOPES
from realtime.dispatch.verbs.games import BUILDERS
from realtime.protocol.requests import REQUESTS, Hint
from tests.integration.lobby.test_people import ask, users
from tests.integration.match import BLITZ, Match, match, snapshot, without_time
from tests.integration.running_simul import RunningSimul, running
from tests.wire_client import PASSWORD, Client, Refusal, guest, login, member

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping

    from tests.server_process import ServerProcess

OK = "ok"


@dataclass
class Scene:
    """A game in which White is to move, and everybody who looks at it.

    Attributes:
        seek: of White's, for opponents with a rating that no guest has.
        challenge: of White's, by name, to Black.
        people: by the names that the rows use.
        simul: a simul of others with one board, for the rows about such.
    """

    match: Match
    seek: str
    challenge: str
    people: dict[str, Client]
    simul: RunningSimul | None = None


@dataclass(frozen=True)
class Row:
    """What a request gets from each of those who may not make it; ``OK`` where it changes nothing.

    ``seated`` is for the player named there, who holds a seat but may not do this now, or not at all. ``member`` is for
    members, where that is not what guests get; a moderator is one of them, and no more than that at a board.
    """

    type: str
    fields: Callable[[Scene], dict[str, Any]]
    stranger: str
    anonymous: str = "unauthenticated"
    member: str | None = None
    seated: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.type


def _game(**fields: Any) -> Callable[[Scene], dict[str, Any]]:
    return lambda scene: {"g": scene.match.g, **fields}


def _topic(scene: Scene) -> dict[str, Any]:
    return {"topic": scene.match.topic}


def _seek(scene: Scene) -> dict[str, Any]:
    return {"seek": scene.seek}


def _challenge(scene: Scene) -> dict[str, Any]:
    return {"challenge": scene.challenge}


def _terms(**fields: Any) -> Callable[[Scene], dict[str, Any]]:
    return lambda scene: {"tc": BLITZ, **fields}


def _simul(**fields: Any) -> Callable[[Scene], dict[str, Any]]:
    def of(scene: Scene) -> dict[str, Any]:
        assert scene.simul is not None
        return {"simul": scene.simul.id, "g": scene.simul.boards[1], **fields}

    return of


def _player(scene: Scene) -> dict[str, Any]:
    """Return the player of the simul by their name."""
    assert scene.simul is not None
    return {"simul": scene.simul.id, "user": scene.simul.player(1).welcome["user"]["name"]}


ROWS = [
    Row("ping", lambda scene: {}, OK, OK),
    Row("sub", _topic, OK, OK),
    Row("unsub", _topic, OK, OK),
    Row("sub", lambda scene: {"topic": "user"}, OK),
    Row("chat", lambda scene: {**_topic(scene), "text": "well played"}, OK),
    # Guests play casual games.
    Row("seek", _terms(rated=True, min_rating=3900), "forbidden", member=OK, seated={"w": "forbidden"}),
    Row("unseek", _seek, "forbidden", seated={"b": "forbidden"}),
    Row("accept", _seek, "forbidden", seated={"b": "forbidden", "w": "forbidden"}),
    Row("challenge", _terms(to="self", rated=True), "forbidden"),
    Row("challenge", _terms(to="robot", level=3), "unavailable"),
    Row("robots", lambda scene: {"holder": "somebody"}, "forbidden"),
    Row("challenge.accept", _challenge, "forbidden", seated={"w": "forbidden"}),
    Row("challenge.decline", _challenge, "forbidden", seated={"w": "forbidden"}),
    Row("challenge.decline", lambda scene: {"challenge": scene.challenge, "reason": "later"}, "forbidden"),
    Row("challenge.cancel", _challenge, "forbidden", seated={"b": "forbidden"}),
    Row("challenge", _terms(opponent_tc={"base_s": 60}, rated=True), "forbidden"),
    # Nobody but oneself waits; guests wait for casual games only.
    Row("pool.join", lambda scene: {"pool": "3+2", "rated": True}, "forbidden", member=OK),
    Row("pool.take", lambda scene: {"user": "nosuch", "pool": "3+2"}, "conflict"),
    Row("pool.leave", lambda scene: {}, OK),
    Row("move", _game(move="g1f3", ply=2), "forbidden", seated={"b": "not_your_turn"}),
    Row("move", _game(move="b8c6", ply=2), "forbidden", seated={"b": "not_your_turn", "w": "illegal_move"}),
    Row("move", _game(move="e7e5", ply=1), "forbidden", seated={"w": "stale_ply"}),
    Row("move", _game(move="e2e4", ply=0), "forbidden", seated={"b": "stale_ply"}),
    Row("touch", _game(square="g1"), "forbidden", seated={"w": "conflict", "b": "conflict"}),
    Row("signal", _game(on=True), "forbidden", seated={"w": "conflict", "b": "conflict"}),
    Row("press", _game(ply=2), "forbidden", seated={"w": "conflict", "b": "conflict"}),
    Row("write", _game(ply=0, text="e4"), "forbidden", seated={"w": "conflict", "b": "conflict"}),
    Row("sign", _game(), "forbidden", seated={"w": "conflict", "b": "conflict"}),
    Row("restart", _game(do="offer", what="colors"), "forbidden", seated={"w": "conflict", "b": "conflict"}),
    Row("resign", _game(), "forbidden"),
    Row("abort", _game(), "forbidden", seated={"w": "conflict", "b": "conflict"}),
    Row("draw", _game(do="offer"), "forbidden"),
    Row("draw", _game(do="accept"), "forbidden", seated={"w": "conflict", "b": "conflict"}),
    Row("draw", _game(do="decline"), "forbidden", seated={"w": "conflict", "b": "conflict"}),
    Row("draw", _game(do="claim"), "forbidden", seated={"b": "not_your_turn"}),
    Row("takeback", _game(do="offer"), "forbidden"),
    Row("takeback", _game(do="accept"), "forbidden", seated={"w": "conflict", "b": "conflict"}),
    Row("takeback", _game(do="decline"), "forbidden", seated={"w": "conflict", "b": "conflict"}),
    Row("moretime", _game(seconds=15), "forbidden"),
    Row("flag", _game(), "forbidden", seated={"w": "conflict", "b": "conflict"}),
    Row("claim", _game(what="win"), "forbidden", seated={"w": "conflict", "b": "conflict"}),
    Row("claim", _game(what="draw"), "forbidden", seated={"w": "conflict", "b": "conflict"}),
    Row("rematch", _game(do="offer"), "forbidden", seated={"w": "conflict", "b": "conflict"}),
    Row("rematch", _game(do="accept"), "forbidden", seated={"w": "conflict", "b": "conflict"}),
    Row("rematch", _game(do="decline"), "forbidden", seated={"w": "conflict", "b": "conflict"}),
    Row("pause", _game(on=True), "forbidden", seated={"w": "forbidden", "b": "forbidden"}),
    Row("pause", _game(on=False), "forbidden", seated={"w": "forbidden", "b": "forbidden"}),
    Row("hint", _game(), "forbidden", seated={"w": "forbidden", "b": "forbidden"}),
    Row("hint.give", _game(ply=2, move="g1f3", better="w"), "forbidden", seated={"w": "forbidden", "b": "forbidden"}),
    # Strangers and spectators have a room of their own (tests/integration/lobby/test_chat.py).
    Row("chat", lambda scene: {"topic": scene.match.topic, "text": "good luck"}, OK),
    # Anybody may announce a simul; only its host changes it.
    Row("simul.create", lambda scene: {"name": "Mine", "tc": BLITZ}, OK),
    Row("simul.edit", _simul(name="Ours"), "forbidden"),
    Row("simul.edit", _simul(board=1, note="weak"), "forbidden"),
    Row("simul.invite", _player, "forbidden"),
    Row("simul.accept", _player, "forbidden"),
    Row("simul.accept_all", _simul(), "forbidden"),
    Row("simul.add_robots", _simul(level=3), "forbidden"),
    Row("simul.reject", _player, "forbidden"),
    Row("simul.kick", _player, "forbidden"),
    Row("simul.start", _simul(), "forbidden"),
    Row("simul.cancel", _simul(), "forbidden"),
    Row("simul.at", _simul(board=1), "forbidden"),
    Row("simul.next", _simul(), "forbidden"),
    Row("simul.later", _simul(board=1), "forbidden"),
    Row("simul.break", _simul(until=None), "forbidden"),
    Row("simul.adjudicate", _simul(result="1/2-1/2"), "forbidden"),
    Row("simul.end", _simul(), "forbidden"),
    Row("simul.hand_over", _simul(), "forbidden"),
    Row("simul.take_over", _simul(), "forbidden"),
    # It runs, and nobody may join late.
    Row("simul.join", _simul(), "conflict"),
    Row("simul.leave", _simul(), OK),
    Row("simul.prepare", _simul(ply=1, move="e7e5"), "forbidden"),
    Row("simul.pass", _simul(), "forbidden"),
]

PLAYERS = ("simul.join", "simul.leave", "simul.prepare", "simul.pass")
"""What one asks of a simul without being its host."""

SCOPES = {row.type: "play" for row in ROWS} | {"ping": "", "sub": "", "unsub": ""}
SCOPES |= {row.type: "host" for row in ROWS if row.type.startswith("simul.") and row.type not in PLAYERS}
"""What a token has to be good for."""

PRIVATE = "user"
"""The topic that takes the scope ``read``."""

OVER: dict[str, dict[str, Any]] = {
    "move": {"move": "g1f3", "ply": 2},
    "touch": {"square": "g1"},
    "signal": {"on": True},
    "press": {"ply": 2},
    "write": {"ply": 0, "text": "e4"},
    "sign": {},
    "restart": {"do": "offer", "what": "colors"},
    "resign": {},
    "abort": {},
    "draw": {"do": "offer"},
    "takeback": {"do": "offer"},
    "moretime": {"seconds": 15},
    "claim": {"what": "win"},
    "flag": {},
}
"""What the players themselves may not do once a game is over."""


@contextlib.asynccontextmanager
async def scene_of(url: str, cast: Mapping[str, str] | None = None, *, simul: bool = False) -> AsyncIterator[Scene]:
    """The scene, with those of ``cast`` on it too: tokens by the names of their holders. With a simul if that is
    asked for."""
    async with (
        contextlib.AsyncExitStack() as stack,
        match(url, "e2e4", "e7e5") as m,
        Client(url) as anonymous,
        Client(url, guest(url)[0]) as stranger,
        Client(url, guest(url)[0]) as spectator,
    ):
        await spectator.sub(m.g, ticks=False)
        seek = await m.white.request("seek", tc={"days": 3}, min_rating=1600)  # who plays seeks no live game
        challenge = await m.white.request("challenge", tc=BLITZ, to=m.black.welcome["user"]["name"])
        people = {"anonymous": anonymous, "stranger": stranger, "spectator": spectator, "w": m.white, "b": m.black}
        for name, token in (cast or {}).items():
            people[name] = await stack.enter_async_context(Client(url, token))
        running_simul = await stack.enter_async_context(running(url, 1, mode="round")) if simul else None
        yield Scene(m, seek["seek"], challenge["challenge"], people, running_simul)


async def outcome(who: Client, kind: str, fields: dict[str, Any]) -> str:
    """``OK``, or the code of the refusal."""
    try:
        await who.request(kind, **fields)
    except Refusal as refusal:
        return refusal.code
    return OK


def view(scene: Scene) -> dict[str, Any]:
    """The game as a player sees it, but for the clock that runs and for how many look on."""
    shown = without_time(scene.match.snapshot(scene.match.white))
    del shown["watchers"]
    return shown


@pytest.fixture(scope="module")
def cast(server: ServerProcess) -> dict[str, str]:
    """Tokens of a member and of a moderator, and of another member one for each scope alone, by these names."""
    moderator = member(server.url)[1]["name"]
    users(server, "role", moderator, "+moderator")
    session, _ = member(server.url)
    bodies = {scope: {"label": scope, "scopes": [scope], "days": 1, "password": PASSWORD} for scope in ALL_SCOPES}
    tokens: dict[str, str] = {
        scope: ask(server.url, "POST", "account/tokens", body, session)[1]["token"] for scope, body in bodies.items()
    }
    return {"member": member(server.url)[0], "moderator": login(server.url, moderator)[0], **tokens}


def test_every_request_type_has_a_row() -> None:
    assert {row.type for row in ROWS} == REQUESTS.keys()
    assert {kind for kind in REQUESTS.values() if kind.permission.place == "seat"} == BUILDERS.keys() | {Hint}


@pytest.mark.parametrize("row", ROWS, ids=str)
async def test_unauthorised_requests_change_nothing(url: str, cast: Mapping[str, str], row: Row) -> None:
    expected = {"anonymous": row.anonymous, "stranger": row.stranger, "spectator": row.stranger, **row.seated}
    member = row.stranger if row.member is None else row.member
    async with scene_of(url, cast, simul=row.type.startswith("simul.")) as scene:
        needed = "read" if row.fields(scene).get("topic") == PRIVATE else SCOPES[row.type]
        expected |= {"member": member, "moderator": member}
        expected |= {scope: member if needed in ("", scope) else "forbidden" for scope in ALL_SCOPES}
        before = view(scene)
        got = {name: await outcome(scene.people[name], row.type, row.fields(scene)) for name in expected}
        assert got == expected
        assert view(scene) == before
        # What was refused took no number: the next event follows the last.
        await scene.match.play("g1f3")
        assert (await scene.match.heard(3))["move"] == "g1f3"


@pytest.mark.parametrize("kind", OVER)
async def test_requests_do_not_change_a_finished_game(url: str, kind: str) -> None:
    async with scene_of(url) as scene:
        m = scene.match
        await m.black.request("resign", g=m.g)
        before = view(scene)
        expected = {"anonymous": "unauthenticated", "stranger": "forbidden", "w": "game_over", "b": "game_over"}
        got = {name: await outcome(scene.people[name], kind, {"g": m.g, **OVER[kind]}) for name in expected}
        assert got == expected
        assert view(scene) == before


async def test_game_against_oneself_accepts_only_its_player(url: str) -> None:
    async with Client(url, guest(url)[0]) as player, Client(url, guest(url)[0]) as stranger, Client(url) as anonymous:
        g = (await player.request("challenge", tc=BLITZ, to="self"))["g"]
        await player.request("move", g=g, move="e2e4", ply=0)
        before = without_time(snapshot(url, g))
        for kind, fields in (("move", {"move": "e7e5", "ply": 1}), ("pause", {"on": True}), ("resign", {})):
            assert await outcome(stranger, kind, {"g": g, **fields}) == "forbidden"
            assert await outcome(anonymous, kind, {"g": g, **fields}) == "unauthenticated"
        assert without_time(snapshot(url, g)) == before
