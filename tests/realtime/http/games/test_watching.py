"""Lists of games in progress, television and oEmbed by HTTP; streams have their tests on a server's own sockets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from lobby.proposals import Proposal
from realtime.people.friends import FRESH_S, Friends
from tests.realtime.http.accounts.test_account import somebody
from tests.realtime.http.accounts.test_signing import bearer
from tests.realtime.http.conftest import BASE, error_of

if TYPE_CHECKING:
    import httpx

    from lobby.accounts.user import User
    from tests.realtime.http.conftest import Web


class TestLive:
    @pytest.mark.parametrize(
        ("query", "names"),
        [
            ("speed=fast", "speed"),
            ("variant=shogi", "variant"),
            ("min_rating=-1", "min_rating"),
            ("min_rating=4001", "min_rating"),
            ("title=2", "title"),
            ("friends=yes", "friends"),
            ("limit=0", "limit"),
            ("limit=101", "limit"),
        ],
    )
    async def test_invalid_live_filter_is_refused(self, program: httpx.AsyncClient, query: str, names: str) -> None:
        response = await program.get(f"/api/v1/live?{query}")
        assert error_of(response) == (400, "bad_message")
        assert names in response.json()["error"]["message"]

    async def test_live_list_may_be_empty(self, program: httpx.AsyncClient) -> None:
        response = await program.get("/api/v1/live?speed=blitz&variant=standard&min_rating=1000&title=1&limit=100")
        assert (response.status_code, response.json()) == (200, {"games": [], "total": 0})

    async def test_friends_filter_requires_authentication(self, web: Web, program: httpx.AsyncClient) -> None:
        assert error_of(await program.get("/api/v1/live?friends=1")) == (401, "unauthenticated")
        anna = await somebody(web, "Anna")
        response = await program.get("/api/v1/live?friends=1", headers=bearer(anna.token))
        assert response.json() == {"games": [], "total": 0}


class TestFriends:
    async def test_friends_are_frequent_unblocked_opponents(self, web: Web) -> None:
        (anna, _), (bert, _), (carl, _), (dora, _) = [await web.identities.create_guest() for _ in range(4)]
        for white, black in ((anna, bert), (bert, anna), (anna, bert), (anna, carl), (carl, anna)):
            await played(web, white, black)
        for _ in range(3):
            await played(web, anna, dora)
        await web.pool.execute("INSERT INTO block (person, blocked) VALUES ($1, $2)", anna.id, dora.id)
        now = [0.0]
        friends = Friends(web.pool, web.block_lists, lambda: now[0])
        assert await friends.of(anna.id) == {bert.id}
        assert await friends.of(dora.id) == set()
        await played(web, carl, anna)
        assert await friends.of(anna.id) == {bert.id}
        now[0] += FRESH_S
        assert await friends.of(anna.id) == {bert.id, carl.id}

    async def test_whom_one_follows(self, web: Web) -> None:
        (anna, _), (bert, _), (carl, _) = [await web.identities.create_guest() for _ in range(3)]
        friends = Friends(web.pool, web.block_lists)
        assert await friends.of(anna.id) == set()
        for followed in (bert, carl):
            await web.pool.execute("INSERT INTO follow (person, followed) VALUES ($1, $2)", anna.id, followed.id)
        friends.forget(anna.id)
        assert await friends.of(anna.id) == {bert.id, carl.id}
        assert await friends.of(carl.id) == set()
        await web.pool.execute("INSERT INTO follow (person, followed) VALUES ($1, $2)", carl.id, bert.id)
        await web.pool.execute("INSERT INTO block (person, blocked) VALUES ($1, $2)", carl.id, anna.id)
        web.block_lists.changed(carl.id, anna.id, blocked=True)  # at this node or at another
        assert await friends.of(anna.id) == {bert.id}
        assert await friends.of(carl.id) == {bert.id}


async def played(web: Web, white: User, black: User) -> None:
    challenge = await web.lobby.challenge(white, Proposal(tc=None, color="w"))
    await web.lobby.challenge_accept(black, challenge["challenge"])


async def test_television_is_empty_before_the_first_game(program: httpx.AsyncClient) -> None:
    assert (await program.get("/api/v1/tv")).json() == {"channels": {}}


@pytest.mark.parametrize("path", ["tv/standard/stream", "tv/%00/stream", "games/nosuch/stream", "games/%00/stream"])
async def test_stream_of_unknown_channel_or_game_is_not_found(program: httpx.AsyncClient, path: str) -> None:
    assert error_of(await program.get(f"/api/v1/{path}")) == (404, "not_found")
    assert (await program.head(f"/api/v1/{path}")).status_code == 404


async def test_head_request_opens_no_stream(program: httpx.AsyncClient) -> None:
    response = await program.head("/api/v1/tv/best/stream")
    assert (response.status_code, response.headers["content-type"]) == (200, "application/x-ndjson")
    assert response.headers["cache-control"] == "no-store"


SNAPSHOT = {
    "t": "game", "g": "game1", "tc": {"base_s": 180, "inc_s": 2}, "speed": "blitz", "game": "chess",
    "rated": False, "variant": "standard", "status": "live", "turn": "w", "moves": [], "reason": None, "result": "*",
    "players": {"w": {"user": {"name": "Anna"}}, "b": {"user": {"name": "Bert"}}},
}  # fmt: skip


class TestOembed:
    async def ask(self, web: Web, **query: Any) -> httpx.Response:
        web.server.snapshots["game1"] = SNAPSHOT
        return await (await web.client()).get("/oembed", params=query)

    async def test_oembed_describes_the_game(self, web: Web) -> None:
        response = await self.ask(web, url=f"{BASE}/game/game1", format="json")
        assert response.status_code == 200
        assert response.json() == {
            "version": "1.0",
            "type": "rich",
            "provider_name": "Zeitnot",
            "provider_url": BASE,
            "title": "Anna \N{EN DASH} Bert · 3+2 blitz · Zeitnot",
            "html": f'<iframe src="{BASE}/embed/game/game1" width="400" height="480"'
            ' title="Anna \N{EN DASH} Bert · 3+2 blitz · Zeitnot" style="border:0" allow="fullscreen"'
            ' loading="lazy"></iframe>',
            "width": 400,
            "height": 480,
            "cache_age": 0,
        }
        assert response.headers["access-control-allow-origin"] == "*"
        assert response.headers["cache-control"] == "no-store", "any host is believed"
        assert web.server.viewers == [None]

    @pytest.mark.parametrize("path", ["/game/game1", "/game/game1/", "/embed/game/game1", "/game/game1?ply=3#x"])
    async def test_oembed_accepts_addresses_of_a_game(self, web: Web, path: str) -> None:
        assert (await self.ask(web, url=BASE + path)).status_code == 200

    @pytest.mark.parametrize(
        "url",
        [
            "http://elsewhere.test/game/game1",
            f"{BASE}/game/nosuch",
            f"{BASE}/user/Anna",
            f"{BASE}/game/game1/pgn",
            "ftp://zeitnot.test/game/game1",
            "http://[/game/game1",
            "game1",
            f"{BASE}@elsewhere.test/game/game1",
        ],
    )
    async def test_oembed_of_foreign_address_is_not_found(self, web: Web, url: str) -> None:
        assert error_of(await self.ask(web, url=url)) == (404, "not_found")

    @pytest.mark.parametrize(
        ("most", "size"),
        [
            ({"maxwidth": 300}, (300, 380)),
            ({"maxheight": 300}, (220, 300)),
            ({"maxwidth": 2000, "maxheight": 2000}, (400, 480)),
            ({"maxwidth": 1, "maxheight": 1}, (1, 1)),
        ],
    )
    async def test_oembed_size_respects_the_maximum(
        self, web: Web, most: dict[str, int], size: tuple[int, int]
    ) -> None:
        answer = (await self.ask(web, url=f"{BASE}/game/game1", **most)).json()
        assert (answer["width"], answer["height"]) == size
        assert f'width="{size[0]}" height="{size[1]}"' in answer["html"]

    async def test_oembed_supports_json_only(self, web: Web) -> None:
        response = await self.ask(web, url=f"{BASE}/game/game1", format="xml")
        assert response.status_code == 501
        assert response.json()["error"]["code"] == "bad_message"

    async def test_oembed_escapes_names(self, web: Web) -> None:
        name = '"><script>'
        web.server.snapshots["game2"] = {
            **SNAPSHOT,
            "g": "game2",
            "players": {"w": {"user": {"name": name}}, "b": {"user": {"name": "Bert"}}},
        }
        html = (await self.ask(web, url=f"{BASE}/game/game2")).json()["html"]
        assert "<script" not in html
        assert (await self.ask(web)).status_code == 400
