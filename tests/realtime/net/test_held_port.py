"""Held port: shared by the servers of one command only."""

from __future__ import annotations

import socket

import pytest

from realtime.net.server import held_port, shared_socket

HERE = "127.0.0.1"


def listening(port: int) -> socket.socket:
    listener = shared_socket(HERE, port)
    listener.listen()
    return listener


def _listen(listener: socket.socket, port: int) -> None:
    listener.bind((HERE, port))
    listener.listen()


def is_refused(port: int) -> bool:
    try:
        held_port(HERE, port).close()
    except OSError:
        return True
    return False


@pytest.mark.parametrize("listeners", [0, 1, 2])
def test_held_port_is_refused_to_others(listeners: int) -> None:
    """This holds even while all servers of the command restart."""
    with held_port(HERE, 0) as held:
        port = held.getsockname()[1]
        ours = [listening(port) for _ in range(listeners)]
        assert is_refused(port)
        with socket.socket() as other:
            other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            with pytest.raises(OSError, match="in use"):
                _listen(other, port)
        for listener in ours:
            listener.close()
        listening(port).close()
    assert not is_refused(port)


def test_released_port_is_free_despite_old_connections() -> None:
    with held_port(HERE, 0) as held:
        port = held.getsockname()[1]
        with listening(port) as listener, socket.create_connection((HERE, port)):
            server, _ = listener.accept()
            server.close()  # first: the kernel remembers it for a minute
    assert not is_refused(port)


@pytest.mark.parametrize("shares", [False, True])
def test_port_in_use_cannot_be_held(*, shares: bool) -> None:
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if shares:
            other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        other.bind((HERE, 0))
        other.listen()
        assert is_refused(other.getsockname()[1])
