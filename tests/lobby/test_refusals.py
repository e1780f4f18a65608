"""What a refused request leaves behind."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

from tests.lobby.conftest import wanted
from tests.lobby.seeks.test_seek_desk import outcome

if TYPE_CHECKING:
    from tests.lobby.conftest import World


async def test_refusal_leaves_no_reference_cycle(world: World) -> None:
    """Its traceback must not keep the task that raised it alive."""
    anna = await world.guest()

    async def ask() -> None:
        assert await outcome(world.lobby.accept(anna, "nosuch")) == "not_found"
        assert await outcome(world.lobby.seek(anna, wanted(rated=True))) == "forbidden"

    await ask()
    gc.collect()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        for _ in range(20):
            await ask()
        gc.collect()
        assert len(gc.garbage) < 20
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
