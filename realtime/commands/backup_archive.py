"""A backup file in ``pg_dump``'s custom format: its contents, as reported by ``pg_restore``."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

import msgspec

from realtime.postgres.own_objects import HISTORY
from realtime.protocol.errors import BackupError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from realtime.postgres.migrate import Migration
    from realtime.postgres.tools import Tools

MAGIC = b"PGDMP"

_SERVER = re.compile(r"^; +Dumped from database version: (\d+)", re.MULTILINE)
_HISTORY = re.compile(rf"^\d+; \d+ \d+ TABLE DATA (\S+) {HISTORY} ", re.MULTILINE)


class Archive(msgspec.Struct, frozen=True):
    """Facts about a backup."""

    server_major: int
    """Major version of its PostgreSQL."""
    schema: str
    """Schema of the tables, usually ``public``."""
    migrations: tuple[tuple[int, str, str], ...]
    """Number, name and checksum of each."""


async def read_archive(tools: Tools, descriptor: int, name: str) -> Archive:
    """Read the facts of the backup that is open as ``descriptor``; ``name`` is its name in messages.

    Raises ``BackupError`` if it is not a backup of a Zeitnot database.
    """
    os.lseek(descriptor, 0, os.SEEK_SET)
    if os.read(descriptor, len(MAGIC)) != MAGIC:
        raise BackupError(f"{name} is not a backup: expected a file that `zeitnot backup` or `pg_dump -Fc` has written")
    listed = (await _restore(tools, descriptor, name, "--list")).decode(errors="replace")
    server, history = _SERVER.search(listed), _HISTORY.search(listed)
    if server is None or history is None:
        raise BackupError(f"{name} is a backup of something else: it has no table {HISTORY}")
    rows = await _restore(
        tools, descriptor, name, f"--schema={history[1]}", f"--table={HISTORY}", "--data-only", "--file=-"
    )
    return Archive(int(server[1]), history[1], _migrations(rows.decode(), name))


async def read_through(tools: Tools, descriptor: int, name: str) -> None:
    """Read all of it, as a restore would. Raises ``BackupError`` if it is truncated or damaged."""
    await _restore(tools, descriptor, name, "--file=/dev/null")


async def _restore(tools: Tools, descriptor: int, name: str, *arguments: str) -> bytes:
    os.lseek(descriptor, 0, os.SEEK_SET)
    try:
        return await tools.run("pg_restore", *arguments, stdin=descriptor)
    except BackupError as error:
        newer = "unsupported version" in str(error)
        hint = " by these programs, name newer ones with --postgres-bin" if newer else ""
        raise BackupError(f"{name} cannot be read{hint}: {error}") from error


def _migrations(script: str, name: str) -> tuple[tuple[int, str, str], ...]:
    r"""Parse the rows between ``COPY … FROM stdin;`` and ``\.``; none of the values needs an escape."""
    found = []
    _, begun, rest = script.partition(" FROM stdin;\n")
    rows, ended, _ = rest.partition("\\.\n")
    if not (begun and ended):
        raise BackupError(f"{name} cannot be read: its table {HISTORY} is cut off")
    columns = script.partition(f"{HISTORY} (")[2].partition(")")[0].split(", ")
    if not {"number", "name", "checksum"} <= set(columns):
        raise BackupError(f"{name} is a backup of something else: its table {HISTORY} is not Zeitnot's")
    for row in rows.splitlines():
        values = dict(zip(columns, row.split("\t"), strict=True))
        found.append((int(values["number"]), values["name"], values["checksum"]))
    return tuple(sorted(found))


def check_migrations(archive: Archive, known: Sequence[Migration], name: str) -> None:
    """Raise ``BackupError`` unless this program, which has ``known``, can upgrade the backup to its own version."""
    for at, (number, called, checksum) in enumerate(archive.migrations, 1):
        if number > len(known):
            raise BackupError(
                f"{name} is of a later version: it has migration {number:04}_{called}, and this program knows those up "
                f"to {len(known):04}. Restore it with a program of that version"
            )
        if number != at:
            raise BackupError(f"{name} lacks migration {at:04} and has later ones: it is of another branch")
        if checksum != known[at - 1].checksum:
            raise BackupError(f"{name} is of another branch: its migration {number:04}_{called} has another content")
