"""Passwords: which are good enough, and their Argon2id hashes (RFC 9106), made in threads beside the event loop.

A hash carries its parameters. When ``PARAMETERS`` are raised one day, each password gets a new hash at its next login.
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
"""Characters: a sentence has room; a novel would only keep a thread busy."""

PARAMETERS = RFC_9106_LOW_MEMORY
"""RFC 9106 §4, the second recommended option: 64 MiB, 3 passes, 4 lanes; some 0.1 s of a core."""

THREADS = 2
"""Hashes made at a time: 128 MiB, and no more than two cores taken from the games."""

NICENESS = 15
"""Of the threads that hash, out of 19: nearly all they get is time that nobody else wants."""

MOST_WAITING = 32
"""Hashes under way or waiting: some three seconds' worth, after which nobody waits for an answer gladly."""


def check_password(password: str, name: str, field: str = "password") -> str:
    """``password`` if it is good enough for the person called ``name``.

    Raises:
        BadField: with what would be right; the password is not quoted.
    """
    if not MIN_LENGTH <= len(password) <= MAX_LENGTH:
        raise BadField(field, f"expected {MIN_LENGTH} to {MAX_LENGTH} characters")
    plain = password.casefold()
    if plain == name.casefold():
        raise BadField(field, "expected something else than the name")
    if plain in COMMON or len(set(plain)) == 1:
        raise BadField(field, "this is one of the first passwords that anybody would try")
    return password


class Hasher:
    """Makes and checks hashes in threads of its own.

    The library lets go of Python's lock while it computes, so the event loop goes on meanwhile. At most ``waiting``
    are under way: whoever comes then is told to come back, and the server does not drown in logins.

    Args:
        parameters: of new hashes; tests take cheap ones.
        threads: hashes made at a time.
        waiting: hashes under way and waiting.
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
        """The encoded hash of ``password``, with its parameters and a new salt.

        Raises:
            Unavailable: too many are waiting.
        """
        return await self._run(self._argon.hash, _normal(password))

    async def verify(self, encoded: str | None, password: str) -> bool:
        """Whether ``encoded`` is of ``password``.

        None, nobody of that name, takes as long as a password that is wrong.

        Raises:
            Unavailable: too many are waiting.
        """
        return await self._run(self._verify, encoded, _normal(password))

    def is_outdated(self, encoded: str) -> bool:
        """Whether ``encoded`` was made with other parameters than new ones are."""
        return self._argon.check_needs_rehash(encoded)

    def close(self) -> None:
        """End the threads; what waits is given up."""
        self._threads.shutdown(wait=True, cancel_futures=True)

    def _verify(self, encoded: str | None, password: str) -> bool:
        try:
            return self._argon.verify(encoded or self._nobodys, password)
        except (VerificationError, InvalidHashError):
            return False

    async def _run(self, work: Callable[..., T], *arguments: Any) -> T:
        if self._under_way >= self._waiting:
            raise Unavailable("too many people log in at this moment; try again in some seconds")
        self._under_way += 1
        loop = asyncio.get_running_loop()
        future = self._threads.submit(work, *arguments)
        # When the thread is done, not when who asked has given up waiting.
        future.add_done_callback(lambda _: loop.call_soon_threadsafe(self._done))
        return await asyncio.wrap_future(future)

    def _done(self) -> None:
        self._under_way -= 1


def _be_patient() -> None:
    """Let the games go first: on a machine with few cores a hash takes one for as long as a hundred moves.

    Linux gives each thread a priority of its own, which the threads that it starts inherit; elsewhere it is one a
    process, and left alone.
    """
    if sys.platform == "linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)


def _nobodys(parameters: Parameters) -> str:
    """A hash of no password at all: checking against it takes as long as against anybody's."""
    salt, digest = (
        base64.b64encode(secrets.token_bytes(length)).rstrip(b"=").decode()
        for length in (parameters.salt_len, parameters.hash_len)
    )
    costs = f"m={parameters.memory_cost},t={parameters.time_cost},p={parameters.parallelism}"
    return f"$argon2id$v={parameters.version}${costs}${salt}${digest}"


def _normal(password: str) -> str:
    """The same text whichever way a keyboard composes its letters."""
    return unicodedata.normalize("NFKC", password)
