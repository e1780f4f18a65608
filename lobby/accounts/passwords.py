"""Password rules, and Argon2id hashes (RFC 9106) computed in threads outside the event loop.

A hash carries its parameters. After ``PARAMETERS`` is raised, each password is hashed anew at its next login.
"""

from __future__ import annotations

import asyncio
import base64
import os
import secrets
import sys
import threading
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from argon2.profiles import RFC_9106_LOW_MEMORY

from lobby.accounts.common_passwords import COMMON
from lobby.errors import BadField, Unavailable

if TYPE_CHECKING:
    from collections.abc import Callable

    from argon2 import Parameters

T = TypeVar("T")

MIN_LENGTH = 8
MAX_LENGTH = 200
"""Characters. Room for a sentence, and a bound on the work of a thread."""

PARAMETERS = RFC_9106_LOW_MEMORY
"""RFC 9106 §4, the second recommended option: 64 MiB, 3 passes, 4 lanes; about 0.1 s of a core."""

THREADS = 2
"""Concurrent hashes: 128 MiB, and at most two cores taken from the games."""

NICENESS = 15
"""Niceness of the hashing threads, of at most 19: they use almost only idle CPU time."""

MOST_WAITING = 32
"""Hashes under way or queued, about three seconds of work."""


def check_password(password: str, name: str, field: str = "password") -> str:
    """Return ``password`` if it is acceptable for the member called ``name``.

    Raises:
        BadField: the message says what is required and does not quote the password.
    """
    if not MIN_LENGTH <= len(password) <= MAX_LENGTH:
        raise BadField(field, f"expected {MIN_LENGTH} to {MAX_LENGTH} characters")
    plain = password.casefold()
    if plain == name.casefold():
        raise BadField(field, "the password must differ from the username")
    if plain in COMMON or len(set(plain)) == 1:
        raise BadField(field, "this password is too common")
    return password


class Hasher:
    """Thread pool that creates and verifies password hashes.

    The library releases the interpreter lock while it computes, so the event loop continues. When ``waiting`` hashes
    are under way, further requests are refused, so that a flood of logins does not stall the server.

    Args:
        parameters: of new hashes; tests use cheap ones.
        threads: concurrent hashes.
        waiting: hashes under way and queued.
    """

    def __init__(
        self, parameters: Parameters = PARAMETERS, *, threads: int = THREADS, waiting: int = MOST_WAITING
    ) -> None:
        self._argon = PasswordHasher.from_parameters(parameters)
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="password", initializer=_be_patient)
        self._waiting = waiting
        self._under_way = 0
        self._nobodys = _nobodys(parameters)

    async def hash(self, password: str) -> str:
        """Return the encoded hash of ``password``, with its parameters and a new salt.

        Raises:
            Unavailable: the queue is full.
        """
        return await self._run(self._argon.hash, _normal(password))

    async def verify(self, encoded: str | None, password: str) -> bool:
        """Return whether ``encoded`` is a hash of ``password``.

        None, for an unknown name, takes as long as a wrong password.

        Raises:
            Unavailable: the queue is full.
        """
        return await self._run(self._verify, encoded, _normal(password))

    def is_outdated(self, encoded: str) -> bool:
        """Return whether ``encoded`` was made with other parameters than new hashes have."""
        return self._argon.check_needs_rehash(encoded)

    def close(self) -> None:
        """Stop the threads and cancel queued hashes."""
        self._threads.shutdown(wait=True, cancel_futures=True)

    def _verify(self, encoded: str | None, password: str) -> bool:
        try:
            return self._argon.verify(encoded or self._nobodys, password)
        except (VerificationError, InvalidHashError):
            return False

    async def _run(self, work: Callable[..., T], *arguments: Any) -> T:
        if self._under_way >= self._waiting:
            raise Unavailable("too many logins are in progress; try again in a few seconds")
        self._under_way += 1
        loop = asyncio.get_running_loop()
        future = self._threads.submit(work, *arguments)
        # The slot is free when the thread is done, not when the caller has given up.
        future.add_done_callback(lambda _: loop.call_soon_threadsafe(self._done))
        return await asyncio.wrap_future(future)

    def _done(self) -> None:
        self._under_way -= 1


def _be_patient() -> None:
    """Lower the priority of this thread: a hash takes as much CPU time as a hundred moves.

    On Linux each thread has its own priority, which the threads it starts inherit. Elsewhere the priority belongs to
    the process and is left alone.
    """
    if sys.platform == "linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)


def _nobodys(parameters: Parameters) -> str:
    """Return a hash that no password matches: verifying against it takes as long as against a real one."""
    salt, digest = (
        base64.b64encode(secrets.token_bytes(length)).rstrip(b"=").decode()
        for length in (parameters.salt_len, parameters.hash_len)
    )
    costs = f"m={parameters.memory_cost},t={parameters.time_cost},p={parameters.parallelism}"
    return f"$argon2id$v={parameters.version}${costs}${salt}${digest}"


def _normal(password: str) -> str:
    """Return the normal form of ``password``, in which composed and decomposed letters are the same."""
    return unicodedata.normalize("NFKC", password)
