"""The bot of docs/bots.md plays."""

from __future__ import annotations

import asyncio
import re
import sys
from pathlib import Path

from tests.wire_client import Client, guest

DOCUMENT = Path(__file__).parents[3] / "docs" / "bots.md"


async def test_bot_of_the_document_plays_after_a_challenge(url: str, tmp_path: Path) -> None:
    (program,) = re.findall(r"```python\n(.*?)```", DOCUMENT.read_text(), re.DOTALL)
    assert len([line for line in program.splitlines() if line.strip()]) <= 30
    file = tmp_path / "bot.py"
    file.write_text(program)
    token, bot = guest(url)
    async with Client(url, guest(url)[0]) as client:
        waiting = await client.request("challenge", tc={"base_s": 300}, to=bot["name"], color="w")
        process = await asyncio.create_subprocess_exec(
            sys.executable, str(file), url, token, env={"PYTHONPATH": str(DOCUMENT.parents[1])}
        )
        try:
            game = (await client.wait(lambda m: m["t"] == "paired"))["g"]
            assert waiting["challenge"]
            await client.sub(game)
            await client.request("move", g=game, move="e2e4", ply=0)
            await client.event(game, 2)
            await client.request("move", g=game, move="d2d4", ply=2)
            await client.event(game, 4)
            rated = await client.request("challenge", tc=None, to=bot["name"], game="draughts", variant="russian")
            gone = await client.wait(lambda m: m["t"] == "challenge.gone" and m["challenge"] == rated["challenge"])
            assert gone["why"] == "accepted"
        finally:
            process.terminate()
            await process.wait()
