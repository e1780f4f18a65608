"""Connections to PostgreSQL: the pool, JSON codecs, and classification of errors."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any, Literal

import asyncpg
import msgspec

from realtime.postgres.database_hosts import connect_to_any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Connection = asyncpg.Connection[asyncpg.Record]
    Pool = asyncpg.Pool[asyncpg.Record]


class NoAnswer(TimeoutError):
    """We closed a connection because a statement took too long: a lock, a full disk, a dead network."""


Trouble = Literal["gone", "stalled"]
"""``gone``: no server, connect again. ``stalled``: the server is there but cannot execute it now."""

CONNECT_TIMEOUT_S = 5.0
"""A server that takes longer to accept a connection counts as gone; the caller retries."""

COMMAND_TIMEOUT_S = 5.0
"""Queries of lobby and pages are small: one that takes longer is stuck, and its request gets ``unavailable``. asyncpg
then allows the same time for the cancellation, so a client has its answer within 10 s."""

MAX_POOL = 10
"""Connections for everything but the journal and the heartbeat, which have their own. Queries take about a millisecond,
so ten serve thousands a second. The lobby's changes leave some free (``lobby.ledger``)."""

_SETTINGS = {
    "timezone": "UTC",
    "jit": "off",
    "synchronous_commit": "on",  # acknowledged data is durable, whatever the server's default
    # A dead client (its machine, network or process has stopped) keeps its locks while its transaction is open: no
    # longer than its lease. PostgreSQL's own timeout is two hours by default.
    "idle_in_transaction_session_timeout": "5s",
    "tcp_user_timeout": "10s",
    "tcp_keepalives_idle": "5s",
    "tcp_keepalives_interval": "2s",
    "tcp_keepalives_count": "3",
}

FAILURES = (asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError, OSError)
"""Everything that a database call may raise (``TimeoutError`` is an ``OSError``)."""

_STALLED_CLASSES = (
    "40",  # transaction rollback: serialization, deadlock
    "53",  # insufficient resources: disk full, out of memory
    "55",  # object not in prerequisite state: lock not available
    "58",  # system error: I/O error
)


def classify(error: BaseException) -> Trouble | None:
    """Return what a failed call says about the database; None if the call itself was wrong.

    After ``gone`` and after a timeout a statement that was sent may or may not have been executed.
    """
    if isinstance(error, asyncpg.QueryCanceledError | TimeoutError):
        return "stalled"
    if isinstance(error, asyncpg.TooManyConnectionsError):
        return "gone"
    if isinstance(error, asyncpg.PostgresError):
        state = error.sqlstate or ""
        # 08 connection, 57P0x shutdown, crash and "starting up", 25006 a primary that became a standby, 25P03 an idle
        # transaction whose connection was closed.
        if state.startswith(("08", "57P")) or state in ("25006", "25P03"):
            return "gone"
        return "stalled" if state.startswith(_STALLED_CLASSES) else None
    if isinstance(error, OSError | asyncpg.InternalClientError):
        return "gone"
    if isinstance(error, asyncpg.InterfaceError) and not isinstance(error, ValueError):
        # asyncpg raises "connection is closed", "pool is closing" and the like with its general class. The same class
        # as a ValueError is an argument that cannot be encoded, and quotes it.
        return "gone" if "clos" in str(error) else None
    return None


def startup_failure(error: BaseException) -> str | None:
    """Return a message for an error that the operator can fix; None for any other."""
    if isinstance(error, NoAnswer | TimeoutError):
        return f"the database is not responding: {str(error) or 'it took too long'}"
    if isinstance(error, asyncpg.ClientConfigurationError):
        return f"the database's address cannot be used: {error}"
    if isinstance(error, asyncpg.PostgresError):
        state = error.sqlstate or ""
        # 28 authorization, 3D no such database, 3F no such schema, 42501 insufficient privilege.
        if state.startswith(("28", "3D", "3F")) or state == "42501" or classify(error) == "gone":
            return f"the database refuses: {error}"
    return None


async def set_codecs(connection: Connection) -> None:
    """Let ``jsonb`` and ``json`` columns be Python values on this connection."""
    await connection.set_type_codec(
        "jsonb", schema="pg_catalog", encoder=_encode_jsonb, decoder=_decode_jsonb, format="binary"
    )
    await connection.set_type_codec(
        "json", schema="pg_catalog", encoder=msgspec.json.encode, decoder=msgspec.json.decode, format="binary"
    )


def _encode_jsonb(value: Any) -> bytes:
    return b"\x01" + msgspec.json.encode(value)  # the binary format of jsonb is a version byte and the text


def _decode_jsonb(value: bytes) -> Any:
    return msgspec.json.decode(value[1:])


async def connect(url: str, *, name: str, settings: Mapping[str, str] = _SETTINGS) -> Connection:
    """Open a dedicated connection with the JSON codecs.

    ``name`` is shown in ``pg_stat_activity``; ``settings`` are PostgreSQL's, for this connection.
    """
    connection = await connect_to_any(
        url, timeout=CONNECT_TIMEOUT_S, server_settings={**_SETTINGS, "application_name": name, **settings}
    )
    try:
        with cut_off_after(connection, CONNECT_TIMEOUT_S):
            await set_codecs(connection)
    except BaseException:
        connection.terminate()
        raise
    return connection


async def create_pool(url: str, *, max_size: int = MAX_POOL, name: str = "zeitnot") -> Pool:
    """Open the pool that lobby, pages and reads share. The caller closes it.

    Raises connection errors: ``classify`` tells whether a retry may help.
    """
    pool: Pool = await asyncpg.create_pool(  # type: ignore[call-overload]  # of ``connect`` all parameters are wanted
        url,
        min_size=1,
        max_size=max_size,
        timeout=CONNECT_TIMEOUT_S,
        command_timeout=COMMAND_TIMEOUT_S,
        connect=connect_to_any,
        init=set_codecs,
        server_settings={**_SETTINGS, "application_name": name},
    )
    return pool


@contextlib.contextmanager
def cut_off_after(connection: Connection, within_s: float) -> Iterator[None]:
    """Terminate ``connection`` if the block takes longer. asyncpg's own timeout would send a cancel request to a server
    that does not answer, and wait for it.

    Raises:
        NoAnswer: instead of the block's error when that has happened.
    """
    was_late = False

    def partition_guard() -> None:
        nonlocal was_late
        was_late = True
        connection.terminate()

    watchdog = asyncio.get_running_loop().call_later(within_s, partition_guard)
    try:
        yield
    except Exception as error:
        if was_late:
            raise NoAnswer(f"no answer for {within_s:g} s") from error
        raise
    finally:
        watchdog.cancel()


async def close_pool(pool: Pool) -> None:
    """Give running queries a second, then terminate their connections."""
    try:
        async with asyncio.timeout(1.0):
            await pool.close()
    except TimeoutError:
        pool.terminate()
