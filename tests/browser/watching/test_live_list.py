"""The list of games in progress, in a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from realtime.postgres.database import connect
from tests.browser.axe import violations
from tests.browser.scripted_games import ScriptedGames
from tests.browser.watching.test_watching import GAMES, small, tile
from tests.integration.match import begin, match
from tests.wire_client import Client, guest, member

if TYPE_CHECKING:
    from tests.browser.conftest import Invite
    from tests.server_process import ServerProcess

pytestmark = pytest.mark.timeout(180)


@pytest.mark.slow("a dozen boards on a page")
async def test_live_list_follows_every_game(invite: Invite, server: ServerProcess) -> None:
    watcher = await invite()
    async with ScriptedGames(server.url, GAMES) as games:
        await games.play(2)
        await watcher.open("/")
        await watcher.watch("Live games")
        for g in games.ids:
            await expect(small(watcher, g)).to_have_count(1)
        assert await violations(watcher.page) == []
        await games.play(2)
        seen = games.ids[0]
        await small(watcher, seen).scroll_into_view_if_needed()
        await expect(small(watcher, seen)).to_have_attribute("data-ply", "4")
        # Its end is seen where it stands, before another game takes the place.
        await games[0].resign()
        await expect(tile(watcher, seen).get_by_test_id("tile-end")).to_have_text("0-1 resignation")
        await expect(tile(watcher, seen)).to_have_count(0, timeout=30_000)
        for g in games.ids[1:]:
            await expect(small(watcher, g)).to_have_attribute("data-status", "live")
        # By the keyboard to a game and back.
        await small(watcher, games[1].g).press("Enter")
        assert await watcher.at_game() == f"/game/{games[1].g}"
        await watcher.page.go_back()
        await expect(small(watcher, games[1].g)).to_be_visible()


async def test_the_list_is_filtered_by_its_address(invite: Invite, server: ServerProcess) -> None:
    watcher = await invite()
    async with (
        ScriptedGames(server.url, 1, tc={"base_s": 60, "inc_s": 0}) as bullet,
        ScriptedGames(server.url, 1, tc={"base_s": 900, "inc_s": 10}) as rapid,
    ):
        await bullet.play(2)
        await rapid.play(2)
        await watcher.open("/live?speed=rapid&speed=warp&min_rating=none")
        await expect(small(watcher, rapid[0].g)).to_be_visible()
        await expect(small(watcher, bullet[0].g)).to_have_count(0)
        await watcher.page.get_by_label("Speed").select_option("bullet")
        await expect(small(watcher, bullet[0].g)).to_be_visible()
        await expect(small(watcher, rapid[0].g)).to_have_count(0)
        await watcher.page.wait_for_url("**/live?speed=bullet")
        await watcher.page.get_by_label("Titled players").check()
        await expect(watcher.see("no-live")).to_have_text("No games match the filter.")
        await watcher.page.wait_for_url("**/live?speed=bullet&title=1")
        await watcher.click("all")
        await expect(small(watcher, rapid[0].g)).to_be_visible()
        await watcher.page.wait_for_url("**/live")
        # The way back undoes one choice after the other.
        await watcher.page.go_back()
        await expect(watcher.see("no-live")).to_be_visible()
        await expect(watcher.page.get_by_label("Titled players")).to_be_checked()
        await watcher.page.go_back()
        await expect(small(watcher, bullet[0].g)).to_be_visible()
        await expect(watcher.page.get_by_label("Titled players")).not_to_be_checked()
        await watcher.page.go_back()
        await expect(small(watcher, rapid[0].g)).to_be_visible()
        await expect(small(watcher, bullet[0].g)).to_have_count(0)
        await watcher.page.go_forward()
        await expect(small(watcher, bullet[0].g)).to_be_visible()
        # Whose friends, a stranger is asked.
        await watcher.open("/live?friends=1")
        await expect(watcher.see("live-stranger").get_by_role("link")).to_have_attribute(
            "href", "/login?next=%2Flive%3Ffriends%3D1"
        )


async def test_list_filters_friends_and_titles(invite: Invite, server: ServerProcess) -> None:
    """A friend is whom one has played three times."""
    url = server.url
    own, friend = guest(url)[0], guest(url)[0]
    token, master = member(url)
    async with server.opened() as database:
        connection = await connect(database, name="tests")
        await connection.execute("UPDATE person SET title = 'IM', changed_at = now() WHERE id = $1", master["id"])
        await connection.close()
    async with Client(url, own) as one, Client(url, friend) as other:
        for _ in range(3):
            await one.request("abort", g=await begin(one, other))
        async with (
            match(url, "e2e4", "e7e5") as strangers,
            Client(url, guest(url)[0]) as third,
            Client(url, guest(url)[0]) as fourth,
            Client(url, token) as titled,
        ):
            of_friend, of_master = await begin(other, third), await begin(fourth, titled)
            for white, black, g in ((other, third, of_friend), (fourth, titled, of_master)):
                await white.request("move", g=g, move="d2d4", ply=0)
                await black.request("move", g=g, move="d7d5", ply=1)
            watcher = await invite()
            await watcher.context.add_cookies([{"name": "zeitnot", "value": own, "url": watcher.home}])
            await watcher.open("/live")
            await expect(small(watcher, strangers.g)).to_be_visible()
            await watcher.page.get_by_label("Friends").check()
            await expect(small(watcher, of_friend)).to_be_visible()
            await expect(watcher.see("live-game")).to_have_count(1)
            await watcher.page.wait_for_url("**/live?friends=1")
            await watcher.page.get_by_label("Friends").uncheck()
            await expect(small(watcher, strangers.g)).to_be_visible()
            await watcher.page.get_by_label("Titled players").check()
            await expect(small(watcher, of_master)).to_contain_text("IM")
            await expect(watcher.see("live-game")).to_have_count(1)
            await watcher.page.wait_for_url("**/live?title=1")
