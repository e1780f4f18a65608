"""The process of the robots, without pauses: ``robots_program.py URL TOKEN_FILE [ENGINE]``."""

from __future__ import annotations

import asyncio
import logging
import sys
from pathlib import Path

from lobby.robots.robot_accounts import robot_tokens
from realtime.commands.service_token import read_service_token
from robots.process import RobotsOptions, run_robots


def main() -> None:
    url, token_file, *engine = sys.argv[1:]
    logging.basicConfig(level=logging.INFO)
    tokens = robot_tokens(read_service_token(Path(token_file)))
    options = RobotsOptions(url=url, tokens=lambda: tokens, engine=Path(engine[0]) if engine else None, tempo=0.0)
    sys.exit(asyncio.run(run_robots(options)))


if __name__ == "__main__":
    main()
