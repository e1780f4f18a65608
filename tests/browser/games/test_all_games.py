"""Every game except chess, played to its end on pages, with a spectator."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

import msgspec
import pytest
from playwright.async_api import expect

from game_core.registry import registered, rules_for
from tests.browser.axe import violations
from tests.browser.board_moves import lead, pull, stands
from tests.browser.seats import together
from tests.tiers import tiered

if TYPE_CHECKING:
    from collections.abc import Iterator

    from game_core.rules import Played, Position, Rules
    from tests.browser.conftest import Invite
    from tests.browser.person import Person
    from tests.server_process import ServerProcess

pytestmark = pytest.mark.timeout(120)


class Line(msgspec.Struct, frozen=True):
    """The last moves of a game, from ``fen``."""

    fen: str
    moves: str


LINES = {
    "international": Line("B:W29,46:B28,43", "43-48 46-41 48-37 41x23"),
    "classic": Line("W:W18,27,30:B7,22", "30-25 22x29 27-24 29x28"),
    "english": Line("W:W7,15:B4,20,24", "7-3 24-28 3-8 4x18"),
    "italian": Line("W:W22,30:B9,12,14", "30-26 12-15 22-18 14x30"),
    # The man is crowned on its way, and goes on as a king.
    "russian": Line("B:We5,g3,c1:Bh8,d4,c3", "d4xf6 c1-d2 c3xh4"),
    "brazilian": Line("B:We7,b4,f2:Bh6,f4", "h6-g5 e7-d8 f4-g3 f2xf6"),
    # Along a row, then along a column.
    "frisian": Line("B:W35,41:B28,43", "43-48 41-36 48-37 36x18"),
    "turkish": Line("W:Wd6,e6,h5:Ba7,c5,h2", "h5-h6 h2-h1 e6-e7 h1xd3"),
}
"""Each with a capture of several and a promotion; the losing games go the same ways, for the other side."""

STARS = {
    "ten": Line("w/ww/www/ww1w/13/7b1b2/6w4/2b7/3b5/2b5b1/1b1b7/5bb5/13/4/3/2/1 w", "o3-n3 g4-k4 k7-o3"),
    "fifteen": Line(
        "w/ww/www/1www/4wwwww4/1bb4b4/3bb6/4b1w1b1/2b2b2b/10/7b2b/2b1b4b2/13/4/3/2/1 w", "j7-j6 k4-i4 j6-n1"
    ),
}
"""With chains of several hops, the last into the goal."""

WAYS = {"all_captured": "all pieces captured", "no_moves": "no legal moves", "goal": "goal reached"}


def course(rules: Rules, line: Line) -> Iterator[tuple[Position, Played]]:
    """What stands before each of the moves, and what comes of it."""
    position = rules.start(line.fen)
    for move in line.moves.split():
        played = rules.play(position, move)
        assert played.move == move
        yield position, played
        position = played.position


def kings(fen: str) -> tuple[int, int]:
    """White's and Black's."""
    _, white, black, *_ = fen.split(":")
    return white.count("K"), black.count("K")


def pieces(fen: str) -> str:
    """Without moves in a row: the page writes positions that it steps through by itself, and does not count there."""
    return ":".join(fen.split(":")[:3])


@pytest.mark.parametrize("variant", LINES)
def test_sample_games_cover_every_feature(variant: str) -> None:
    rules = rules_for("draughts", variant)
    before, played = zip(*course(rules, LINES[variant]), strict=True)
    assert any(one.leaps is not None and len(one.leaps.taken) > 1 for one in played)
    assert any(
        max(kings(rules.fen(one.position))) > max(kings(rules.fen(was)))
        for was, one in zip(before, played, strict=True)
    )
    assert rules.outcome(played[-1].position) is not None


def test_no_variant_is_left_out() -> None:
    variants = {variant for game, variant in registered() if game != "chess"}
    assert variants == {*LINES, *(f"losing-{variant}" for variant in LINES), *STARS}


@pytest.mark.parametrize("variant", STARS)
def test_sample_star_games_have_chains_of_hops(variant: str) -> None:
    rules = rules_for("chinese-checkers", variant)
    chains = [played.leaps.path for _, played in course(rules, STARS[variant]) if played.leaps]
    assert [len(path) > 1 for path in chains] == [True, True]


async def to_the_end(
    server: ServerProcess, people: tuple[Person, Person, Person], family: str, variant: str, line: Line
) -> None:
    """White moves by clicks, Black by dragging; a spectator watches."""
    white, black, watcher = people
    rules = rules_for(family, variant)
    path = await together(server, white, black, game=family, variant=variant, fen=line.fen)
    await watcher.open(path)
    await stands(rules.fen(rules.start(line.fen)), *people)
    moves = list(course(rules, line))
    for ply, (before, played) in enumerate(moves):
        start, *_, end = re.split("[-x]", played.move)
        if rules.turn(before) == "w":
            # Of hops on the star each may be the last: only where it ends is clicked.
            await lead(white, [start, *(played.leaps.path if played.leaps and played.leaps.taken else [end])])
        else:
            await pull(black, start, end)
        await stands(rules.fen(played.position), *people)
        if ply == 0:
            # It goes on where it stood.
            await white.page.reload()
            await white.connected()
            await stands(rules.fen(played.position), white)
    await over(rules, moves[-1][1].position, *people)
    for person in people:
        # Where the one began who usually goes second there is a gap first.
        assert [move for move in await person.score() if move != "…"] == [played.notation for _, played in moves]
    for before, _ in reversed(moves):
        await watcher.page.keyboard.press("ArrowLeft")
        await stands(pieces(rules.fen(before)), watcher)
    for _, played in moves:
        await watcher.page.keyboard.press("ArrowRight")
        await stands(pieces(rules.fen(played.position)), watcher)


async def over(rules: Rules, position: Position, *people: Person) -> None:
    """Wait until all of them, White and Black first, see how it has ended."""
    outcome = rules.outcome(position)
    assert outcome is not None
    assert outcome.winner is not None
    result, words = ("1-0", ("You win", "You lose")) if outcome.winner == "w" else ("0-1", ("You lose", "You win"))
    for person in people:
        await expect(person.see("result")).to_have_text(result)
        await expect(person.see("end")).to_contain_text(WAYS[outcome.reason])
    for person, said in zip(people[:2], words, strict=True):
        await expect(person.see("end")).to_contain_text(said)


@pytest.mark.parametrize("variant", tiered(LINES, quick=["international"], why="whole games in the browser"))
async def test_a_game_of_draughts_and_its_losing_twin(server: ServerProcess, invite: Invite, variant: str) -> None:
    people = (await invite(), await invite(), await invite())
    for name in (variant, f"losing-{variant}"):
        await to_the_end(server, people, "draughts", name, LINES[variant])


async def test_games_on_the_star(server: ServerProcess, invite: Invite) -> None:
    people = (await invite(), await invite(), await invite())
    for variant, line in STARS.items():
        await to_the_end(server, people, "chinese-checkers", variant, line)
    assert await violations(people[2].page) == []


async def test_form_remembers_the_requested_game(invite: Invite) -> None:
    white, black = await invite(), await invite()
    line = LINES["english"]
    rules = rules_for("draughts", "english")
    await white.open("/?create")
    await white.choose("Draughts", "English", "White")
    await expect(white.see("begins")).to_have_text("Black moves first.")
    await expect(white.see("rules")).to_have_count(0)
    await white.advanced()
    await white.see("position").check()
    await white.see("fen").fill("W:W7,15:B4,20,15")
    await white.click("challenge")
    await expect(white.see("fen-fault")).to_have_text("Two pieces stand on 15.")
    await white.see("fen").fill(line.fen)
    await expect(white.see("fen-fault")).to_have_text("")
    await expect(white.see("setup-board")).to_have_attribute("data-fen", re.compile("^W:W"))
    assert await violations(white.page) == []
    await white.click("challenge")
    await expect(white.see("terms")).to_contain_text("English draughts")
    await black.open((await white.see("link").input_value()).removeprefix(black.home))
    await expect(black.see("start")).to_have_attribute("aria-label", re.compile("White to move"))
    assert await violations(black.page) == []
    await black.click("accept")
    await asyncio.gather(white.at_game(), black.at_game())
    await stands(rules.fen(rules.start(line.fen)), white, black)
    for person in (white, black):
        assert await violations(person.page) == []
    await expect(white.page.locator(".about-game")).to_contain_text("English draughts")
    for before, played in course(rules, line):
        if rules.turn(before) == "w":
            # What begins a move goes where moves are typed.
            await expect(white.see("board")).to_have_attribute("data-movable", "true")
            await white.page.keyboard.type(played.move)
            await white.page.keyboard.press("Enter")
        else:
            await pull(black, *re.split("x|-", played.move))
        await stands(rules.fen(played.position), white, black)
    assert await white.see("game").get_attribute("data-status") == "over"
    await white.open("/?create")
    for name in ("Draughts", "English"):
        await expect(white.page.locator("form").get_by_role("radio", name=name, exact=True)).to_be_checked()


async def test_form_offers_losing_games_and_profiles(invite: Invite) -> None:
    somebody = await invite()
    await somebody.open("/?create")
    await somebody.choose("Draughts")
    await somebody.see("how").locator("summary").click()
    await expect(somebody.see("how")).to_contain_text("board, 20 men each")
    await somebody.advanced()
    await expect(somebody.see("rules").locator("option")).to_have_text(["Online", "Official", "FMJD"])
    await somebody.see("rules").select_option("fmjd")
    await somebody.click("self")
    await somebody.at_game()
    about = somebody.page.locator(".about-game")
    await expect(about).to_contain_text("International draughts")
    await expect(somebody.see("profile")).to_have_text("FMJD rules")
    # What is of chess alone is not there.
    for name in ("pgn", "claim"):
        await expect(somebody.see(name)).to_have_count(0)
    pdn = await somebody.see("pdn").get_attribute("href")
    assert (await somebody.page.request.get(f"{somebody.home}{pdn}")).status == 200
    # In another variant who plays to lose goes on to; its rules are its own.
    await somebody.open("/?create")
    await somebody.advanced()
    await expect(somebody.see("rules")).to_have_value("online")
    await somebody.see("losing").check()
    await expect(somebody.see("rules")).to_have_count(0)
    await somebody.choose("Turkish")
    await expect(somebody.see("losing")).to_be_checked()
    await somebody.see("how").locator("summary").click()
    await expect(somebody.see("how")).to_contain_text("Captures stay compulsory")


TWO_WAYS = "W:WK47:B9,19,28,42,44"
"""From 47 to 4 there are two ways, on which different pieces are taken."""


async def test_ambiguous_capture_is_chosen_by_path(server: ServerProcess, invite: Invite) -> None:
    rules = rules_for("draughts", "international")
    start = rules.start(TWO_WAYS)
    (white, black) = (await invite(), await invite())
    for asked, move in ((True, "47x33x22x4"), (False, "47x24x13x4")):
        await together(server, white, black, game="draughts", variant="international", fen=TWO_WAYS)
        if asked:
            await pull(white, "47", "4")
            await expect(white.see("ways")).to_be_visible()
            assert await violations(white.page) == []
            await white.click(f"way-{move}")
        else:
            await lead(white, ["47", "24", "13", "4"])
        await stands(rules.fen(rules.play(start, move).position), white, black)
        assert await black.score() == [move]


KINGS = "W:WK47,K48:BK1"
TO_AND_FRO = ("47-36", "1-6", "36-4", "6-1", "4-9", "1-6", "9-3", "6-1")
"""Two kings against one are drawn after five moves each; so far these are four."""


async def test_a_limit_is_counted_down_to_its_draw(server: ServerProcess, invite: Invite) -> None:
    white, black, watcher = await invite(), await invite(), await invite()
    path = await together(server, white, black, TO_AND_FRO, game="draughts", variant="international", fen=KINGS)
    await watcher.open(path)
    for person in (white, black, watcher):
        await expect(person.see("draw-in")).to_have_text("Draw in 1 move")
    await white.click("takeback")
    await black.click("accept-takeback")
    for person in (white, black, watcher):
        await expect(person.see("draw-in")).to_have_text("Draw in 2 moves")
    await pull(white, "9", "3")
    await pull(black, "6", "1")
    await lead(white, ["3", "8"])
    await lead(black, ["1", "6"])
    for person in (white, black, watcher):
        await expect(person.see("result")).to_have_text("½-½")
        await expect(person.see("end")).to_contain_text("move limit")
        await expect(person.see("draw-in")).to_have_count(0)


async def test_a_simul_offers_games_of_several_families(invite: Invite) -> None:
    host, player = await invite(), await invite()
    await host.open("/simuls")
    await host.click("announce")
    await host.see("simul-name").fill("Mixed")
    form = host.see("simul-form")
    await form.get_by_label("Standard", exact=True).uncheck()
    for family, variant in (("draughts", "Russian"), ("chinese-checkers", "15 pieces")):
        await form.locator(f"[data-family={family}] summary").click()
        await form.get_by_label(variant, exact=True).check()
    await host.see("simul-auto-accept").check()
    assert await violations(host.page) == []
    await host.click("simul-create")
    await host.page.wait_for_url("**/simul/*")
    await player.open(host.page.url.removeprefix(host.home))
    await expect(player.see("join-variant").locator("option")).to_have_text(["Russian draughts", "Chinese checkers"])
    await player.see("join-variant").select_option("Russian draughts")
    await player.click("simul-join")
    await expect(host.see("simul-person")).to_contain_text("Russian draughts")
    await host.click("simul-start")
    await player.at_game()
    rules = rules_for("draughts", "russian")
    start = rules.start(None)
    await stands(rules.fen(start), host, player)
    await lead(host, ["c3", "d4"])
    await stands(rules.fen(rules.play(start, "c3-d4").position), host, player)
    assert await violations(host.page) == []
