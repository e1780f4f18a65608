"""Passwords: refused ones, and hashing off the loop, in a short queue, in equal time."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from typing import TYPE_CHECKING

import argon2
import pytest
from argon2.profiles import CHEAPEST

from lobby.accounts import passwords
from lobby.accounts.common_passwords import COMMON
from lobby.accounts.passwords import Hasher, check_password
from lobby.errors import BadField, Unavailable
from tests.realtime.until import until

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def hasher() -> Iterator[Hasher]:
    hasher = Hasher(CHEAPEST, threads=1, waiting=3)
    yield hasher
    hasher.close()


@pytest.mark.parametrize("password", ["eight888", "x" * 199 + "y", "ein langer Satz, den keiner rät", "пароль-мой-99"])
def test_valid_passwords_are_accepted(password: str) -> None:
    assert check_password(password, "anna") == password


@pytest.mark.parametrize(
    "password", ["", "seven77", "x" * 201, "Anastasia", "aNASTASIA", "password", "PassWord1", "12345678", "zzzzzzzzzz"]
)
def test_weak_passwords_are_refused(password: str) -> None:
    with pytest.raises(BadField) as caught:
        check_password(password, "Anastasia", "new")
    assert caught.value.field == "new"
    assert not password or password == "password" or password not in caught.value.message


def test_common_passwords_are_lower_case_and_of_valid_length() -> None:
    assert not [word for word in COMMON if word != word.casefold() or len(word) < passwords.MIN_LENGTH]


async def test_hash_is_salted_and_verifies_only_its_password(hasher: Hasher) -> None:
    encoded = await hasher.hash("correct horse")
    assert encoded.startswith("$argon2id$")
    assert "correct" not in encoded
    assert encoded != await hasher.hash("correct horse")
    assert await hasher.verify(encoded, "correct horse")
    assert not await hasher.verify(encoded, "correct horsf")
    assert not await hasher.verify(encoded, "")
    assert not await hasher.verify("no hash at all", "correct horse")


async def test_composed_and_decomposed_letters_are_equal(hasher: Hasher) -> None:
    assert await hasher.verify(await hasher.hash("schla\N{COMBINING DIAERESIS}ft nie"), "schl\u00e4ft nie")


async def test_unknown_account_has_no_valid_password(hasher: Hasher) -> None:
    for password in ("", "\N{BULLET}", "correct horse"):
        assert not await hasher.verify(None, password)


def test_hash_for_unknown_accounts_costs_the_same() -> None:
    hasher = Hasher()
    try:
        parameters = argon2.extract_parameters(hasher._nobodys)
        assert parameters == passwords.PARAMETERS
        # It is a hash that can be computed: a malformed one would be refused at once, which is what would tell.
        with pytest.raises(argon2.exceptions.VerifyMismatchError):
            argon2.PasswordHasher().verify(hasher._nobodys, "x")
    finally:
        hasher.close()


async def test_hash_with_old_parameters_is_outdated(hasher: Hasher) -> None:
    encoded = await hasher.hash("correct horse")
    newer = Hasher(argon2.profiles.PRE_21_2)
    try:
        assert newer.is_outdated(encoded)
        assert not hasher.is_outdated(encoded)
        assert await newer.verify(encoded, "correct horse")
    finally:
        newer.close()


async def test_full_queue_refuses_another_hash(hasher: Hasher) -> None:
    held = threading.Event()
    waiting = [asyncio.create_task(hasher._run(held.wait, 20.0)) for _ in range(3)]
    await asyncio.sleep(0)
    with pytest.raises(Unavailable):
        await hasher.hash("correct horse")
    # Whoever gives up waiting leaves the queue, but the one whose work is under way keeps the thread busy.
    waiting[2].cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting[2]
    await until(lambda: hasher._under_way == 2)
    last = asyncio.create_task(hasher.hash("correct horse"))
    await asyncio.sleep(0)
    assert not last.done()
    held.set()
    assert (await last).startswith("$argon2id$")
    assert await asyncio.gather(*waiting[:2]) == [True, True]
    await until(lambda: not hasher._under_way)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a priority is a process's")
async def test_hashing_thread_has_low_priority(hasher: Hasher) -> None:
    def niceness() -> int:
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    before = niceness()
    assert await hasher._run(niceness) == passwords.NICENESS
    assert niceness() == before


async def test_event_loop_runs_while_a_password_is_hashed(hasher: Hasher) -> None:
    held = threading.Event()
    hashing = asyncio.create_task(hasher._run(held.wait, 20.0))
    for _ in range(100):
        await asyncio.sleep(0)
    assert not hashing.done()
    held.set()
    assert await hashing
