"""Creation of simuls: a new simul is stored, and led from then on by the node that was asked."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from lobby.errors import Unavailable
from lobby.ids import new_id
from realtime.journal.appends import Cause
from simul.decide import create

if TYPE_CHECKING:
    from collections.abc import Callable

    from lobby.accounts.user import User
    from realtime.journal.nodes import Node
    from realtime.simuls.live.services import SimulServices
    from simul.draft import Draft
    from simul.events import Created


class Announcing:
    """Creates the simuls of one node."""

    def __init__(self, services: SimulServices, node: Node, on_created: Callable[[Created, int], None]) -> None:
        """``on_created``: called with the new simul and its time of creation by the database's clock, in Unix ms."""
        self._services = services
        self._node = node
        self._on_created = on_created
        self._under_way: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def create(
        self, host: User, draft: Draft, invited: tuple[User, ...], key: str | None, stand_in: User | None = None
    ) -> dict[str, Any]:
        """Create a simul and return the fields of the reply. Raises ``Refusal``."""
        # One at a time: otherwise each would hold a database connection while it waits for the one before.
        async with self._under_way.setdefault(host.id, asyncio.Lock()):
            return await self._create(host, draft, invited, key, stand_in)

    async def _create(
        self, host: User, draft: Draft, invited: tuple[User, ...], key: str | None, stand_in: User | None
    ) -> dict[str, Any]:
        if not self._node.is_leased():
            raise Unavailable("the database is not responding; try again")
        store = self._services.store
        known = None if key is None else await store.reply_to(host.id, key)
        if known is not None:
            return known
        created = create(new_id(), host, draft, invited, self._services.wall_ms(), stand_in)
        written = await store.write_new(created, Cause(host.id, key, "simul.create"))
        if written.reply is not None:
            return written.reply
        self._on_created(created, written.now_ms)
        return {"simul": created.id}
