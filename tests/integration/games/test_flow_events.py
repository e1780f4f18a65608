"""Events of a game: receivers and order."""

from __future__ import annotations

import itertools

import pytest

from tests.integration.match import BLITZ, begin, match, without_time
from tests.integration.nodes import caught_up, told_by_any
from tests.integration.scores import ALL, TC
from tests.server_process import is_several
from tests.wire_client import Client, Message, guest

FOOLS_MATE = ("f2f3", "e7e5", "g2g4", "d8h4")

RING = 32
"""Events of a game that the server keeps for ``from``."""

SNAPSHOT = {
    *("t", "g", "seq", "game", "variant", "rated", "rules", "speed", "tc", "players", "you", "fen", "moves"),
    *("notation", "times", "position", "turn", "clock", "offers", "status", "result", "reason", "watchers"),
    *("simul", "next", "match"),
}

LONG = max(ALL, key=lambda score: len(score.moves) if score.fen is None else 0).moves


async def heard_since(client: Client, start: int) -> list[Message]:
    """All that came after position ``start`` but for ``crowd``, once whatever was on its way is here."""
    answer = await client.request("ping")
    return [message for message in client.messages[start : client.messages.index(answer)] if message["t"] != "crowd"]


async def test_events_precede_the_reply_in_order_and_without_gaps(url: str) -> None:
    async with match(url) as m:
        await m.play(*FOOLS_MATE)
        await m.heard(5)
        for player, moved in ((m.white, (1, 3)), (m.black, (2, 4))):
            assert [event["seq"] for event in player.events(m.g)] == [1, 2, 3, 4, 5]
            assert [event["t"] for event in player.events(m.g)] == ["move"] * 4 + ["end"]
            # Of what carries a number the event of a move stands before the answer to it.
            told = [(message["t"], message["seq"]) for message in player.messages if "seq" in message]
            for seq in moved:
                assert told.index(("move", seq)) < told.index(("ok", seq))
            if player is m.black:
                assert told.index(("end", 5)) < told.index(("ok", 4))


async def test_unsubscribed_player_receives_replies_only(url: str) -> None:
    async with Client(url, guest(url)[0]) as white, Client(url, guest(url)[0]) as black:
        g = await begin(white, black)
        assert (await white.request("move", g=g, move="e2e4", ply=0))["seq"] == 1
        assert (await black.request("move", g=g, move="e7e5", ply=1))["seq"] == 2
        assert white.events(g) == black.events(g) == []


async def test_snapshot_and_first_move_say_when_a_first_move_must_come(url: str) -> None:
    async with match(url, tc=BLITZ) as m:
        clock = (await m.white.sub(m.g))["clock"]
        assert 0 < clock["first_move_by"] - clock["at"] <= 20_000
        await m.play("e2e4", "e7e5")
        await m.heard(2)
        first, second = (event["clock"] for event in m.white.events(m.g))
        assert first["first_move_by"] - first["at"] == 20_000
        assert "first_move_by" not in second
        assert "first_move_by" not in (await m.black.sub(m.g))["clock"]


async def test_resumed_subscription_is_told_when_a_first_move_must_come(url: str) -> None:
    async with match(url, tc=BLITZ) as m, Client(url) as back:
        due = (await back.sub(m.g))["clock"]["first_move_by"]
        start = len(back.messages)
        await back.request("sub", topic=m.topic, **{"from": 0})
        tick = await back.wait(lambda message: message["t"] == "tick", start)
        assert tick["clock"]["first_move_by"] == pytest.approx(due, abs=500)


async def test_snapshot_is_complete_and_names_the_viewers_side(url: str) -> None:
    async with match(url, "e2e4", "e7e5", tc={"base_s": 600, "inc_s": 5}) as m, Client(url) as stranger:
        shown = {name: await viewer.sub(m.g) for name, viewer in (("w", m.white), ("b", m.black), (None, stranger))}
        for you, body in shown.items():
            assert body.keys() == SNAPSHOT
            assert body["you"] == you
        body = shown[None]
        assert body["players"]["w"]["user"] == m.white.welcome["user"]
        assert body["players"]["b"]["user"] == m.black.welcome["user"]
        assert [body["players"][color]["online"] for color in ("w", "b")] == [True, True]
        assert (body["moves"], body["notation"], body["turn"]) == (["e2e4", "e7e5"], ["e4", "e5"], "w")
        assert (body["tc"], body["speed"]) == ({"base_s": 600, "inc_s": 5}, "rapid")
        assert body["times"] == [600_000, 600_000]
        assert (body["clock"]["run"], body["clock"]["b"]) == ("w", 600_000)
        assert (body["status"], body["result"], body["reason"]) == ("live", "*", None)


async def test_move_event_has_every_field(url: str) -> None:
    async with match(url, "e2e4", "f7f6", "a2a3", "g7g5", "d1h5") as m:
        move = await m.white.event(m.g, 1)
        position = move.pop("position")
        assert position.startswith("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b ")
        assert without_time(move) == {
            "t": "move",
            "g": m.g,
            "seq": 1,
            "ply": 0,
            "by": "w",
            "move": "e2e4",
            "san": "e4",
            "check": False,
        }
        assert move["clock"].keys() == {"w", "b", "run", "at", "first_move_by"}
        assert move["clock"]["run"] is None
        assert (await m.white.event(m.g, 2))["clock"]["run"] == "w"
        mate = await m.heard(5)
        assert (mate["check"], mate["san"]) == (True, "Qh5#")
        end = await m.heard(6)
        assert end.keys() == {"t", "g", "seq", "result", "reason", "clock", "ratings"}
        assert end["clock"]["run"] is None


async def test_both_codecs_deliver_the_same_events(url: str) -> None:
    async with (
        match(url) as m,
        Client(url, codec="msgpack") as binary,
        Client(url, codec="json") as text,
        Client(url, m.white.token, codec="json") as tab,
    ):
        watchers = (binary, text, tab)
        snapshots = [await client.sub(m.g) for client in watchers]
        assert snapshots[0] == {**snapshots[1], "watchers": 1, "clock": snapshots[0]["clock"]}
        await m.play(*FOOLS_MATE[:2])
        await m.black.request("draw", g=m.g, do="offer")
        await m.white.request("moretime", g=m.g, seconds=15)
        await m.play(*FOOLS_MATE[2:])
        for client in (*watchers, m.white, m.black):
            await client.event(m.g, 7)
        assert [event["t"] for event in binary.events(m.g)] == ["move", "move", "offer", "clock", "move", "move", "end"]
        for client in (text, tab, m.white, m.black):
            told = [[told_by_any(url, event) for event in one.events(m.g)] for one in (client, binary)]
            assert told[0] == told[1]


@pytest.mark.parametrize("codec", ["msgpack", "json"])
async def test_resume_delivers_missed_events(url: str, codec: str) -> None:
    seen = len(LONG[:40])
    async with match(url, *LONG[:seen], tc=TC) as m, Client(url, codec=codec) as back:
        await caught_up(back, m.g, seen)
        for missed in (1, 5, RING):
            start = len(back.messages)
            answer = await back.request("sub", topic=m.topic, **{"from": seen - missed}, ticks=False)
            assert answer["seq"] == seen
            told = await heard_since(back, start)
            assert told[0] is answer
            if is_several(url) and told[1]["t"] == "game":  # of a node that had not shown the game yet
                assert (told[1]["seq"], told[1]["moves"]) == (seen, m.played)
                continue
            assert [message["seq"] for message in told[1:]] == list(range(seen - missed + 1, seen + 1))
            expected = [told_by_any(url, event) for event in m.white.events(m.g)[-missed:]]
            assert [told_by_any(url, event) for event in told[1:]] == expected
        # The next event arrives once, however often the client has subscribed.
        await m.play(LONG[seen])
        await back.event(m.g, seen + 1)
        assert [event["seq"] for event in back.events(m.g)].count(seen + 1) == 1


async def test_resume_without_missed_events_delivers_nothing(url: str) -> None:
    async with match(url, "e2e4", "e7e5") as m, Client(url) as back:
        await caught_up(back, m.g, 2)
        start = len(back.messages)
        assert (await back.request("sub", topic=m.topic, **{"from": 2}, ticks=False))["seq"] == 2
        assert [message["t"] for message in await heard_since(back, start)] == ["ok"]
        await m.play("g1f3")
        assert (await back.event(m.g, 3))["move"] == "g1f3"


@pytest.mark.parametrize("seen", [0, 40 - RING - 1, 41, 2**53], ids=["nothing", "too old", "ahead", "far ahead"])
async def test_resume_from_unknown_number_delivers_the_snapshot(url: str, seen: int) -> None:
    async with match(url, *LONG[:40], tc=TC) as m, Client(url) as back:
        await caught_up(back, m.g, 40)
        start = len(back.messages)
        await back.request("sub", topic=m.topic, **{"from": seen}, ticks=False)
        told = await heard_since(back, start)
        assert [message["t"] for message in told] == ["ok", "game"]
        assert (told[0]["seq"], told[1]["seq"], len(told[1]["moves"])) == (40, 40, 40)


async def test_unsubscribing_stops_events(url: str) -> None:
    async with match(url, "e2e4") as m, Client(url) as spectator:
        await spectator.sub(m.g)
        await spectator.request("unsub", topic=m.topic)
        await m.play("e7e5")
        await spectator.request("ping")
        assert spectator.events(m.g) == []


async def test_two_sockets_of_one_player_count_once(url: str) -> None:
    async with match(url, "e2e4") as m:
        async with Client(url, m.white.token, codec="json") as tab:
            assert (await tab.sub(m.g))["you"] == "w"
            await m.play("e7e5")
            await tab.request("move", g=m.g, move="g1f3", ply=2)
            m.played.append("g1f3")
            await m.play("b8c6")
            assert (await tab.event(m.g, 4))["move"] == "b8c6"
            assert (await m.white.event(m.g, 3))["move"] == "g1f3"
            assert m.snapshot()["watchers"] == 0
        # One tab closed, the player is still here.
        assert m.snapshot()["players"]["w"]["online"] is True
        assert await m.black.refused("claim", g=m.g, what="win") == "conflict"


async def test_crowd_event_follows_spectators(url: str) -> None:
    async with match(url, "e2e4", "e7e5") as m:
        async with Client(url) as spectator:
            await spectator.sub(m.g)
            crowd = await m.white.wait(lambda message: message["t"] == "crowd" and message["watchers"] == 1)
            here, nobody_left = {"w": True, "b": True}, {"w": None, "b": None}
            assert crowd == {"t": "crowd", "topic": m.topic, "watchers": 1, "online": here, "left": nobody_left}
            await m.black.close()
            crowd = await spectator.wait(lambda message: message["t"] == "crowd" and not message["online"]["b"])
            assert (crowd["online"], crowd["left"]) == ({"w": True, "b": False}, nobody_left)
            crowd = await m.white.wait(lambda message: message["t"] == "crowd" and not message["online"]["b"])
            assert 8_000 < crowd["left"]["b"] <= 10_000
        await m.white.wait(lambda message: message["t"] == "crowd" and message["watchers"] == 0)
        shown = m.snapshot()
        assert [shown["players"][color]["online"] for color in ("w", "b")] == [True, False]


async def test_clock_ticks_are_sent_on_request(url: str) -> None:
    async with match(url, "e2e4", "e7e5", tc={"base_s": 60, "inc_s": 0}) as m, Client(url, codec="json") as spectator:
        await spectator.sub(m.g)
        ticks: list[Message] = []
        start = 0
        for _ in range(3):
            tick = await spectator.wait(lambda message: message["t"] == "tick", start)
            start = spectator.messages.index(tick) + 1
            ticks.append(tick)
        for tick in ticks:
            assert tick.keys() == {"t", "g", "clock"}
            assert (tick["clock"]["run"], tick["clock"]["b"]) == ("w", 60_000)
        left = [tick["clock"]["w"] for tick in ticks]
        assert all(one - other >= 500 for one, other in itertools.pairwise(left))
        # Both players asked for none.
        assert not [message for client in (m.white, m.black) for message in client.messages if message["t"] == "tick"]


async def test_legal_moves_are_sent_on_request(url: str) -> None:
    async with (
        Client(url, guest(url)[0]) as white,
        Client(url, guest(url)[0], codec="json") as black,
        Client(url) as spectator,
    ):
        g = await begin(white, black)
        assert len((await white.sub(g, legal=True))["legal"]) == 20
        assert "legal" not in await black.sub(g, legal=True)
        assert "legal" not in await spectator.sub(g, legal=True)
        await white.request("move", g=g, move="e2e4", ply=0)
        legal = await black.wait(lambda message: message["t"] == "legal")
        assert legal.keys() == {"t", "g", "ply", "legal"}
        assert (legal["ply"], len(legal["legal"]), "e7e5" in legal["legal"]) == (1, 20, True)
        # It comes after the move that made it their turn.
        kinds = [message["t"] for message in black.messages if message["t"] in ("move", "legal")]
        assert kinds == ["move", "legal"]
        # Who comes back by ``from`` is told too.
        async with Client(url, black.token) as tab:
            await tab.request("sub", topic=f"game:{g}", **{"from": 1}, legal=True)
            kinds_of_answer = ("legal", "game") if is_several(url) else ("legal",)
            again = await tab.wait(lambda message: message["t"] in kinds_of_answer)
            assert again["legal"] == legal["legal"]
        # A takeback makes it White's turn again.
        await white.request("takeback", g=g, do="offer")
        await black.request("takeback", g=g, do="accept")
        assert (await white.wait(lambda message: message["t"] == "legal"))["ply"] == 0
        assert not [message for message in spectator.messages if message["t"] == "legal"]


async def test_welcome_lists_the_players_games(url: str) -> None:
    async with match(url, "e2e4") as m, Client(url) as stranger:
        assert m.white.welcome.keys() == {"t", "v", "user", "now", "games", "limits"}
        assert (m.white.welcome["games"], stranger.welcome["games"], stranger.welcome["user"]) == ([], [], None)
        other = await begin(m.black, m.white, tc=BLITZ)
        welcome = await welcomed(m.white, m.g, other)
        assert sorted(welcome["games"]) == sorted([m.g, other])
        assert welcome["user"] == m.white.welcome["user"]
        await m.black.request("resign", g=m.g)
        assert (await welcomed(m.white, other))["games"] == [other]


async def welcomed(player: Client, *games: str) -> Message:
    """How another socket of ``player`` is welcomed; of several nodes by one that knows of these games."""
    while True:
        async with Client(player.url, player.token) as tab:
            if sorted(tab.welcome["games"]) == sorted(games) or not is_several(player.url):
                return tab.welcome


async def test_http_and_socket_show_the_same_game(url: str) -> None:
    async with match(url, "e2e4", "e7e5", "g1f3") as m:
        await m.white.request("draw", g=m.g, do="offer")
        await m.heard(4)
        assert without_time(m.snapshot(m.black)) == without_time(await m.black.sub(m.g))
        assert without_time(m.snapshot()) == {**without_time(await m.black.sub(m.g)), "you": None}


@pytest.mark.parametrize("codec", ["json", "msgpack"])
async def test_arrival_is_shown_to_both_players(url: str, codec: str) -> None:
    async with match(url, "e2e4", "e7e5", codec=codec) as m:
        start = len(m.white.messages)
        await m.black.request("unsub", topic=m.topic)
        if is_several(url):  # who goes and comes at once is not told of
            await m.white.wait(lambda message: message["t"] == "crowd" and not message["online"]["b"], start)
        before = len(m.white.messages), len(m.black.messages)
        # As a page does: its snapshot came by HTTP, when Black was not here yet.
        await m.black.request("sub", topic=m.topic, **{"from": 2})
        both = {"w": True, "b": True}
        for client, start in zip((m.white, m.black), before, strict=True):
            if is_several(url):  # it comes from the other player's node
                await client.wait(lambda message: message["t"] == "crowd" and message["online"] == both, start)
            await client.request("ping")
            crowds = [message["online"] for message in client.messages[start:] if message["t"] == "crowd"]
            assert both in crowds
