"""The tables of docs/protocol.md that say what each request takes, from the requests' own types.

    python -m codegen.protocol_doc

writes them anew; ``tests/codegen/test_protocol_doc.py`` fails while the document says something else.
"""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
from msgspec import inspect

from codegen.markdown import format_table, rewrite
from realtime.protocol.request_fields import SAFE_INT, ChangeRequest, Request
from realtime.protocol.requests import REQUESTS, Challenge, Sub, Terms
from realtime.protocol.simul_requests import SIMUL_REQUESTS

DOCUMENT = Path(__file__).parents[1] / "docs" / "protocol.md"

SHARED_FIELDS = {"id", "key"}
"""Fields that are described once for all requests."""

PLACES = {
    "": "",
    "seat": ", a player of `g`",
    "owner": ", the owner",
    "recipient": ", the recipient",
    "host": ", the host",
    "acting_host": ", the host, or the `acting` stand-in",
    "stand_in": ", the host or the stand-in",
    "board": ", the player of `g`",
    "robot": ", a robot of the server",
}
"""Names of ``permissions.Place`` in the document."""

MEANINGS = {
    "topic": "`lobby`, `tv`, `game:ID`, `simul:ID` or `user`",
    "from": "last `seq` seen",
    "ticks": "wants clock ticks (`game:ID`)",
    "legal": "wants the legal moves of one's own side (`game:ID`)",
    "tc": "the time control; null: no clock",
    "game": "the family",
    "variant": "the variant of the game; required for games other than chess",
    "rated": "not for guests",
    "color": "the colour of the player who sends the request",
    "min_rating": "minimum rating of the opponent, at most `max_rating`; an opponent without a rating counts as 1500",
    "max_rating": "maximum rating of the opponent",
    "rules": "the rule profile, one that the variant [has](#the-games)",
    "seek": "id of the seek",
    "challenge": "id of the challenge",
    "to": "a name in upper or lower case, `self`, `robot`; null: open, by link",
    "level": "level of the robot",
    "sub.position": "wants only a [mini board](#mini-boards) (`game:ID`)",
    "position": "number of the start position, only in `chess960` and never in rated games; null: a random one",
    "delay_s": "seconds by which the public sees the game [later](#seen-later)",
    "delay_moves": "moves of both sides by which the public sees the game later, instead of seconds",
    "fen": "start position as FEN, in chess also X-FEN or Shredder-FEN; counters may be left out; never in rated games",
    "opponent_tc": "the opponent's time control, if it differs; null: the same for both",
    "hints": "against robots of levels 1 to 4: the sender may ask for [hints](#hint) in this game",
    "laws": "the client knows the [Laws](#by-the-laws)",
    "seek.laws": "the terms of a game [by the Laws](#by-the-laws)",
    "challenge.laws": "the terms of a game [by the Laws](#by-the-laws)",
    "robots.laws": "it plays [by the Laws](#by-the-laws)",
    "sub.laws": "the client knows the [Laws](#by-the-laws); required of players in such games (`game:ID`)",
    "write.ply": "half-moves on the board before the move",
    "write.text": "the move as it is written: up to 20 characters",
    "language": "the language of the [piece letters](#the-games), such as `de`",
    "restart.what": "what was wrong",
    "square": "the square of a piece of either side",
    "signal.on": "true: one adjusts pieces from now on; false: no longer",
    "press.ply": "as of the move",
    "touch.ply": "as of the move; null is not checked",
    "signal.ply": "as of the move; null is not checked",
    "press.move": "the move that it completes; null: whatever was made",
    "better": "the side that is better",
    "winning": "that side should win; not for `equal`",
    "hint.give.ply": "half-moves on the board, as in `hint.asked`",
    "hint.give.move": "the best move, in wire notation",
    "reason": "the reason, shown to the challenger",
    "pool": "minutes for the game, plus seconds of increment",
    "pool.take.user": "id of the person who waits",
    "g": "id of the game",
    "move": "wire notation",
    "ply": "half-moves on the board before this one",
    "draw": "offers a draw with the move",
    "lag": "network lag measured by the client, in ms",
    "seen": "last `seq` seen",
    "do": "what to do",
    "draw.move": "of a claim: the intended move",
    "seconds": "seconds to give to the opponent",
    "what": "what to claim",
    "text": "the text as typed; at most 140 characters after cleaning",
    "chat.topic": "`game:ID`",
    "holder": "random name that the process gives itself when it starts",
    "active": "whether the last `ok` had `active` true",
    "leaving": "it is about to stop",
    "games": "the variants that it plays, by game: at most 16 games and 64 variants of each",
    "free": "number of new games that it accepts until its next report",
    "least_s": "shortest estimated time of a side (base and 40 increments) that it accepts in a new game, in seconds",
    "on": "true pauses the clocks, false resumes them",
}
"""Meaning of a field, by its name, or by request and name where it differs."""


_ANY = {"tc": "time control", "opponent_tc": "time control", "laws": "object"}
"""Types of fields that are parsed elsewhere."""


def sections() -> dict[str, str]:
    """Return the generated sections of the document. Requests for simuls are excluded: the document has one table for
    them."""
    tables = {name: _fields(name, request) for name, request in REQUESTS.items() if name not in SIMUL_REQUESTS}
    return {"requests": _overview()} | {name: table for name, table in tables.items() if table}


def _overview() -> str:
    rows = (
        (f"`{name}`", _permission(request), "yes" if issubclass(request, ChangeRequest) else "")
        for name, request in REQUESTS.items()
    )
    return format_table(("request", "needs", "takes `key`"), rows)


def _permission(request: type[Request]) -> str:
    if request is Sub:
        return "nothing; for `user` scope `read`"
    need = request.permission
    if need.who == "anybody":
        return "nothing"
    roles = "".join(f", role `{role}`" for role in need.roles)
    return f"scope `{need.scope}`{roles}{PLACES[need.place]}"


def _fields(name: str, request: type[Request]) -> str:
    """Return the table of one request; empty for one without fields of its own. That of ``challenge`` leaves out those
    of ``seek``."""
    info = inspect.type_info(request)
    assert isinstance(info, inspect.StructType), "requests are structs"
    told = SHARED_FIELDS if request is not Challenge else {*SHARED_FIELDS, *Terms.__struct_encode_fields__}
    rows = [
        (
            f"`{field.encode_name}`",
            _ANY[field.encode_name] if isinstance(field.type, inspect.AnyType) else _type(field.type),
            "required" if field.required else _default(field),
            MEANINGS.get(f"{name}.{field.encode_name}") or MEANINGS[field.encode_name],
        )
        for field in info.fields
        if field.encode_name not in told
    ]
    return format_table(("field", "type", "default", "meaning"), rows) if rows else ""


def _default(field: inspect.Field) -> str:
    default = field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()
    return f"`{json.dumps(default)}`"


def _type(kind: inspect.Type) -> str:
    """Return a field's type with its limits. Null is omitted: the default shows it."""
    if isinstance(kind, inspect.UnionType):
        (kind,) = (choice for choice in kind.types if not isinstance(choice, inspect.NoneType))
    if isinstance(kind, inspect.LiteralType):
        return ", ".join(f"`{value}`" for value in kind.values)
    if isinstance(kind, inspect.BoolType):
        return "boolean"
    if isinstance(kind, inspect.StrType):
        return f"text of {kind.min_length or 0} to {kind.max_length} characters"
    if isinstance(kind, inspect.DictType):
        return "map of lists"
    assert isinstance(kind, inspect.IntType), f"no words for {kind}"
    return f"integer from {kind.ge}" if kind.le == SAFE_INT else f"integer {kind.ge} to {kind.le}"


if __name__ == "__main__":
    rewrite(DOCUMENT, sections())
