"""The ceiling of lag compensation: a table of measurements, and the kernel's own figure from a real socket."""

from __future__ import annotations

import socket

import pytest

from realtime.net.round_trip import RoundTrip, kernel_round_trip_ms


@pytest.mark.parametrize(
    ("samples", "ceiling_ms"),
    [
        ([], 0),
        ([(80, None)], 80),
        ([(80, 200.0)], 80),
        ([(80, 30.2)], 31),
        ([(0, None)], 0),
        ([(-3, None)], 0),
        ([(80, None), (160, None)], 100),
        ([(80, None), (160, None), (100, None)], 100),
        ([(100, 99.5), (1_000, 99.5)], 100),
        ([(1_000, 40.0), (1_000, None)], 1_000),
    ],
)
def test_ceiling_follows_the_measurements(samples: list[tuple[int, float | None]], ceiling_ms: int) -> None:
    trip = RoundTrip()
    for ping_ms, kernel_ms in samples:
        trip.add(ping_ms, kernel_ms)
    assert trip.ceiling_ms == ceiling_ms


def test_ceiling_is_bounded_by_kernel_round_trip() -> None:
    trip = RoundTrip()
    for _ in range(100):
        trip.add(900, 25.0)
    assert trip.ceiling_ms == 25


@pytest.mark.parametrize(("sample_ms", "ceiling_ms"), [(30.0, 60), (400.0, 500), (0.0, 0)])
def test_ceiling_is_bounded_by_round_trip_of_proxy(sample_ms: float, ceiling_ms: int) -> None:
    trip = RoundTrip()
    trip.behind_proxy(sample_ms)
    trip.add(950, None)
    assert (trip.ceiling_ms, trip.granted_ms(0)) == (ceiling_ms, ceiling_ms)


def test_ceiling_behind_silent_proxy_uses_lag_quota() -> None:
    trip = RoundTrip()
    trip.behind_proxy(None)
    trip.add(950, None)
    assert [trip.granted_ms(unmeasured_quota_ms) for unmeasured_quota_ms in (2_000, 500, 115, 15, 0)] == [
        485,
        485,
        100,
        0,
        0,
    ]


def test_kernel_reports_round_trip_of_a_tcp_socket() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as client:
        peer, _ = server.accept()
        with peer:
            client.sendall(b"x")
            peer.recv(1)
            measured = kernel_round_trip_ms(peer)
    assert measured is not None
    assert 0 < measured < 1_000


def test_kernel_reports_no_round_trip_of_other_sockets() -> None:
    assert kernel_round_trip_ms(None) is None
    one, other = socket.socketpair()
    with one, other:
        assert kernel_round_trip_ms(one) is None
    assert kernel_round_trip_ms(one) is None
