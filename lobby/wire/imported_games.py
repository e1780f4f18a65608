"""How imported games look on the wire: types of docs/protocol.md, as in ``lobby.py``."""

from __future__ import annotations

from typing import NotRequired, TypedDict

from game_core.events import Result
from lobby.wire.lobby import UserWire  # noqa: TC001  read when the documents are made


class RefusedGameWire(TypedDict):
    """A game of the text that cannot be read, counted from 1, and where in the text that shows, also from 1."""

    game: int
    line: int
    column: int
    message: str


# A class has no way to write a field that is called ``import``.
_Id = TypedDict("_Id", {"import": str})
_MaybeId = TypedDict("_MaybeId", {"import": str | None})


class ImportedWire(_MaybeId):
    """``POST /api/v1/imports``: ``import`` is its id, null where no game could be read and nothing was kept."""

    name: str
    games: int
    refused: list[RefusedGameWire]
    more_refused: int


class ImportWire(_Id):
    """Games that somebody has brought here together. ``bytes`` are what they take here."""

    name: str
    owner: UserWire
    public: bool
    created: int
    games: int
    bytes: int


class ImportRoomWire(TypedDict):
    """How much more somebody may bring."""

    imports: int
    games: int
    bytes: int


class ImportsWire(TypedDict):
    """``GET /api/v1/imports``."""

    imports: list[ImportWire]
    left: ImportRoomWire


class ImportedPlayerWire(TypedDict):
    """What a game's tags say of a player, as they say it; ``elo`` null where they do not."""

    name: str
    elo: int | None


class ImportedPlayersWire(TypedDict):
    """Both of them."""

    w: ImportedPlayerWire
    b: ImportedPlayerWire


class ImportedRowWire(TypedDict):
    """One line of a list; ``date`` and ``event`` are as the tags have them, unknown is ``????.??.??`` and ``?``."""

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
    """Moves in a row; ``comments`` stand before the first."""

    moves: list[ImportedMoveWire]
    comments: NotRequired[list[str]]


class ImportedMoveWire(TypedDict):
    """A move and what is said of it; what there is nothing of is left out. ``afterwards`` follow the variations."""

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
    """A whole game; ``fen`` is where it began, null for the usual position."""

    tags: dict[str, str]
    variant: str
    fen: str | None
    result: Result
    line: ImportedLineWire


class ImportedGameWire(_Id):
    """``GET /api/v1/imports/{id}/games/{n}``: ``games`` is how many there are; their ``n`` go from 1 to it."""

    name: str
    n: int
    games: int
    game: ImportedScoreWire
