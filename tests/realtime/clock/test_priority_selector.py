"""Priority selector: low-priority sockets are read after all others, in turn."""

from __future__ import annotations

import asyncio
import contextlib
import selectors
import socket
from selectors import EVENT_READ, EVENT_WRITE
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from realtime.clock.priority_selector import AT_ONCE, CAN_BE, PrioritySelector
from realtime.protocol.limits import Limits
from tests.realtime.echo_server import ECHO, echo_server

if TYPE_CHECKING:
    from collections.abc import Iterator

    from websockets.asyncio.client import ClientConnection

pytestmark = pytest.mark.skipif(not CAN_BE, reason="this system has no epoll")


@contextlib.contextmanager
def pairs(count: int) -> Iterator[list[tuple[socket.socket, socket.socket]]]:
    """Connected sockets, ours first."""
    with contextlib.ExitStack() as stack:
        made = [socket.socketpair() for _ in range(count)]
        for pair in made:
            for end in pair:
                stack.enter_context(end)
        yield made


@pytest.fixture
def rows() -> Iterator[PrioritySelector]:
    rows = PrioritySelector()
    yield rows
    rows.close()


def heard(rows: PrioritySelector) -> list[int]:
    return [key.fd for key, _ in rows.select(0)]


def test_map_contains_sockets_of_both_priorities(rows: PrioritySelector) -> None:
    with pairs(2) as ((behind, _), (front, _), *_):
        rows.deprioritize(behind.fileno())
        for ours in (behind, front):
            assert rows.get_map().get(ours.fileno()) is None
            rows.register(ours.fileno(), EVENT_READ, "x")
            assert rows.get_map().get(ours.fileno()) == rows.get_key(ours.fileno())
            rows.modify(ours.fileno(), EVENT_READ | EVENT_WRITE, "y")
            assert rows.get_map()[ours.fileno()].data == "y"
            rows.unregister(ours.fileno())
            assert rows.get_map().get(ours.fileno()) is None


def test_low_priority_is_read_last_and_in_turn(rows: PrioritySelector) -> None:
    behind = 2 * AT_ONCE + AT_ONCE // 2
    with pairs(behind + 10) as all_pairs:
        for number, (ours, theirs) in enumerate(all_pairs):
            if number < behind:
                rows.deprioritize(ours.fileno())
            rows.register(ours.fileno(), EVENT_READ)
            theirs.send(b"x")
        front = {ours.fileno() for ours, _ in all_pairs[behind:]}
        told = []
        for _ in range(3):
            polled = heard(rows)
            assert set(polled[: len(front)]) == front
            assert len(polled) <= len(front) + AT_ONCE
            told += polled[len(front) :]
        assert set(told) == {ours.fileno() for ours, _ in all_pairs[:behind]}


def test_priority_change_keeps_registered_events(rows: PrioritySelector) -> None:
    with pairs(1) as ((ours, theirs),):
        rows.register(ours.fileno(), EVENT_READ, "reader")
        theirs.send(b"x")
        for change in (rows.deprioritize, rows.deprioritize, rows.prioritize, rows.prioritize):
            change(ours.fileno())
            assert rows.get_key(ours.fileno()).data == "reader"
            assert [(key.data, events) for key, events in rows.select(0)] == [("reader", EVENT_READ)]


def test_unregistered_socket_may_change_priority(rows: PrioritySelector) -> None:
    with pairs(1) as ((ours, _),):
        rows.deprioritize(ours.fileno())
        with pytest.raises(KeyError):
            rows.get_key(ours.fileno())
        rows.prioritize(ours.fileno())
        with pytest.raises(KeyError):
            rows.get_key(ours.fileno())


def test_closed_low_priority_connection_is_reported(rows: PrioritySelector) -> None:
    with pairs(1) as ((ours, theirs),):
        rows.deprioritize(ours.fileno())
        rows.register(ours.fileno(), EVENT_READ)
        assert not heard(rows)
        theirs.close()
        assert heard(rows) == [ours.fileno()]


def test_socket_closed_during_a_wait_is_not_read(rows: PrioritySelector) -> None:
    with pairs(1) as ((ours, theirs),):
        number = ours.fileno()
        rows.deprioritize(number)
        rows.register(number, EVENT_READ)
        theirs.send(b"x")
        ours.close()
        assert not heard(rows)
        rows.unregister(number)
        rows.prioritize(number)


def test_low_priority_data_ends_a_wait(rows: PrioritySelector) -> None:
    with pairs(1) as ((ours, theirs),):
        rows.deprioritize(ours.fileno())
        rows.register(ours.fileno(), EVENT_READ)
        theirs.send(b"x")
        assert [key.fd for key, _ in rows.select(None)] == [ours.fileno()]


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["register", "modify", "unregister", "deprioritize", "prioritize", "speak"]),
            st.integers(0, 3),
            st.sampled_from([EVENT_READ, EVENT_WRITE, EVENT_READ | EVENT_WRITE]),
        ),
        max_size=30,
    )
)
def test_both_priorities_read_the_same_data(steps: list[tuple[str, int, int]]) -> None:
    with pairs(4) as all_pairs, selectors.DefaultSelector() as one, PrioritySelector() as two:
        for number, (do, whose, events) in enumerate(steps):
            ours, theirs = all_pairs[whose]
            fd = ours.fileno()
            if do == "speak":
                theirs.send(b"x")
            elif do in ("deprioritize", "prioritize"):
                getattr(two, do)(fd)
            else:
                arguments = (fd,) if do == "unregister" else (fd, events, number)
                outcomes = []
                for selector in (one, two):
                    try:
                        outcomes.append(getattr(selector, do)(*arguments))
                    except KeyError:
                        outcomes.append(None)
                assert outcomes[0] == outcomes[1]
            assert sorted(one.select(0)) == sorted(two.select(0))


async def test_player_is_read_before_hundreds_of_strangers() -> None:
    many = 3 * AT_ONCE
    async with echo_server(Limits(connections=many + 1, close_s=0.3)) as server, contextlib.AsyncExitStack() as stack:
        strangers = [await stack.enter_async_context(server.welcomed()) for _ in range(many)]
        player = await stack.enter_async_context(server.welcomed(token="member"))
        # Written before the server looks: the strangers first.
        sending = [asyncio.ensure_future(who.send(text)) for who, text in _spoken(strangers, player)]
        await asyncio.gather(*sending)
        assert await player.recv() == '{"t":"player"}'
        before = [message["t"] for message, _ in server.handler.received].index("player")
        assert before <= AT_ONCE
        assert [await stranger.recv() for stranger in strangers] == [ECHO] * many


def _spoken(strangers: list[ClientConnection], player: ClientConnection) -> list[tuple[ClientConnection, str]]:
    return [*((stranger, ECHO) for stranger in strangers), (player, '{"t":"player"}')]
