"""The reason on the page of a game that was to be rated and does not count."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from lobby.ratings.ratings import PAIR_LIMIT
from tests.browser.axe import violations
from tests.browser.rated_history import BLITZ, OPENING, execute, rivals
from tests.integration.match import begin
from tests.wire_client import Client

if TYPE_CHECKING:
    from tests.browser.conftest import Invite
    from tests.server_process import ServerProcess

pytestmark = pytest.mark.timeout(120)


async def test_page_says_why_the_game_is_unrated(invite: Invite, server: ServerProcess) -> None:
    tokens = await rivals(server, "Rosa", "Rolf", PAIR_LIMIT)
    rosa, watcher = await invite(), await invite()
    await rosa.page.context.add_cookies([{"name": "zeitnot", "value": tokens[0], "url": server.url}])
    async with Client(server.url, tokens[0]) as white, Client(server.url, tokens[1]) as black:
        short = await begin(white, black, tc=BLITZ, rated=True)
        await rosa.open(f"/game/{short}")
        await expect(rosa.see("unrated")).to_have_count(0)
        await white.request("move", g=short, move="e2e4", ply=0)
        await black.request("move", g=short, move="e7e5", ply=1)
        await black.request("resign", g=short)
        await expect(rosa.see("unrated")).to_have_text("not rated: too short")
        await expect(rosa.see("rating-now")).to_contain_text("at least two moves")
        assert await violations(rosa.page) == []

        await execute(server, "UPDATE game SET rated_at = now() WHERE rated_at IS NOT NULL")
        beyond = await begin(white, black, tc=BLITZ, rated=True)
        for person in (rosa, watcher):
            await person.open(f"/game/{beyond}")
            await expect(person.see("unrated")).to_have_text("casual (daily rated limit reached)")
        for ply, move in enumerate(OPENING):
            await (white, black)[ply % 2].request("move", g=beyond, move=move, ply=ply)
        await black.request("resign", g=beyond)
        await expect(rosa.see("rating-now")).to_contain_text("three games a day")

        later = await begin(white, black, tc={"base_s": 60, "inc_s": 0}, rated=True, delay_s=5)
        await rosa.open(f"/game/{later}")
        for ply, move in enumerate(OPENING):
            await (white, black)[ply % 2].request("move", g=later, move=move, ply=ply)
        await black.request("resign", g=later)
        await expect(rosa.see("rating-now")).to_contain_text("when the game becomes public")
        await expect(rosa.see("rating-now")).to_contain_text("Your new rating:")
        await expect(rosa.see("unrated")).to_have_count(0)
    for person in (rosa, watcher):
        assert person.faults == []
