"""Removal of people whose accounts are closed from simuls that have not begun, and of stand-ins from all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lobby.players import find_closed, find_player
from simul.commands import Cancel, Leave, TakeOver

if TYPE_CHECKING:
    from lobby.accounts.user import User
    from lobby.ports import Pool
    from realtime.simuls.live.simul_actor import SimulActor


async def retire_closed(pool: Pool, actor: SimulActor) -> None:
    """Remove the people whose accounts were closed while no node led the simul."""
    state = actor.state
    people = [] if state.stand_in is None else [state.stand_in]
    if state.status == "created":
        people += [state.host, *(one.user for one in (*state.applicants.values(), *state.players.values()))]
    closed = await find_closed(pool, [user.id for user in people])
    for user in people:
        if user.id in closed:
            await retire(pool, actor, user)


async def retire(pool: Pool, actor: SimulActor, user: User) -> None:
    """Remove ``user`` as host, player and stand-in, if their account is closed."""
    found = await find_player(pool, user.id)
    if found is None or not found.is_closed or actor.is_over:
        return
    host = actor.state.host
    by_host = user.id == host.id
    if not by_host and actor.state.is_stand_in_acting and user.id == actor.state.acting_host.id:
        await actor.submit(TakeOver(by=host.id), host, None, "")
    await actor.submit(Cancel(by=user.id) if by_host else Leave(by=user.id), user, None, "")
