"""The HTTP API of a running server, for its operator and its clients."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families
from websockets.exceptions import InvalidStatus

from tests.integration.match import BLITZ, begin, match
from tests.server_process import ServerProcess
from tests.wire_client import WAIT_S, Client, guest

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

METRICS = {
    *("zeitnot_connections", "zeitnot_connections_opened", "zeitnot_connections_closed", "zeitnot_handshakes_refused"),
    *("zeitnot_games_live", "zeitnot_games_ended", "zeitnot_tables", "zeitnot_people_online"),
    *("zeitnot_moves", "zeitnot_events", "zeitnot_errors", "zeitnot_stage_seconds"),
    *("zeitnot_journal_batch_rows", "zeitnot_journal_failures", "zeitnot_collection_seconds"),
    *("zeitnot_journal_queue", "zeitnot_journal_wait_seconds", "zeitnot_loop_lag_seconds"),
    *("zeitnot_messages", "zeitnot_messages_rate_limited", "zeitnot_messages_bad", "zeitnot_failures"),
    *("zeitnot_frames_skipped", "zeitnot_slow_clients"),
}
"""What operators have dashboards and alarms on."""

STAGES = {"decode", "decide", "wait", "journal", "rated_end", "publish"}

HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
}


@pytest.fixture
async def http(url: str) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=url, timeout=WAIT_S) as client:
        yield client


def bearer(client: Client) -> dict[str, str]:
    return {"Authorization": f"Bearer {client.token}"}


async def scraped(http: httpx.AsyncClient) -> dict[str, dict[tuple[str, ...], float]]:
    """Every sample by its family's name and its labels' values; of a histogram the counts only."""
    families = text_string_to_metric_families((await http.get("/metrics")).text)
    return {
        family.name: {
            tuple(sample.labels.values()): sample.value
            for sample in family.samples
            if family.type != "histogram" or sample.name.endswith("_count")
        }
        for family in families
    }


def code_of(response: httpx.Response) -> str:
    body = response.json()
    assert body.keys() == {"error"}
    assert body["error"].keys() == {"code", "message"}
    return str(body["error"]["code"])


async def test_server_is_up_and_ready(http: httpx.AsyncClient) -> None:
    for path, status in (("/healthz", "ok"), ("/readyz", "ready")):
        response = await http.get(path)
        assert (response.status_code, response.json()) == (200, {"status": status})


@pytest.mark.parametrize("path", ["/", "/healthz", "/metrics", "/api/v1/games", "/api/v1/games/nosuch", "/nosuch"])
async def test_every_response_has_a_content_security_policy(http: httpx.AsyncClient, path: str) -> None:
    response = await http.get(path)
    assert {name: response.headers[name] for name in HEADERS} == HEADERS
    policy = response.headers["content-security-policy"]
    assert policy.startswith("default-src 'self';")
    assert "frame-ancestors 'none'" in policy
    assert "server" not in response.headers
    assert (response.headers.get("cache-control") == "no-store") is path.startswith("/api/")


async def test_guest_session_is_created_and_deleted(http: httpx.AsyncClient) -> None:
    made = await http.post("/api/v1/guest")
    assert made.status_code == 201
    assert made.json().keys() == {"token", "user"}
    user = made.json()["user"]
    assert user.keys() == {"id", "name", "kind", "title"}
    assert (user["kind"], user["title"]) == ("guest", None)
    cookie = made.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "samesite=lax" in cookie.lower()
    http.cookies.clear()
    headers = {"Authorization": f"Bearer {made.json()['token']}"}
    assert (await http.get("/api/v1/me", headers=headers)).json()["user"] == user
    assert (await http.get(f"/api/v1/users/{user['name']}")).json()["user"] == user
    assert (await http.post("/api/v1/logout", headers=headers)).status_code == 204
    assert code_of(await http.get("/api/v1/me", headers=headers)) == "unauthenticated"


async def test_logout_ends_the_session(http: httpx.AsyncClient, url: str) -> None:
    async with match(url) as m:
        there = len(m.black.messages)
        assert (await http.post("/api/v1/logout", headers=bearer(m.white))).status_code == 204
        # The one that told of both may still be on its way.
        gone = {"w": False, "b": True}
        await m.black.wait(lambda message: message["t"] == "crowd" and message["online"] == gone, there)
        with pytest.raises(ConnectionError, match="1008"):
            await m.white.wait(lambda message: False)


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/api/v1/me", 401, "unauthenticated"),
        ("GET", "/api/v1/games/nosuch", 404, "not_found"),
        ("GET", "/api/v1/games/nosuch/pgn", 404, "not_found"),
        ("GET", "/api/v1/games/%00", 404, "not_found"),
        ("GET", "/api/v1/games/..%2f..%2fetc", 404, "not_found"),
        ("GET", "/api/v1/games/" + "x" * 500, 404, "not_found"),
        ("GET", "/api/v1/users/nobody", 404, "not_found"),
        ("GET", "/api/v1/users/%00", 404, "not_found"),
        ("GET", "/api/v1/challenges/nosuch", 404, "not_found"),
        ("GET", "/api/v1/challenges/%00", 404, "not_found"),
        ("GET", "/api/v1/games?limit=0", 400, "bad_message"),
        ("GET", "/api/v1/games?limit=101", 400, "bad_message"),
        ("GET", "/api/v1/games?limit=x", 400, "bad_message"),
        ("GET", "/api/v1/games?before=nosuch", 400, "bad_message"),
        ("GET", "/api/v1/games?before=%00", 400, "bad_message"),
        ("GET", "/api/v1/games?user=nobody", 404, "not_found"),
        ("GET", "/api/v1/games?game=nosuch", 400, "bad_message"),
        ("GET", "/api/v1/games?user=%00", 404, "not_found"),
        ("GET", "/api/v1/nosuch", 404, "not_found"),
        ("DELETE", "/api/v1/games", 405, "bad_message"),
        ("GET", "/api/v1/guest", 405, "bad_message"),
    ],
)
async def test_each_http_error_has_its_code(
    http: httpx.AsyncClient, method: str, path: str, status: int, code: str
) -> None:
    response = await http.request(method, path)
    assert response.status_code == status
    assert code_of(response) == code


async def test_invalid_token_is_refused_before_the_upgrade(url: str) -> None:
    for token in ("x", "x" * 43, "x y", "x" * 5000):
        with pytest.raises(InvalidStatus) as refused:
            await Client(url, token).__aenter__()
        assert refused.value.response.status_code in (401, 431)


async def test_games_are_listed_newest_first_page_by_page(url: str, http: httpx.AsyncClient) -> None:
    async with Client(url, guest(url)[0]) as one, Client(url, guest(url)[0]) as two:
        games = [await begin(one, two) for _ in range(7)]
        await one.request("resign", g=games[0])
        name = one.welcome["user"]["name"]
        pages, before = [], None
        while True:
            query = {"user": name, "limit": "3"} | ({} if before is None else {"before": before})
            body = (await http.get("/api/v1/games", params=query)).json()
            assert body.keys() == {"games", "next"}
            pages.append([entry["g"] for entry in body["games"]])
            before = body["next"]
            if before is None:
                break
        assert pages == [games[:3:-1], games[3:0:-1], games[:1]]
        (first,) = body["games"]
        assert (first["status"], first["result"], first["reason"]) == ("over", "0-1", "resignation")
        assert first["players"]["w"]["user"] == one.welcome["user"]
        assert first["ended"] >= first["created"]
        everybody = (await http.get("/api/v1/games", params={"limit": "7"})).json()["games"]
        assert [entry["g"] for entry in everybody] == games[::-1]


async def test_running_game_is_exported_so_far(url: str, http: httpx.AsyncClient) -> None:
    async with match(url, "e2e4", "e7e5") as m:
        response = await http.get(f"/api/v1/games/{m.g}/pgn")
        assert response.headers["content-type"] == "text/plain; charset=utf-8"
        assert response.text.endswith("1. e4 {[%clk 0:05:00.0]} 1... e5 {[%clk 0:05:00.0]} *\n")
        assert f'[White "{m.white.welcome["user"]["name"]}"]' in response.text
        assert f'[Site "{url}/game/{m.g}"]' in response.text


async def test_http_shows_the_side_to_its_player_only(url: str, http: httpx.AsyncClient) -> None:
    async with match(url, "e2e4") as m, Client(url, guest(url)[0]) as stranger:
        path = f"/api/v1/games/{m.g}"
        sides = [
            (await http.get(path, headers=bearer(client))).json()["you"] for client in (m.white, m.black, stranger)
        ]
        assert [*sides, (await http.get(path)).json()["you"]] == ["w", "b", None, None]
        assert code_of(await http.get(path, headers={"Authorization": "Bearer x"})) == "unauthenticated"


@pytest.mark.lone_node("each process counts for itself")
async def test_metrics_count_requests_and_games(url: str, http: httpx.AsyncClient) -> None:
    before = await scraped(http)
    assert before.keys() >= METRICS
    assert before["zeitnot_stage_seconds"].keys() == {(stage,) for stage in STAGES}
    async with match(url, "e2e4", "e7e5") as m:
        assert await m.white.refused("move", g=m.g, move="e4e5", ply=2) == "illegal_move"
        during = await scraped(http)
        await m.white.request("resign", g=m.g)
    after = await scraped(http)

    def rise(name: str, *labels: str) -> float:
        return after[name].get(labels, 0) - before[name].get(labels, 0)

    assert rise("zeitnot_moves") == 2
    assert rise("zeitnot_events") == 3
    assert rise("zeitnot_games_ended", "resignation") == 1
    assert rise("zeitnot_errors", "illegal_move") == 1
    assert rise("zeitnot_connections_opened") == 2
    assert rise("zeitnot_journal_batch_rows") == 3
    assert rise("zeitnot_stage_seconds", "publish") == 3
    assert during["zeitnot_games_live"][()] - before["zeitnot_games_live"][()] == 1
    assert rise("zeitnot_games_live") == 0
    assert during["zeitnot_connections"][()] >= 2
    assert after["zeitnot_failures"][()] == after["zeitnot_journal_failures"][()] == 0


@pytest.mark.lone_node("of what is used up elsewhere a node knows 50 ms later (test_presence.py, test_spending.py)")
async def test_limits_of_an_address_and_of_an_account(tmp_path: Path, own_database: str) -> None:
    limits: dict[str, Any] = {"guests": 3, "connections": 4, "accounts": 2}
    text = ",".join(f"{name}={value}" for name, value in limits.items())
    with ServerProcess(tmp_path / "data", "--limit", text, database=own_database) as server:
        tokens = [guest(server.url)[0] for _ in range(3)]
        async with httpx.AsyncClient(base_url=server.url, timeout=WAIT_S) as http:
            response = await http.post("/api/v1/guest")
        assert (response.status_code, code_of(response)) == (429, "rate_limited")
        assert 0 < int(response.headers["retry-after"]) <= 60

        async def refused(token: str | None) -> int:
            with pytest.raises(InvalidStatus) as error:
                await Client(server.url, token).__aenter__()
            return error.value.response.status_code

        async with Client(server.url, tokens[0]) as first, Client(server.url, tokens[0]):
            assert {name: first.welcome["limits"][name] for name in limits} == limits
            assert await refused(tokens[0]) == 429
            async with Client(server.url, tokens[1]), Client(server.url):
                assert await refused(None) == 429
                assert await refused(tokens[2]) == 429
            # Who has gone makes room.
            async with Client(server.url, tokens[2]), Client(server.url) as last:
                await last.request("ping")
            g = (await first.request("challenge", tc=BLITZ, to="self"))["g"]
            assert await first.request("move", g=g, move="e2e4", ply=0)
