"""Loop time, case by case, with a fake clock."""

from __future__ import annotations

import asyncio
import os
import selectors
import signal
import socket
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from realtime.clock.loop_time import (
    GAP_NS,
    READ_BYTES,
    LoopTime,
    PollingSelector,
    TimedEventLoop,
    new_event_loop,
    running_time,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MS = 1_000_000
START = 5_000 * MS
WALL = 1_700_000_000_000


class Loop:
    """A loop's polls told to a ``LoopTime`` by hand."""

    def __init__(self) -> None:
        self.clock_ns = START
        self.wall_ms = WALL
        self.time = LoopTime(lambda: self.clock_ns, lambda: self.wall_ms * MS)

    def run(self, ms: float) -> None:
        """Callbacks take ``ms``."""
        self.clock_ns += int(ms * MS)

    def poll(self, ms: float = 0, *, timeout_ms: float = 0, waited: bool | None = None) -> None:
        """A poll takes ``ms`` and may take ``timeout_ms``; it waited if it took any."""
        entered = self.clock_ns
        self.clock_ns += int(ms * MS)
        waited = ms > 0 and timeout_ms > 0 if waited is None else waited
        self.time.leave_poll(entered, self.clock_ns, int(timeout_ms * MS), waited=waited)


@pytest.fixture
def loop() -> Loop:
    return Loop()


def test_game_time_begins_at_zero(loop: Loop) -> None:
    assert loop.time.now_ms() == 0


def test_game_time_runs_within_callbacks_and_polls(loop: Loop) -> None:
    loop.run(3)
    assert loop.time.now_ms() == 3
    loop.poll(70, timeout_ms=100)
    assert loop.time.now_ms() == 73
    loop.run(0.9)
    assert loop.time.now_ms() == 73
    loop.run(0.1)
    assert loop.time.now_ms() == 74


def test_frame_that_ends_a_wait_has_time_of_that_poll(loop: Loop) -> None:
    loop.run(20)
    loop.poll(60, timeout_ms=100)
    loop.run(15)
    assert loop.time.stamp_ms() == 80


def test_frame_read_in_busy_iteration_has_time_of_previous_poll(loop: Loop) -> None:
    loop.poll(60, timeout_ms=100)
    loop.run(40)
    loop.poll()
    assert loop.time.now_ms() == 100
    assert loop.time.stamp_ms() == 60


def test_consecutive_busy_iterations_use_time_of_previous_poll(loop: Loop) -> None:
    for _ in range(3):
        loop.run(40)
        loop.poll()
    assert loop.time.stamp_ms() == 80
    assert loop.time.now_ms() == 120


@pytest.mark.parametrize(("busy_ms", "passed_ms"), [(249, 249), (250, 250), (251, 0), (5_000, 0)])
def test_long_callback_is_cut_from_game_time(loop: Loop, busy_ms: int, passed_ms: int) -> None:
    loop.poll(60, timeout_ms=100)
    loop.run(busy_ms)
    loop.poll()
    assert loop.time.now_ms() == 60 + passed_ms
    assert loop.time.cut_ms == busy_ms - passed_ms


@pytest.mark.parametrize(
    ("took_ms", "timeout_ms", "passed_ms"),
    [(100, 100, 100), (350, 100, 350), (351, 100, 0), (60_000, 100, 0), (251, 0, 0)],
)
def test_late_poll_counts_as_stopped_process(loop: Loop, took_ms: int, timeout_ms: int, passed_ms: int) -> None:
    loop.poll(10, timeout_ms=100)
    loop.poll(took_ms, timeout_ms=timeout_ms)
    assert loop.time.now_ms() == 10 + passed_ms


def test_work_and_late_poll_are_one_gap(loop: Loop) -> None:
    loop.run(200)
    loop.poll(200, timeout_ms=100)
    assert loop.time.now_ms() == 0


def test_frame_received_in_a_gap_is_stamped_before_it(loop: Loop) -> None:
    loop.poll(60, timeout_ms=100)
    loop.run(5_000)
    loop.poll()
    assert loop.time.stamp_ms() == 60


def test_process_stop_in_callback_is_cut_when_time_is_read(loop: Loop) -> None:
    loop.run(10)
    assert loop.time.now_ms() == 10
    loop.run(60_000)
    assert loop.time.now_ms() == 10
    loop.run(5)
    assert loop.time.now_ms() == 15
    loop.poll()
    assert loop.time.now_ms() == 15


def test_time_stops_250_ms_into_a_gap(loop: Loop) -> None:
    readings = []
    for _ in range(10):
        loop.run(100)
        readings.append(loop.time.now_ms())
    assert readings == [100, 200, 250, 250, 250, 250, 250, 250, 250, 250]
    loop.poll()
    assert loop.time.now_ms() == 250


def test_time_read_within_a_gap_is_kept_and_rest_is_cut(loop: Loop) -> None:
    loop.run(120)
    assert loop.time.now_ms() == 120
    loop.run(200)
    loop.poll()
    assert loop.time.now_ms() == 120


def test_time_continues_normally_after_a_gap(loop: Loop) -> None:
    loop.run(9_000)
    loop.poll()
    loop.run(30)
    loop.poll(50, timeout_ms=100)
    assert loop.time.now_ms() == 80
    assert loop.time.stamp_ms() == 80


def test_wall_time_of_an_instant_is_constant(loop: Loop) -> None:
    loop.run(100)
    at = loop.time.wall_ms(40)
    assert at == WALL - 60
    for step in (3, -4, 5):
        loop.wall_ms += step
        assert loop.time.wall_ms(40) == at
        loop.wall_ms -= step


def test_wall_time_follows_the_wall_clock(loop: Loop) -> None:
    assert loop.time.wall_ms(0) == WALL
    loop.wall_ms += 3_600_000
    assert loop.time.wall_ms(0) == WALL + 3_600_000
    loop.run(7_000)
    loop.wall_ms += 7_000
    loop.poll()
    assert loop.time.now_ms() == 0
    assert loop.time.wall_ms(0) == WALL + 3_607_000


Step = tuple[str, int, int]
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("run"), st.integers(0, 2_000), st.just(0)),
        st.tuples(st.just("poll"), st.integers(0, 2_000), st.integers(0, 100)),
        st.tuples(st.just("read"), st.just(0), st.just(0)),
    ),
    max_size=60,
)


@given(STEPS)
def test_time_never_goes_back_and_gaps_are_cut(steps: list[Step]) -> None:
    loop = Loop()
    latest = polled = 0
    for kind, ms, timeout_ms in steps:
        if kind == "run":
            loop.run(ms)
        elif kind == "poll":
            loop.poll(ms, timeout_ms=timeout_ms)
        now = loop.time.now_ms() if kind == "read" else latest
        if kind == "poll":
            now = loop.time.now_ms()
            assert now - polled <= GAP_NS // MS + timeout_ms + 1, "more than a gap and a wait was charged"
            polled = now
            assert loop.time.stamp_ms() <= now, "a frame from the future"
        assert latest <= now <= loop.clock_ns // MS - START // MS
        latest = now
    real_ms = (loop.clock_ns - START) // MS
    assert loop.time.now_ms() <= real_ms


class Scripted:
    """Stands for the platform's selector: each call takes some time and finds something or not."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.clock_ns = START
        self.script: list[tuple[float, bool]] = []
        self.timeouts: list[float | None] = []
        self.key = selectors.SelectorKey(0, 0, selectors.EVENT_READ, None)
        monkeypatch.setattr(selectors.DefaultSelector, "select", self.select)
        self.time = LoopTime(lambda: self.clock_ns)
        self.selector = PollingSelector(self.time)

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        took_ms, found = self.script.pop(0)
        self.timeouts.append(timeout)
        self.clock_ns += int(took_ms * MS)
        return [(self.key, selectors.EVENT_READ)] if found else []

    def poll(self, timeout: float | None, *script: tuple[float, bool]) -> bool:
        self.script = list(script)
        found = bool(self.selector.select(timeout))
        assert not self.script
        return found


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> Iterator[Scripted]:
    scripted = Scripted(monkeypatch)
    yield scripted
    scripted.selector.close()


@pytest.mark.parametrize("timeout", [None, 3600.0, 0.1])
def test_poll_timeout_is_bounded(scripted: Scripted, timeout: float | None) -> None:
    assert not scripted.poll(timeout, (100, False))
    assert scripted.timeouts == [0.1]


def test_process_stop_during_unlimited_poll_is_detected(scripted: Scripted) -> None:
    scripted.poll(None, (100, False))
    scripted.poll(None, (30_000, False))
    assert scripted.time.now_ms() == 100


def test_short_work_is_followed_by_one_poll(scripted: Scripted) -> None:
    scripted.clock_ns += MS // 2
    assert scripted.poll(5.0, (40, True))
    assert scripted.timeouts == [0.1]
    assert scripted.time.stamp_ms() == 40


def test_long_work_is_followed_by_poll_without_wait(scripted: Scripted) -> None:
    scripted.poll(5.0, (60, False))
    scripted.clock_ns += 30 * MS
    assert scripted.poll(5.0, (0.5, True))
    assert scripted.timeouts[1:] == [0]
    assert scripted.time.stamp_ms() == 60


def test_frame_received_during_wait_after_work_has_time_of_wait(scripted: Scripted) -> None:
    scripted.clock_ns += 30 * MS
    assert scripted.poll(5.0, (0, False), (20, True))
    assert scripted.timeouts == [0, 0.1]
    assert scripted.time.stamp_ms() == 50


def test_poll_without_timeout_counts_as_busy(scripted: Scripted) -> None:
    scripted.poll(5.0, (60, False))
    scripted.poll(0, (12, True))
    assert scripted.time.stamp_ms() == 60


def test_poll_that_returns_at_once_counts_as_busy(scripted: Scripted) -> None:
    scripted.poll(5.0, (60, False))
    scripted.poll(5.0, (0.01, True))
    assert scripted.time.stamp_ms() == 60
    assert scripted.time.now_ms() == 60


def test_server_loop_has_game_time() -> None:
    async def main() -> tuple[int, int]:
        server_time = running_time()
        before = server_time.now_ms()
        await asyncio.sleep(0.01)
        return before, server_time.now_ms()

    with asyncio.Runner(loop_factory=new_event_loop) as runner:
        before, after = runner.run(main())
        assert isinstance(runner.get_loop(), TimedEventLoop)
    assert 0 <= before < after


def test_other_loop_has_no_game_time() -> None:
    async def main() -> None:
        with pytest.raises(TypeError, match=r"expected a loop of realtime\.clock\.loop_time"):
            running_time()

    with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
        runner.run(main())


STOPPED = """
import asyncio, sys
from realtime.clock.loop_time import new_event_loop, running_time

async def main():
    time = running_time()
    print("ready", flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)
    await asyncio.sleep(0.02)
    print(time.cut_ms, flush=True)

with asyncio.Runner(loop_factory=new_event_loop) as runner:
    runner.run(main())
"""


def test_process_stop_is_cut_from_game_time() -> None:
    """SIGSTOP for 800 ms during an idle poll: all but the longest wait of a poll, and a margin, is cut."""
    with subprocess.Popen(
        [sys.executable, "-c", STOPPED], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        os.kill(child.pid, signal.SIGSTOP)
        os.waitid(os.P_PID, child.pid, os.WSTOPPED)
        time.sleep(0.8)  # the stop itself, not a wait for something to happen
        os.kill(child.pid, signal.SIGCONT)
        child.stdin.write("\n")
        child.stdin.flush()
        assert int(child.stdout.readline()) >= 600


class Hears(asyncio.Protocol):
    """Keeps what comes, and in what pieces."""

    def __init__(self) -> None:
        self.pieces: list[int] = []
        self.over = asyncio.Event()

    def data_received(self, data: bytes) -> None:
        self.pieces.append(len(data))

    def connection_lost(self, exc: Exception | None) -> None:
        self.over.set()


@pytest.mark.parametrize("family", ["tcp", "unix"])
async def test_stream_is_read_in_bounded_pieces(family: str, tmp_path: Path) -> None:
    loop, size = asyncio.get_running_loop(), 5 * READ_BYTES
    if family == "tcp":
        listener = socket.create_server(("127.0.0.1", 0))
        connecting = loop.create_connection(Hears, *listener.getsockname())
    else:
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(tmp_path / "s"))
        listener.listen()
        connecting = loop.create_unix_connection(Hears, str(tmp_path / "s"))
    with listener:
        _, hears = await connecting
        database, _ = listener.accept()
    with database:
        await asyncio.to_thread(database.sendall, bytes(size))
    await hears.over.wait()
    assert sum(hears.pieces) == size
    assert max(hears.pieces) <= READ_BYTES
