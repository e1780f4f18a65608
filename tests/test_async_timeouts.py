"""The timeouts of asynchronous tests."""

from __future__ import annotations

import asyncio
from inspect import iscoroutinefunction

import pytest

from tests.async_timeouts import limited


async def test_waiting_test_is_ended() -> None:
    cleaned_up: list[bool] = []

    async def waits() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            cleaned_up.append(True)

    with pytest.raises(TimeoutError):
        await limited(waits, 0.01)()
    assert cleaned_up == [True]


@pytest.mark.timeout(30)
async def test_every_asynchronous_test_is_limited(request: pytest.FixtureRequest) -> None:
    function = request.function
    assert iscoroutinefunction(function.__wrapped__)
