"""The database to which a command writes."""

from __future__ import annotations

import asyncio
import os
import pty
import socket
from typing import TYPE_CHECKING

import pytest

from realtime.postgres.database import connect
from realtime.postgres.embedded import opened_beside
from realtime.postgres.migrate import migrate
from tests.integration.commands import command, zeitnot
from tests.server_process import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.conftest import Server


@pytest.fixture
def elsewhere(postgres: Server) -> Iterator[str]:
    """A database that nobody means."""
    name = postgres.create(template="template1")
    yield postgres.url(name)
    postgres.drop(name)


async def people(url: str) -> list[str]:
    connection = await connect(url, name="test")
    try:
        return [row["name"] for row in await connection.fetch("SELECT name FROM person ORDER BY name")]
    finally:
        await connection.close()


async def add_person(url: str, name: str) -> None:
    connection = await connect(url, name="test")
    try:
        await connection.execute("INSERT INTO person (id, name, kind) VALUES ($1, $1, 'guest')", name)
    finally:
        await connection.close()


async def test_command_line_overrides_the_environment(tmp_path: Path, elsewhere: str) -> None:
    data, backup = tmp_path / "data", tmp_path / "x.dump"
    await migrate(elsewhere)
    await add_person(elsewhere, "Eve")
    status, _, said = await zeitnot("migrate", "--data", data, environment={"ZEITNOT_DATABASE": elsewhere})
    assert (status, f"zeitnot: writes to the embedded PostgreSQL in {data}" in said) == (0, True), said
    status, _, said = await zeitnot("backup", backup, "--data", data, environment={"ZEITNOT_DATABASE": elsewhere})
    assert (status, said) == (0, f"zeitnot: backs up the embedded PostgreSQL in {data}\n")
    async with opened_beside(data) as url:
        await add_person(url, "Anna")
    status, _, said = await zeitnot(
        "restore", backup, "--replace", "--yes", "--data", data, environment={"ZEITNOT_DATABASE": elsewhere}
    )
    assert (status, said) == (0, f"zeitnot: writes to the embedded PostgreSQL in {data}\n")
    assert await people(elsewhere) == ["Eve"]
    async with opened_beside(data) as url:
        assert await people(url) == []


async def test_replacing_needs_a_confirmation(tmp_path: Path, elsewhere: str) -> None:
    await migrate(elsewhere)
    backup = tmp_path / "x.dump"
    assert (await zeitnot("backup", backup, "--database", elsewhere))[0] == 0
    await add_person(elsewhere, "Eve")
    status, _, said = await zeitnot("restore", backup, "--replace", "--database", elsewhere)
    assert (status, "no terminal to ask for confirmation; add --yes" in said) == (2, True), said
    status, said = await at_a_terminal("no", "restore", backup, "--replace", "--database", elsewhere)
    assert (status, "Type yes to continue: " in said, "nothing was done" in said) == (2, True, True), said
    assert await people(elsewhere) == ["Eve"]
    status, said = await at_a_terminal("yes", "restore", backup, "--replace", "--database", elsewhere)
    assert (status, "is restored" in said) == (0, True), said
    assert await people(elsewhere) == []


async def at_a_terminal(answer: str, *arguments: object) -> tuple[int, str]:
    """Exit status and output of a command to which a person types ``answer``."""
    ours, theirs = pty.openpty()
    try:
        process = await asyncio.create_subprocess_exec(
            *command(*arguments),
            cwd=ROOT,
            stdin=theirs,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        os.write(ours, f"{answer}\n".encode())
        said, _ = await process.communicate()
    finally:
        os.close(ours)
        os.close(theirs)
    assert process.returncode is not None
    return process.returncode, said.decode()


async def test_bad_arguments_are_reported_before_the_database_exists(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        status, _, said = await zeitnot("serve", "--data", data, "--port", port)
        assert (status, f"127.0.0.1:{port}: Address already in use" in said) == (3, True), said
        status, _, said = await zeitnot("serve", "--data", data, "--port", port, "--workers", 2)
        assert (status, f"127.0.0.1:{port}: Address already in use" in said) == (3, True), said
    status, _, said = await zeitnot("serve", "--data", data, "--host", "no-such-host.invalid")
    assert (status, "host: 'no-such-host.invalid' is not known" in said) == (2, True), said
    status, _, said = await zeitnot("serve", "--data", data, "--host", "192.0.2.1")
    assert (status, "host: '192.0.2.1' is no address of this machine" in said) == (2, True), said
    status, _, said = await zeitnot("serve", "--data", data, environment={"ZEITNOT_PROT": "80"})
    assert (status, said) == (2, "zeitnot: ZEITNOT_PROT: there is no such setting; is it ZEITNOT_PORT?\n")
    assert not data.exists()


async def test_foreign_tables_are_reported_in_one_line(elsewhere: str) -> None:
    connection = await connect(elsewhere, name="test")
    await connection.execute("CREATE TABLE person (n int)")
    await connection.close()
    for name in ("migrate", "serve"):
        status, _, said = await zeitnot(name, "--database", elsewhere, *(("--port", 0) if name == "serve" else ()))
        assert status == 2
        assert said.splitlines()[-1].startswith("zeitnot: the database contains objects of other programs under ")
        assert "Traceback" not in said
