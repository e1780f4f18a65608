"""Chat rooms: players and spectators read only their own."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from game_core.errors import Refusal
from lobby.accounts.user import User
from lobby.chat import FLOOD_LINES, ROOM_LINES
from lobby.errors import BadMessage, Forbidden, RateLimited
from lobby.moderation.bans import Ban, Bans
from realtime.dispatch.verbs.chat import ChatVerbs
from realtime.fanout.session import Session
from realtime.fanout.subscription import Subscription
from realtime.people.block_lists import BlockList
from realtime.protocol.requests import Chat
from tests.realtime.table_harness import BLACK, WHITE, Ear, Harness

if TYPE_CHECKING:
    from realtime.games.table import Table

TOPIC = "game:game1"
GUEST = User("g" * 8, "Guest", "guest")


class Talker(Ear):
    """A socket that is answered too."""

    number = 1

    def send(self, message: dict[str, Any]) -> None:
        self.heard.append(message)


class Scene:
    """A game, and the verb on it. Its table may be away: then it has to be loaded."""

    def __init__(self) -> None:
        self.h = Harness()
        self.is_loaded = True
        self.bans = Bans(None, lambda: 0)  # type: ignore[arg-type]  # of the database nothing is asked here
        self.verbs = ChatVerbs(self, self.h.time, self.bans, self)  # type: ignore[arg-type]  # tables as far as chat needs them

    def mask(self, line: str) -> str:
        return line.replace("darn", "****")

    def peek(self, game_id: str) -> Table | None:
        return self.h.table if self.is_loaded and game_id == "game1" else None

    async def get(self, game_id: str) -> Table | None:
        return self.h.table if game_id == "game1" else None

    def say(self, ear: Ear, text: str, topic: str = TOPIC, **fields: Any) -> None:
        self.verbs.handle(Session(ear), Chat(id=1, topic=topic, text=text, **fields), 0)  # type: ignore[arg-type]  # a socket

    def enter(self, user: User | None) -> Talker:
        """A person subscribes with one more socket."""
        ear = Talker(user)
        self.h.join(ear)
        return ear


def test_rooms_of_players_and_spectators_are_separate() -> None:
    scene = Scene()
    h = scene.h
    spectator = Talker(GUEST)
    scene.say(Talker(WHITE), " good luck ")
    said = {
        "t": "chat",
        "topic": TOPIC,
        "room": "players",
        "user": {"id": WHITE.id, "name": "White", "kind": "guest", "title": None},
        "text": "good luck",
        "at": h.time.wall_ms(h.time.now_ms()),
    }
    assert h.white.heard == h.black.heard == [said]
    assert h.watcher.heard == []
    scene.say(spectator, "who wins?")
    assert (h.watcher.heard[0]["room"], h.watcher.heard[0]["text"]) == ("spectators", "who wins?")
    assert len(h.white.heard) == len(h.black.heard) == 1


def test_line_precedes_its_answer() -> None:
    scene = Scene()
    white = scene.enter(WHITE)
    scene.say(white, "hello")
    assert white.kinds() == ["chat", "ok"]
    assert white.heard[1] == {"t": "ok", "id": 1, "at": white.heard[0]["at"]}


def test_repeated_key_writes_one_line() -> None:
    scene = Scene()
    white = scene.enter(WHITE)
    scene.say(white, "hello", key="k")
    scene.h.time.advance(1000)
    scene.say(white, "hello", key="k")
    scene.say(white, "hello", key="other")
    assert white.kinds() == ["chat", "ok", "ok", "chat", "ok"]
    assert white.heard[2] == white.heard[1]


@pytest.mark.parametrize(
    "topic",
    ["lobby", "game:", "simul:x"],
)
def test_chat_needs_a_known_room(topic: str) -> None:
    with pytest.raises(Refusal) as refused:
        Scene().say(Talker(WHITE), "hello", topic)
    assert refused.value.code == "not_found"


def test_invisible_text_is_refused() -> None:
    with pytest.raises(BadMessage):
        Scene().say(Talker(), " \u202e ")


def test_chat_flood_is_refused_and_not_delivered() -> None:
    scene = Scene()
    for number in range(FLOOD_LINES):
        scene.say(Talker(BLACK), str(number))
    with pytest.raises(RateLimited):
        scene.say(Talker(BLACK), "once more")
    assert len(scene.h.white.heard) == FLOOD_LINES
    scene.say(Talker(WHITE), "calm down")


def backlog(scene: Scene, user: User | None, blocked: BlockList | None = None) -> Talker:
    """A socket that has just subscribed, and has heard what it is sent then."""
    ear, subscription = Talker(user), Subscription(player=user in (WHITE, BLACK), blocked=blocked)
    scene.h.table.join(ear, subscription)  # type: ignore[arg-type]  # a socket
    chat = scene.h.table.chat
    assert chat is not None
    chat.send_backlog("players" if subscription.player else "spectators", ear, subscription)  # type: ignore[arg-type]  # a socket
    return ear


def texts(message: dict[str, Any]) -> list[str]:
    assert message["t"] == "chat.lines"
    return [line["text"] for line in message["lines"]]


def test_unused_room_has_no_backlog() -> None:
    scene = Scene()
    assert scene.h.table.chat is None
    scene.say(Talker(WHITE), "hello")
    assert backlog(scene, GUEST).heard == []


def test_backlog_is_encoded_once_until_the_next_line() -> None:
    scene = Scene()
    scene.say(Talker(WHITE), "one")
    backlog(scene, WHITE)
    chat = scene.h.table.chat
    assert chat is not None
    first = chat._backlogs["players"]
    backlog(scene, BLACK)
    assert chat._backlogs["players"] is first
    scene.say(Talker(BLACK), "two")
    (message,) = backlog(scene, BLACK).heard
    assert (message["t"], message["topic"], message["room"]) == ("chat.lines", TOPIC, "players")
    assert [(line["user"]["name"], line["text"]) for line in message["lines"]] == [("White", "one"), ("Black", "two")]
    assert set(message["lines"][0]) == {"user", "text", "at"}


def test_room_backlog_is_bounded() -> None:
    scene = Scene()
    for number in range(ROOM_LINES + 50):
        scene.h.time.advance(2000)
        scene.say(Talker(GUEST), str(number))
    (message,) = backlog(scene, GUEST).heard
    assert texts(message) == [str(number) for number in range(50, ROOM_LINES + 50)]


async def test_evicted_table_is_loaded_for_chat() -> None:
    scene = Scene()
    scene.is_loaded = False
    white = scene.enter(WHITE)
    for topic in (TOPIC, "game:nothing"):
        session = Session(white)  # type: ignore[arg-type]  # a socket
        scene.verbs.handle(session, Chat(id=1, topic=topic, text="hello"), 0)
        async with asyncio.timeout(5):
            await session.finish()
    assert white.kinds() == ["chat", "ok", "error"]
    assert white.heard[2]["code"] == "not_found"


def test_listed_word_is_masked_for_all() -> None:
    scene = Scene()
    white = scene.enter(WHITE)
    scene.say(white, "darn it")
    assert [m["text"] for m in white.heard if m["t"] == "chat"] == ["**** it"]
    assert [m["text"] for m in scene.h.black.heard] == ["**** it"]


def test_silenced_person_cannot_write() -> None:
    scene = Scene()
    scene.bans._bans = {WHITE.id: {1: Ban(1, WHITE.id, "moderator", "be nice", 60_000)}}
    with pytest.raises(Forbidden, match="until 1970-01-01 00:01 UTC: be nice"):
        scene.say(Talker(WHITE), "hello")
    scene.bans._bans = {WHITE.id: {1: Ban(1, WHITE.id, "aborted", "too many", 60_000)}}
    scene.say(Talker(WHITE), "hello")


def test_blocked_writer_is_not_delivered() -> None:
    scene = Scene()
    blocked = BlockList()
    blocked.fill({BLACK.id})
    white, other = Talker(WHITE), Talker(WHITE)
    scene.h.table.join(white, Subscription(player=True, blocked=blocked))  # type: ignore[arg-type]  # a socket
    scene.h.table.join(other, Subscription(player=True))  # type: ignore[arg-type]  # a socket
    scene.say(Talker(BLACK), "hello")
    scene.say(Talker(WHITE), "anybody?")
    assert [m["text"] for m in white.heard] == ["anybody?"]
    assert [m["text"] for m in other.heard] == ["hello", "anybody?"]


def test_backlog_omits_blocked_writers() -> None:
    scene = Scene()
    for user, text in ((BLACK, "hello"), (WHITE, "anybody?")):
        scene.say(Talker(user), text)
    for blocked, shown in (({BLACK.id}, ["anybody?"]), ({GUEST.id}, ["hello", "anybody?"])):
        read = BlockList()
        read.fill(blocked)
        (message,) = backlog(scene, WHITE, read).heard
        assert texts(message) == shown
    everybody = BlockList()
    everybody.fill({WHITE.id, BLACK.id})
    assert backlog(scene, WHITE, everybody).heard == []


def test_lines_during_load_of_block_list_follow_in_order() -> None:
    scene = Scene()
    for user, text in ((BLACK, "one"), (WHITE, "two")):
        scene.say(Talker(user), text)
    blocked = BlockList()
    here, gone = backlog(scene, WHITE, blocked), backlog(scene, WHITE, blocked)
    for user, text in ((BLACK, "three"), (WHITE, "four")):
        scene.say(Talker(user), text)
    assert here.heard == gone.heard == []
    scene.h.table.leave(gone)  # type: ignore[arg-type]  # a socket
    blocked.fill({BLACK.id})
    assert texts(here.heard[0]) == ["two"]
    assert [message["text"] for message in here.heard[1:]] == ["four"]
    assert gone.heard == []


def test_waiting_lines_for_block_list_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("realtime.people.block_lists.MAX_WAITING", 3)
    blocked, called = BlockList(), list[int]()
    for number in range(5):
        blocked.when_read(lambda number=number: called.append(number))  # type: ignore[misc]  # bound now
    blocked.fill(set())
    blocked.when_read(lambda: called.append(5))
    assert called == [0, 1, 2, 5]
