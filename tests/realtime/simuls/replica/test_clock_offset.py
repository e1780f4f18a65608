"""Offset of another node's clock, estimated from its messages."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from realtime.simuls.replica.clock_offset import SPAN_MS, ClockOffset


@given(
    st.integers(-100_000, 100_000),
    st.lists(st.tuples(st.integers(0, 3000), st.integers(0, 500)), min_size=1, max_size=50),
)
def test_offset_is_difference_plus_shortest_transport(apart_ms: int, messages: list[tuple[int, int]]) -> None:
    offset, said_ms = ClockOffset(), 1_000_000
    ways: list[int] = []
    for pause_ms, way_ms in messages:
        said_ms += pause_ms
        ways.append(way_ms)
        found = offset.ms(said_ms + apart_ms + way_ms, said_ms)
        assert apart_ms + min(ways) <= found <= apart_ms + way_ms


def test_changed_remote_clock_is_detected() -> None:
    offset = ClockOffset()
    assert offset.ms(1000, 1000) == 0
    for second in range(1, 3 * SPAN_MS // 1000):
        found = offset.ms(1000 + second * 1000, 500 + second * 1000)
    assert found == 500
