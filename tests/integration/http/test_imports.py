"""PGN imports on a whole server: bounded memory for thousands of games, kills, and the command."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import random
import subprocess
import sys
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import chess
import psutil
import pytest

from game_core.chess.pgn_game import PgnGame
from game_core.chess.pgn_writer import write_games
from game_core.scores.lines import Line, Ply
from realtime.commands.import_games import SOME_REFUSED
from tests.game_core.chess.library import DATA
from tests.integration.lobby.test_people import ask
from tests.realtime.until import until
from tests.server_process import ROOT, ServerProcess
from tests.wire_client import guest, member

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.integration.match import Match

GAMES = 10_000

MB = 1024 * 1024

SERVER_GROWTH = 24 * MB
"""What many games may take of the server's memory beyond what few take: less than their text and JSON have."""

READER_MEMORY = 64 * MB

WORDS = " ".join(["some words on this"] * 50)

PATH = "/api/v1/imports?name=Many"

BROKEN = b'[White "Carl"]\n\n1. e4 e5 2. Ke3 0-1\n\n'


def games(number: int) -> Iterator[PgnGame]:
    """Random games of a few moves and many words, each another."""
    choice = random.Random(number)
    lines = []
    for _ in range(50):
        board, plies = chess.Board(), []
        for ply in range(12):
            move = choice.choice(list(board.legal_moves))
            remark = (WORDS,) if ply == 10 else ()
            plies.append(Ply(move.uci(), board.san(move), clock_ms=180_000 - ply * 2_500, comments=remark))
            board.push(move)
        lines.append(Line(tuple(plies)))
    for n in range(number):
        tags = {
            "White": f"Anna {n}",
            "Black": f"Bert {n // 7}",
            "Event": "Generated",
            "Site": "?",
            "Date": "2026.01.02",
        }
        yield PgnGame({**tags, "Round": str(n)}, line=lines[n % len(lines)], result="1/2-1/2")


class Upload:
    """A PGN text on its way to a server, in pieces as ``send`` is called."""

    def __init__(self, url: str, token: str) -> None:
        self._connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=300)
        self._connection.putrequest("POST", PATH)
        self._connection.putheader("Authorization", f"Bearer {token}")
        self._connection.putheader("Transfer-Encoding", "chunked")
        self._connection.endheaders()

    def send(self, text: bytes) -> None:
        self._connection.send(b"%x\r\n%s\r\n" % (len(text), text))

    def answer(self) -> tuple[int, Any]:
        """After the text's end, or before it if the server has enough."""
        with contextlib.closing(self._connection), self._connection.getresponse() as response:
            return response.status, json.loads(response.read())

    def end(self) -> tuple[int, Any]:
        self._connection.send(b"0\r\n\r\n")
        return self.answer()

    def hang_up(self) -> None:
        self._connection.close()


def bring(url: str, token: str, pieces: Iterator[str]) -> Any:
    """The answer to a whole text."""
    upload = Upload(url, token)
    for piece in pieces:
        upload.send(piece.encode())
    status, made = upload.end()
    assert status == 201, made
    return made


def reader_of(server: ServerProcess) -> psutil.Process | None:
    """The process that reads a text for the server."""
    for child in psutil.Process(server.pid).children(recursive=True):  # where it is several nodes, theirs
        try:
            if "realtime.imports.import_worker" in child.cmdline():
                return child
        except psutil.NoSuchProcess:
            continue
    return None


class Memory:
    """How much the server and its reader have had at most."""

    def __init__(self, server: ServerProcess) -> None:
        self.server = self.reader = 0
        self._server = server

    def look(self) -> bool:
        """Look once; always false, for ``until``."""
        self.server = max(self.server, psutil.Process(self._server.pid).memory_info().rss)
        reader = reader_of(self._server)
        if reader is not None:
            try:
                self.reader = max(self.reader, reader.memory_info().rss)
            except psutil.NoSuchProcess:
                return False
        return False

    async def of(self, url: str, token: str, number: int) -> Any:
        """Of an import of ``number`` games; its answer."""
        bringing = asyncio.create_task(asyncio.to_thread(bring, url, token, write_games(games(number))))
        await until(lambda: self.look() or bringing.done())
        return await bringing


@pytest.mark.lone_node("measures the memory of the process that serves")
@pytest.mark.timeout(300)
@pytest.mark.slow("thousands of games")
async def test_memory_of_an_import_is_independent_of_its_size(
    server: ServerProcess, url: str, bystanders: Match
) -> None:
    token, _ = member(url)
    few, many = Memory(server), Memory(server)
    assert (await few.of(url, token, GAMES // 20))["games"] == GAMES // 20
    made = await many.of(url, token, GAMES)
    assert (made["games"], made["refused"], made["more_refused"]) == (GAMES, [], 0)
    (told, _) = ask(url, "GET", "imports", token=token)[1]["imports"]
    assert told["games"] == GAMES
    assert told["bytes"] > SERVER_GROWTH
    assert many.server - few.server < SERVER_GROWTH, (few.server, many.server)
    assert 0 < many.reader < READER_MEMORY, (few.reader, many.reader)
    page = ask(url, "GET", f"imports/{made['import']}?after={GAMES - 2}", token=token)[1]
    assert [(game["n"], game["players"]["w"]["name"]) for game in page["games"]] == [
        (GAMES - 1, f"Anna {GAMES - 2}"),
        (GAMES, f"Anna {GAMES - 1}"),
    ]
    again = Memory(server)
    assert await asyncio.to_thread(count_back, url, token, made["import"]) == GAMES
    again.look()
    assert again.server - few.server < SERVER_GROWTH, (few.server, again.server)


def count_back(url: str, token: str, import_id: str) -> int:
    """How many games the file of an import has. It is read as it comes; each has to be as it was sent."""
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=300)
    connection.request("GET", f"/api/v1/imports/{import_id}/pgn", headers={"Authorization": f"Bearer {token}"})
    count = 0
    with contextlib.closing(connection), connection.getresponse() as response:
        for written in write_games(games(GAMES)):
            assert response.read(len(written)).decode() == written
            count += 1
        assert response.read() == b"\n"
    return count


async def test_interrupted_upload_stores_no_import(server: ServerProcess, url: str) -> None:
    token, _ = member(url)
    upload = Upload(url, token)
    upload.send(next(write_games(games(1))).encode())
    await until(lambda: reader_of(server) is not None)
    upload.hang_up()

    def is_taken() -> bool:
        """The one that was given up may still be under way."""
        again = Upload(url, token)
        again.send(next(write_games(games(1))).encode())
        status, made = again.end()
        assert status == 201 or made["error"]["code"] == "rate_limited", made
        return status == 201

    await until(is_taken)
    assert [told["games"] for told in ask(url, "GET", "imports", token=token)[1]["imports"]] == [1]
    assert reader_of(server) is None


async def test_killed_server_stores_no_import(tmp_path: Path) -> None:
    with ServerProcess(tmp_path / "data") as server:
        token, _ = member(server.url)
        upload = Upload(server.url, token)
        upload.send("".join(write_games(games(300))).encode())
        await until(lambda: reader_of(server) is not None)
        reader = reader_of(server)
        assert reader is not None
        server.kill9()
        upload.hang_up()
        await until(lambda: not reader.is_running())
        server.start()
        assert ask(server.url, "GET", "imports", token=token)[1]["imports"] == []
        assert bring(server.url, token, write_games(games(3)))["games"] == 3


async def test_stopping_server_refuses_an_import(tmp_path: Path, own_database: str) -> None:
    with ServerProcess(tmp_path / "data", database=own_database) as server:
        token, _ = member(server.url)
        upload = Upload(server.url, token)
        upload.send(next(write_games(games(1))).encode())
        await until(lambda: reader_of(server) is not None)
        stopping = asyncio.create_task(asyncio.to_thread(server.stop))
        status, failure = await asyncio.to_thread(upload.answer)
        assert (status, failure["error"]["code"]) == (503, "unavailable")
        assert await stopping == 0


class TestCommand:
    def run(self, server: ServerProcess, *arguments: str, text: bytes = b"") -> tuple[int, str, str]:
        """Exit status and what was said, on both ways, of ``zeitnot import`` beside the running server."""
        command = [sys.executable, "-c", "from realtime.commands.cli import main; main()", "import", *server.place]
        done = subprocess.run([*command, *arguments], cwd=ROOT, capture_output=True, input=text, check=False)
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def test_import_command_imports_a_file(self, server: ServerProcess, url: str) -> None:
        token, user = member(url)
        file = str(DATA / "kasparov-deep-blue-1997.pgn")
        status, said, _ = self.run(server, file, "--to", user["name"].upper())
        ((told), *rest) = ask(url, "GET", "imports", token=token)[1]["imports"]
        assert (status, rest) == (0, [])
        assert (told["name"], told["games"]) == ("kasparov-deep-blue-1997", 6)
        assert said == f"{told['import']}  6 games for {user['name']}: kasparov-deep-blue-1997\n"

    def test_import_command_reports_unreadable_games(self, server: ServerProcess, url: str) -> None:
        token, user = member(url)
        text = next(write_games(games(1))).encode() + BROKEN * 102
        status, said, _ = self.run(server, "-", "--to", user["name"], "--name", "Club", text=text)
        (told,) = ask(url, "GET", "imports", token=token)[1]["imports"]
        lines = said.splitlines()
        assert (status, told["name"], told["games"], len(lines)) == (SOME_REFUSED, "Club", 1, 102)
        assert lines[0].startswith("game 2, line ")
        assert lines[100] == "and 2 more games that cannot be read"

    def test_import_command_reports_refusals(self, server: ServerProcess, url: str, tmp_path: Path) -> None:
        _, user = member(url)
        _, stranger = guest(url)
        missing = str(tmp_path / "missing.pgn")
        for status, why, arguments in (
            (2, "there is no member called 'Nobody'", ("-", "--to", "Nobody")),
            (2, "there is no member called", ("-", "--to", stranger["name"])),
            (2, "there is no game in it", ("-", "--to", user["name"])),
            (1, "missing.pgn", (missing, "--to", user["name"])),
        ):
            found, _, said = self.run(server, *arguments, text=BROKEN)
            assert found == status
            assert why in said
