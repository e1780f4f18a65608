"""Generator of the client's protocol types, ``web/src/net/protocol.gen.ts``, from the JSON Schema of the messages.

    python -m codegen.protocol_types

regenerates it; ``tests/codegen/test_protocol_types.py`` fails while the file differs, and the client does not compile
while its pages expect other types.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from websockets.frames import CloseCode

from codegen.typescript import TypeScript, key, part_name, quoted
from game_core import time_control
from game_core.chess.variants import BY_NAME
from game_core.color import Color
from game_core.errors import ErrorCode
from game_core.events import EndReason, Result, Ruling
from game_core.registry import registered, rules_for
from game_core.time_control import ControlWire, Speed
from lobby import chat
from lobby.accounts import names, passwords, preferences
from lobby.accounts.preferences import Setting
from lobby.accounts.scopes import Scope
from lobby.accounts.user import Role
from lobby.pools import pools
from lobby.wire import lobby, moderation
from lobby.wire.lobby import Kind
from realtime.http.app import OPERATIONS
from realtime.http.openapi.asyncapi import PUSHES
from realtime.http.openapi.json_schema import Schemas
from realtime.http.operation import PREFIX
from realtime.net.connection import FLOOD
from realtime.people.presence import LOGGED_OUT
from realtime.protocol import wire_events, wire_lobby
from realtime.protocol import wire_types as w
from realtime.protocol.requests import REQUESTS
from realtime.protocol.wire_http import FailureWire
from realtime.protocol.wire_people import FieldFailureWire
from realtime.protocol.wire_personal import PersonalWire
from simul import wire as simul
from simul import wire_events as simul_events

if TYPE_CHECKING:
    from collections.abc import Mapping

    from codegen.typescript import Schema

FILE = Path(__file__).parents[1] / "web" / "src" / "net" / "protocol.gen.ts"

HEAD = "/** Written by `python -m codegen.protocol_types` from the server's types. Not by hand. */\n"

ALIASES: dict[str, Any] = {
    "Color": Color,
    "Result": Result,
    "Status": w.Status,
    "Speed": Speed,
    "OfferKind": wire_events.OfferKind,
    "OfferAct": wire_events.OfferAct,
    "LawsKind": w.LawsKind,
    "RulingKind": Ruling,
    "UserKind": Kind,
    "Role": Role,
    "Scope": Scope,
    "Wish": lobby.Wish,
    "RulesProfile": lobby.Profile,
    "ChatRoom": lobby.RoomName,
    "Closed": lobby.Closed,
    "PoolEnd": lobby.PoolEnd,
    "Setting": Setting,
    "TimeControl": ControlWire | None,
    "LawsChoice": lobby.LawsOptionsWire | None,
    "GameEvent": wire_events.GameEventWire,
    "GameHint": w.GameHintWire,
    "LobbyEvent": wire_lobby.LobbyEventWire,
    "Personal": PersonalWire,
    "SimulMode": simul.Mode,
    "HostColor": simul.HostColor,
    "SimulStatus": simul.SimulStatus,
    "SimulRole": simul.SimulRole,
    "BoardEnd": simul.BoardEnd,
    "DrawRule": simul.DrawRule,
    "HostControl": simul.HostControlWire,
    "LateJoin": simul.LateJoinWire,
    "SimulEvent": simul_events.SimulEventWire,
    "SimulHint": simul_events.SimulHintWire,
}
"""Named union types, in the order of the file."""

MESSAGES: tuple[Any, ...] = (
    *PUSHES,
    *(one.answer for one in OPERATIONS if one.path.startswith(PREFIX) and one.answer is not None),
    FailureWire,
    FieldFailureWire,
)
"""Server messages, by socket and by HTTP. The types that they contain are generated too."""

LISTS: dict[str, tuple[str, Any]] = {
    "ERROR_CODES": ("ErrorCode", ErrorCode),
    "END_REASONS": ("EndReason", EndReason),
    "POOLS": ("PoolName", lobby.PoolName),
    "DECLINE_REASONS": ("DeclineReason", lobby.DeclineReason),
    "REPORT_KINDS": ("ReportKind", moderation.ReportKind),
    "VERDICTS": ("Verdict", moderation.Verdict),
    "BAN_CAUSES": ("BanCause", moderation.BanCause),
    "NOTICES": ("NoticeCode", moderation.NoticeCode),
}
"""Enumerations that need translations: each is a list and the type of its members."""

CLOSE_CODES = {
    "goingAway": int(CloseCode.GOING_AWAY),
    "wrongFrame": int(CloseCode.UNSUPPORTED_DATA),
    "badText": int(CloseCode.INVALID_DATA),
    "tooBig": int(CloseCode.MESSAGE_TOO_BIG),
    "loggedOut": int(LOGGED_OUT),
    "failed": int(CloseCode.INTERNAL_ERROR),
    "restart": int(CloseCode.SERVICE_RESTART),
    "tooSlow": int(CloseCode.TRY_AGAIN_LATER),
    "flood": FLOOD,
}

LIMITS = {
    "chatCharacters": chat.MAX_TEXT,
    "chatLines": chat.ROOM_LINES,
    "baseSeconds": time_control.MAX_BASE_S,
    "stepSeconds": time_control.MAX_STEP_S,
    "days": time_control.MAX_DAYS,
    "periods": time_control.MAX_PERIODS,
    "periodMoves": time_control.MAX_MOVES,
    "nameFrom": names.MIN_LENGTH,
    "nameTo": names.MAX_LENGTH,
    "passwordFrom": passwords.MIN_LENGTH,
    "passwordTo": passwords.MAX_LENGTH,
    "settingsBytes": preferences.MAX_BYTES,
    "settingName": preferences.MAX_KEY,
    "poolWindow": pools.WINDOW,
    "poolWidensPerSecond": pools.WIDENS_PER_S,
    "poolWidest": pools.WIDEST,
}
"""Limits of the server that the client shows or checks."""


CHESS = "chess"
"""Game family with promotion choice."""

CONTROLS = {
    "tc": "TimeControl",
    "opponent_tc": "TimeControl",
    "host_tc": "HostControl",
    "laws": "LawsChoice",
}
"""Request fields typed ``Any`` on the server; overridden TypeScript type. The core parses these fields, with better
error messages than a schema has."""


def generate() -> str:
    """Return the text of the generated file."""
    schemas = Schemas()
    for message in MESSAGES:
        schemas.of(message)
    unions = {name: schemas.of(kind) for name, kind in ALIASES.items()}
    words = {member: schemas.of(kind) for member, kind in LISTS.values()}
    interfaces = dict(schemas.components)
    forms = {name: schemas.components[part_name(schemas.of(kind))] for name, kind in REQUESTS.items()}
    parts_of_forms = {name: part for name, part in schemas.components.items() if name not in interfaces}
    typescript = TypeScript(unions | words, parts_of_forms)
    parts = [HEAD]
    for name, (member, kind) in LISTS.items():
        parts.append(f"export const {name} = [\n{_lines(map(quoted, get_args(kind)), ',')}] as const;\n")
        parts.append(f"export type {member} = (typeof {name})[number];\n")
    parts.append(f"export const CLOSE_CODES = {_constants(CLOSE_CODES)} as const;\n")
    parts.append(f"export const LIMITS = {_constants(LIMITS)} as const;\n")
    parts.append(games())
    parts += (typescript.alias(name, schema) for name, schema in unions.items())
    parts += (typescript.interface(name, schema) for name, schema in interfaces.items())
    parts += (
        typescript.interface(f"{REQUESTS[name].__name__}Request", _request(name, form)) for name, form in forms.items()
    )
    requests = (f"{key(name)}: {request.__name__}Request" for name, request in REQUESTS.items())
    parts.append(f"/** Requests by type. */\nexport interface Requests {{\n{_lines(requests, ';')}}}\n")
    return "\n".join(parts)


def _request(name: str, form: Schema) -> Schema:
    """Return the schema of a request, with the types of ``CONTROLS``."""
    fields = {
        field: {"$ref": CONTROLS[field]} if field in CONTROLS and "type" not in value else value
        for field, value in form["properties"].items()
    }
    return {**form, "properties": {"t": {"enum": [name]}, **fields}, "required": ["t", *form["required"]]}


def games() -> str:
    """Return the client's table of variants. Variant names are unique across games, so ratings and channels use them as
    keys."""
    lines = []
    for game, variant in registered():
        rules = rules_for(game, variant)
        begins = rules.turn(rules.start(rules.draw_start(0)))
        profiles = ", ".join(map(quoted, rules.profiles))
        promotions = f", promotions: {quoted(''.join(BY_NAME[variant].promotions))}" if game == CHESS else ""
        lines.append(
            f"{key(variant)}: {{ game: {quoted(game)}, notation: {quoted(rules.notation)}, "
            f"begins: {quoted(begins)}, profiles: [{profiles}], starts: {rules.starts}{promotions} }}"
        )
    comment = "/** The games of the server by their variants, in the order in which they are offered. */\n"
    return f"{comment}export const GAMES = {{\n{_lines(lines, ',')}}} as const;\n"


def _constants(values: Mapping[str, int]) -> str:
    return f"{{\n{_lines((f'{name}: {value}' for name, value in values.items()), ',')}}}"


def _lines(lines: Any, end: str) -> str:
    return "".join(f"  {line}{end}\n" for line in lines)


if __name__ == "__main__":
    FILE.write_text(generate(), encoding="utf-8")
