"""Errors of tasks that are never awaited."""

from __future__ import annotations

import asyncio
import gc
from typing import TYPE_CHECKING

from asyncpg.pool import PoolConnectionHolder

from realtime.postgres.loop_errors import report

if TYPE_CHECKING:
    import pytest


class Holder(PoolConnectionHolder):
    """Of no connection, so that it cannot be given back."""

    def __init__(self) -> None:
        self._in_use = None

    async def other(self) -> None:
        raise TimeoutError


async def _fail(holder: Holder, *, giving_back: bool) -> None:
    """Let a task fail, and forget it."""
    asyncio.get_running_loop().set_exception_handler(report)
    task = asyncio.create_task(holder.release(1.0) if giving_back else holder.other())
    await asyncio.wait((task,))
    del task
    gc.collect()


async def test_dropped_dead_connection_is_logged_as_info(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    await _fail(Holder(), giving_back=True)
    (record,) = caplog.records
    assert (record.levelname, record.exc_info) == ("INFO", None)
    assert "was dropped" in record.getMessage()


async def test_other_unawaited_failure_is_logged_as_error(caplog: pytest.LogCaptureFixture) -> None:
    await _fail(Holder(), giving_back=False)
    (record,) = caplog.records
    assert record.levelname == "ERROR"
    assert record.exc_info is not None
