"""The command ``zeitnot``: serve, robots, migrate, backup, restore, games, import, users, ratings, demo, chaos,
version."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import errno
import logging
import os
import re
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from game_core.errors import GameError, Refusal
from realtime import __version__
from realtime.commands.options import DATABASE_OPTIONS, ROBOTS_OPTIONS, SERVE_OPTIONS, Option
from realtime.commands.settings import read_robots_settings, read_settings
from realtime.ops import log
from realtime.protocol.errors import BadSetting, DatabaseError, RealtimeError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from realtime.commands.settings import Settings


_ROLE_CHANGE = re.compile(r"[+-][a-z]+")
"""What argparse takes for an unknown option: ``-host``, and whatever follows it."""

INTERRUPTED = 128 + signal.SIGINT
"""Exit status after an interrupt, as in shells."""

USER_VERBS = ("list", "show", "reset", "role", "close", "open")


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    top = argparse.ArgumentParser(prog="zeitnot", description="Server for live chess, draughts and Chinese checkers.")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    serve = commands.add_parser("serve", help="run the server")
    _add(serve, SERVE_OPTIONS + DATABASE_OPTIONS)
    robots = commands.add_parser("robots", help="play for the robots of a server")
    _add(robots, ROBOTS_OPTIONS)
    migrate = commands.add_parser("migrate", help="migrate the database to this version and stop")
    _add(migrate, DATABASE_OPTIONS)
    backup = commands.add_parser("backup", help="back up the database to a file, also while a server is running")
    _add(backup, DATABASE_OPTIONS)
    backup.add_argument(
        "file",
        metavar="FILE",
        help="file to write; for a directory, a new file in it, named by the time; - for standard output",
    )
    backup.add_argument("--force", action="store_true", help="overwrite FILE")
    backup.add_argument(
        "--keep",
        type=int,
        default=0,
        metavar="N",
        help="keep only the N newest backups in the directory (default: all)",
    )
    restore = commands.add_parser("restore", help="restore the database from a backup; no server may be running")
    _add(restore, DATABASE_OPTIONS)
    restore.add_argument("file", metavar="FILE", help="a file written by `zeitnot backup`; - for standard input")
    restore.add_argument(
        "--replace", action="store_true", help="delete the current contents of the database, after confirmation"
    )
    restore.add_argument("--yes", action="store_true", help="with --replace: do not ask for confirmation")
    games = commands.add_parser("games", help="list games, or export them as PGN")
    _add(games, DATABASE_OPTIONS)
    games.add_argument(
        "--pgn", action="store_true", help="print PGN (PDN for draughts and Chinese checkers) instead of a list"
    )
    games.add_argument("--user", help="only games of this user")
    games.add_argument("--limit-games", type=int, default=50, metavar="N", help="at most this many, newest first")
    games.add_argument("ids", nargs="*", metavar="GAME", help="only these games")
    imports = commands.add_parser("import", help="import the games of a PGN file for a member")
    _add(imports, DATABASE_OPTIONS)
    imports.add_argument("file", metavar="FILE", help="a PGN file; - for standard input")
    imports.add_argument("--to", required=True, metavar="MEMBER", help="the member who will own the import")
    imports.add_argument("--name", help="the name of the import (default: the file's name)")
    users = commands.add_parser(
        "users", help="manage accounts: list, assign roles, create password reset codes, close", add_help=False
    )
    users.add_argument("--help", action="help", help="show this help message and exit")  # -host is a role to remove
    _add(users, DATABASE_OPTIONS)
    users.add_argument(
        "verb",
        choices=USER_VERBS,
        metavar="VERB",
        help="list [PREFIX or ROLE]; show, reset, close or open NAME; role NAME +ROLE -ROLE",
    )
    users.add_argument("arguments", nargs="*", metavar="…")
    ratings = commands.add_parser("ratings", help="recompute the ratings")
    _add(ratings, DATABASE_OPTIONS)
    ratings.add_argument(
        "verb", choices=("recompute",), metavar="recompute", help="compute all ratings from the rated games"
    )
    ratings.add_argument("--check", action="store_true", help="only compare; exit status 4 if there are differences")
    demo = commands.add_parser("demo", help="run a demonstration with scripted participants")
    demo.add_argument("what", choices=("simul",), metavar="simul", help="a simul with many participants")
    demo.add_argument(
        "--url", default="http://127.0.0.1:8000", help="address of a running server (default: %(default)s)"
    )
    demo.add_argument(
        "--boards", type=int, default=100, metavar="N", help="number of boards, 1 to 1000 (default: %(default)s)"
    )
    demo.add_argument("--host-plays", action="store_true", help="script the host, too")
    demo.add_argument("--token", help="your API token with the scopes play and host, to host the simul yourself")
    demo.add_argument("--simul", metavar="ID", help="use this announced simul instead of a new one")
    demo.add_argument("--mode", choices=("clock", "round"), default="clock", help="clock mode (default: %(default)s)")
    demo.add_argument("--game", default="chess", help="game to play (default: %(default)s)")
    demo.add_argument("--variant", help="variant to play (default: the game's first)")
    demo.add_argument(
        "--think", type=float, default=2.0, metavar="S", help="thinking time of participants (default: %(default)s)"
    )
    demo.add_argument(
        "--host-think", type=float, default=0.0, metavar="S", help="thinking time of a scripted host (default: none)"
    )
    demo.add_argument("--seconds", type=int, default=900, metavar="S", help="maximum duration (default: %(default)s)")
    chaos = commands.add_parser("chaos", help="run games on a test cluster, inject random faults, check the results")
    chaos.add_argument("--minutes", type=float, default=2.0, metavar="M", help="duration (default: %(default)s)")
    chaos.add_argument(
        "--seed", type=int, default=1, metavar="S", help="random seed of faults and games (default: %(default)s)"
    )
    chaos.add_argument("--nodes", type=int, default=3, metavar="N", help="number of servers (default: %(default)s)")
    chaos.add_argument("--games", type=int, default=16, metavar="N", help="concurrent games (default: %(default)s)")
    chaos.add_argument(
        "--boards", type=int, default=12, metavar="N", help="boards of each simul (default: %(default)s)"
    )
    chaos.add_argument("--faults", default="", metavar="NAME,…", help="faults to inject (default: all)")
    chaos.add_argument("--report", metavar="FILE", help="write a report in Markdown")
    chaos.add_argument(
        "--keep", metavar="DIR", help="keep logs and database in this directory, which must be empty or new"
    )
    commands.add_parser("version", help="print the version")
    return top


def main(arguments: Sequence[str] | None = None, *, node: str | None = None, worker: int | None = None) -> None:
    """Entry point of the console script. ``node`` and ``worker`` identify one of several servers (``workers.py``)."""
    if worker is not None:
        log.name_process(worker=worker)
    try:
        status = run(arguments, node=node)
    except KeyboardInterrupt:  # before anything was started
        status = 130
    sys.exit(status)


def run(arguments: Sequence[str] | None = None, *, node: str | None = None) -> int:
    """Run one command; return the exit status. Errors that a user can fix are one line on stderr."""
    args = _parse(arguments)
    if args.command == "version":
        _print(f"zeitnot {__version__}")
        return 0
    try:
        if args.command == "demo":
            return _demo(args)
        if args.command == "chaos":
            return _chaos(args)
        if args.command == "robots":
            return _robots(args)
        settings = read_settings(vars(args), os.environ if node is None else _of_worker(os.environ))
        log.set_up(settings.log_format, settings.log_level)
        if _writes(args):
            _name_target(settings, args.command)
        if args.command == "restore" and args.replace and not args.yes:
            _confirm(settings)
        return _run(args, settings, node)
    except (RealtimeError, GameError, Refusal) as error:
        sys.stderr.write(f"zeitnot: {error}\n")
        return 2
    except OSError as error:
        sys.stderr.write(f"zeitnot: {str(error) or repr(error)}\n")
        return 1
    except KeyboardInterrupt:
        sys.stderr.write("zeitnot: interrupted\n")
        return INTERRUPTED


def _of_worker(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the environment without the data directory, which an older parent passes beside the database's URL."""
    return {name: text for name, text in environment.items() if name != "ZEITNOT_DATA"}


def _writes(args: argparse.Namespace) -> bool:
    """Return whether the command changes the database."""
    if args.command == "users":
        return args.verb not in ("list", "show")
    if args.command == "ratings":
        return not args.check
    return args.command in ("serve", "migrate", "backup", "restore", "import")


def _name_target(settings: Settings, command: str) -> None:
    """Print which database is about to be changed; a backup records its time there."""
    line = f"{'backs up' if command == 'backup' else 'writes to'} {settings.target}"
    if command == "serve":
        logging.getLogger(__name__).info("%s", line)
    else:
        _warn(line)


def _confirm(settings: Settings) -> None:
    """Ask at the terminal whether the database may be replaced. Raises ``BadSetting`` without a yes."""
    if not sys.stdin.isatty():
        raise BadSetting(
            "restore --replace: no terminal to ask for confirmation; add --yes to replace the whole database"
        )
    sys.stderr.write(f"The contents of {settings.target} will be deleted. Type yes to continue: ")
    sys.stderr.flush()
    if sys.stdin.readline().strip().lower() != "yes":
        raise BadSetting("restore --replace: nothing was done")


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    top = parser()
    args, unknown = top.parse_known_args(arguments)
    if args.command == "users" and all(_ROLE_CHANGE.fullmatch(argument) for argument in unknown):
        args.arguments += unknown
    elif unknown:
        top.error(f"unrecognized arguments: {' '.join(unknown)}")
    return args


def _run(args: argparse.Namespace, settings: Settings, node: str | None) -> int:
    # Imported here, so that `zeitnot version` and `--help` answer at once.
    from realtime import app
    from realtime.clock import loop_time
    from realtime.commands import backup, games, import_games, ratings, restore, users
    from realtime.net import server
    from realtime.ops import descriptors

    if args.command in ("backup", "restore"):
        _mind_signals()
    if args.command == "serve":
        descriptors.allow_many()
        try:  # before there is a database
            server.check_address(settings.host, port := settings.port, share_port=settings.share_port)
            for port in settings.metrics_ports if node is None else ():  # one of several workers waits for its port
                server.check_address(settings.host, port, share_port=False)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
            _warn(f"{settings.host}:{port}: {error.strerror}")
            return server.PORT_TAKEN
    with plain_errors(), asyncio.Runner(loop_factory=loop_time.new_event_loop) as runner:
        if args.command == "serve":
            return runner.run(_serve(settings, node))
        if args.command == "users":
            return runner.run(users.run_users(settings, _print, args.verb, args.arguments))
        if args.command == "import":
            return runner.run(import_games.import_games(settings, _print, file=args.file, to=args.to, name=args.name))
        if args.command == "backup":
            return runner.run(backup.back_up(settings, _print, file=args.file, force=args.force, keep=args.keep))
        if args.command == "restore":
            with restore.opened(args.file) as source:
                return runner.run(restore.restore(settings, _print, source, replace=args.replace))
        if args.command == "ratings":
            return runner.run(ratings.recompute(settings, _print, only_check=args.check))
        if args.command == "migrate":
            runner.run(app.migrate_only(settings))
            return 0
        return runner.run(
            games.print_games(settings, _print, ids=args.ids, user=args.user, most=args.limit_games, as_scores=args.pgn)
        )


async def _serve(settings: Settings, node: str | None) -> int:
    """Run one server or several workers, with the process of the robots beside them."""
    from realtime import app
    from realtime.commands import robots_process, workers

    async with robots_process.RobotsProcess(settings) as robots:

        def on_ready(url: str) -> None:
            _print(url)
            robots.start(url)

        if settings.workers > 1:
            return await workers.serve_workers(settings, on_ready)
        return await app.serve(settings, on_ready, node)


@contextlib.contextmanager
def plain_errors() -> Iterator[None]:
    """Turn database errors that a user can fix into one line."""
    from realtime.postgres.database import FAILURES, classify, startup_failure

    try:
        yield
    except FAILURES as error:
        why = startup_failure(error)
        if why is None:
            raise
        raise (DatabaseError if classify(error) is None else ConnectionError)(why) from error


def _chaos(args: argparse.Namespace) -> int:
    from harness.chaos import command
    from harness.chaos.options import ChaosOptions

    log.set_up("text", "error")  # faults that it causes are expected
    plan = ChaosOptions(
        minutes=args.minutes,
        seed=args.seed,
        nodes=args.nodes,
        games=args.games,
        boards=args.boards,
        faults=tuple(name.strip() for name in args.faults.split(",") if name.strip()),
        report=Path(args.report) if args.report else None,
        keep=Path(args.keep) if args.keep else None,
    )
    with contextlib.suppress(KeyboardInterrupt):
        return asyncio.run(command.run_chaos(plan, _print))
    return 130


def _demo(args: argparse.Namespace) -> int:
    from harness.demo import command
    from harness.demo.options import DemoOptions

    plan = DemoOptions(
        url=args.url.rstrip("/"),
        boards=args.boards,
        token=args.token,
        host_plays=args.host_plays,
        simul=args.simul,
        mode=args.mode,
        game=args.game,
        variant=args.variant,
        seconds=args.seconds,
        think_s=args.think,
        host_think_s=args.host_think,
    )
    _mind_signals()
    with contextlib.suppress(KeyboardInterrupt):  # how most demonstrations end
        return asyncio.run(command.demonstrate(plan, _print, _warn))
    return 0


def _robots(args: argparse.Namespace) -> int:
    from realtime.commands import robots_process

    settings = read_robots_settings(vars(args), os.environ)
    log.set_up(settings.log_format, settings.log_level)
    log.name_process(robots=True)
    return robots_process.play(settings)


def _mind_signals() -> None:
    """Let SIGTERM and SIGINT end the command by ``KeyboardInterrupt``, after clean-up."""
    # Background commands of a shell start with SIGINT ignored, and asyncio replaces only Python's own handler.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))


def _add(parser: argparse.ArgumentParser, options: Sequence[Option]) -> None:
    for option in options:
        text = f"{option.help} [{option.variable}]"
        if option.is_switch:
            parser.add_argument(option.flag, dest=option.name, action="store_const", const="yes", help=text)
        else:
            parser.add_argument(
                option.flag, dest=option.name, metavar=option.metavar, choices=option.choices, help=text
            )


def _warn(line: str) -> None:
    sys.stderr.write(f"zeitnot: {line}\n")


def _print(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
