"""Wire types of imported games, as in docs/protocol.md."""

from __future__ import annotations

from typing import NotRequired, TypedDict

from game_core.events import Result
from lobby.wire.lobby import UserWire  # noqa: TC001  read when the documents are made


class RefusedGameWire(TypedDict):
    """A game that could not be read. ``game``, ``line`` and ``column`` count from 1."""

    game: int
    line: int
    column: int
    message: str


# ``import`` is a keyword and cannot be a field in the class syntax.
_Id = TypedDict("_Id", {"import": str})
_MaybeId = TypedDict("_MaybeId", {"import": str | None})


class ImportedWire(_MaybeId):
    """``POST /api/v1/imports``. ``import`` is its id; null if no game could be read and nothing was stored."""

    name: str
    games: int
    refused: list[RefusedGameWire]
    more_refused: int


class ImportWire(_Id):
    """One import: games that a person has uploaded together. ``bytes`` is their stored size."""

    name: str
    owner: UserWire
    public: bool
    created: int
    games: int
    bytes: int


class ImportRoomWire(TypedDict):
    """The remaining quota of a person."""

    imports: int
    games: int
    bytes: int


class ImportsWire(TypedDict):
    """``GET /api/v1/imports``."""

    imports: list[ImportWire]
    left: ImportRoomWire


class ImportedPlayerWire(TypedDict):
    """A player as in the game's tags. ``elo`` is null if there is no such tag."""

    name: str
    elo: int | None


class ImportedPlayersWire(TypedDict):
    """White and Black."""

    w: ImportedPlayerWire
    b: ImportedPlayerWire


class ImportedRowWire(TypedDict):
    """One line of a list. ``date`` and ``event`` are as in the tags; unknown is ``????.??.??`` and ``?``."""

    n: int
    players: ImportedPlayersWire
    result: Result
    date: str
    event: str
    plies: int
    variant: str


_Whole = TypedDict("_Whole", {"import": ImportWire})


class ImportPageWire(_Whole):
    """``GET /api/v1/imports/{id}``."""

    games: list[ImportedRowWire]
    next: int | None


class ImportedLineWire(TypedDict):
    """A sequence of moves. ``comments`` stand before the first."""

    moves: list[ImportedMoveWire]
    comments: NotRequired[list[str]]


class ImportedMoveWire(TypedDict):
    """A move with its annotations; absent ones are left out. ``afterwards`` are comments after the variations."""

    move: str
    san: str
    nags: NotRequired[list[int]]
    clock: NotRequired[int]
    spent: NotRequired[int]
    draw: NotRequired[bool]
    comments: NotRequired[list[str]]
    variations: NotRequired[list[ImportedLineWire]]
    afterwards: NotRequired[list[str]]


class ImportedScoreWire(TypedDict):
    """A whole game. ``fen`` is its start position, null for the usual one."""

    tags: dict[str, str]
    variant: str
    fen: str | None
    result: Result
    line: ImportedLineWire


class ImportedGameWire(_Id):
    """``GET /api/v1/imports/{id}/games/{n}``. ``games`` is the number of games; ``n`` counts from 1."""

    name: str
    n: int
    games: int
    game: ImportedScoreWire
