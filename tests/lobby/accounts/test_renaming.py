"""A guest who signs up is listed under their new name, at once and in the same place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tests.lobby.conftest import wanted

if TYPE_CHECKING:
    from tests.lobby.conftest import World


async def test_renaming_lists_seeks_again_under_the_new_name(world: World) -> None:
    user, other = await world.guest(), await world.guest()
    seeks = {(await world.lobby.seek(user, wanted(color="w")))["seek"] for _ in range(2)}
    kept = (await world.lobby.seek(other, wanted(color="w")))["seek"]
    before, seq = len(world.server.events), world.lobby.seq
    member = msgspec.structs.replace(user, name="Anna", kind="member")
    world.lobby.rename(member)
    told = world.server.events[before:]
    assert [event["t"] for event in told] == ["lobby.gone", "lobby.add"] * 2
    assert [event["seq"] for event in told] == list(range(seq + 1, seq + 5))
    shown = {seek["seek"]: seek["user"]["name"] for seek in world.lobby.snapshot(games=0, online=0)["seeks"]}
    assert shown == dict.fromkeys(seeks, "Anna") | {kept: other.name}
    world.lobby.rename(member)
    assert len(world.server.events) == before + 4  # nothing new about them


async def test_renamed_seek_can_be_accepted(world: World) -> None:
    user, other = await world.guest(), await world.guest()
    seek = (await world.lobby.seek(user, wanted()))["seek"]
    world.lobby.rename(msgspec.structs.replace(user, name="Anna", kind="member"))
    assert (await world.lobby.accept(other, seek))["g"]
    (game,) = world.server.opened_games
    assert {game.white.name, game.black.name} == {"Anna", other.name}


async def test_renamed_seek_ends_when_its_owner_leaves(world: World) -> None:
    user = await world.guest()
    await world.lobby.seek(user, wanted())
    world.lobby.left(user.id)
    world.lobby.rename(msgspec.structs.replace(user, name="Anna", kind="member"))
    world.now_ms += 10_001
    await world.lobby.tick()
    assert world.listed() == set()
