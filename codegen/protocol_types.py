"""The client's mirror of the protocol: ``web/src/net/protocol.gen.ts``, written from the server's own types.

    python -m codegen.protocol_types

writes it anew; ``tests/codegen/test_protocol_types.py`` fails while the file differs, and the client does not compile
while its pages expect other types.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

import msgspec
from websockets.frames import CloseCode

from game_core import time_control
from game_core.chess.variants import BY_NAME
from game_core.color import Color
from game_core.errors import ErrorCode
from game_core.events import EndReason, Result
from game_core.registry import registered, rules_for
from game_core.time_control import ControlWire, Speed
from lobby import chat
from lobby.accounts import names, passwords, preferences
from lobby.accounts.preferences import Setting
from lobby.accounts.scopes import Scope
from lobby.accounts.user import Role
from lobby.wire import imported_games, lobby, moderation, ratings
from lobby.wire.lobby import Kind
from realtime.net.connection import FLOOD
from realtime.people.presence import LOGGED_OUT
from realtime.protocol import wire_lobby
from realtime.protocol import wire_people as people
from realtime.protocol import wire_types as w
from realtime.protocol import wire_watching as watching
from realtime.protocol.requests import REQUESTS
from simul import wire as simul
from simul import wire_events as simul_events
from simul import wire_lists as simul_lists

if TYPE_CHECKING:
    from realtime.protocol.request_fields import Request

FILE = Path(__file__).parents[1] / "web" / "src" / "net" / "protocol.gen.ts"

HEAD = "/** Written by `python -m codegen.protocol_types` from the server's types. Not by hand. */\n"

ALIASES: dict[str, Any] = {
    "Color": Color,
    "Result": Result,
    "Status": w.Status,
    "Speed": Speed,
    "OfferKind": w.OfferKind,
    "OfferAct": w.OfferAct,
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
    "GameEvent": w.GameEventWire,
    "GameHint": w.GameHintWire,
    "LobbyEvent": wire_lobby.LobbyEventWire,
    "Personal": w.PersonalWire,
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
"""What has a name of its own although it is a union, in the order in which it is written."""

MESSAGES: tuple[Any, ...] = (
    w.WelcomeWire, w.ErrorMessageWire, w.GameSnapshotWire, w.ChatMessageWire, w.ChatLinesWire,
    watching.MiniWire, watching.MiniChangeWire, watching.TvWire, watching.TvGameWire,
    watching.TvChannelsWire, watching.LiveCardsWire,
    wire_lobby.LobbySnapshotWire, lobby.LobbyCountWire, lobby.ChallengeCardWire,
    w.ListedGameWire, w.GamesPageWire, w.LiveGamesWire, w.ProfileWire, w.VersusWire, w.SearchResultWire,
    w.MySettingsWire,
    ratings.RatingHistoryWire, ratings.LeaderboardWire, ratings.LeaderboardsWire, w.FailureWire,
    people.GuestWire, people.LoginWire, people.MeWire, people.AccountWire, people.NewTokenWire, people.FieldFailureWire,
    moderation.BlocksWire, moderation.ReportedWire, moderation.ReportsWire, moderation.TimeoutWire,
    simul.SimulSnapshotWire, simul_lists.SimulsPageWire, simul_lists.SimulTableWire,
    imported_games.ImportedWire, imported_games.ImportsWire, imported_games.ImportPageWire,
    imported_games.ImportedGameWire,
)  # fmt: skip
"""What the server says besides the unions above; the parts that these are made of follow from them."""

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
"""Words that the client has to have sentences for: each a list, and the type of its members."""

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
}
"""What a form should not let through."""


CHESS = "chess"
"""The family whose pawns become what the person chooses."""

CONTROLS: dict[str, Any] = {
    "tc": ControlWire | None,
    "opponent_tc": ControlWire | None,
    "host_tc": simul.HostControlWire,
}
"""Fields of requests that come in as anything, and what they should be."""


def mirror() -> str:
    """The file as it should be."""
    named = {kind: name for name, kind in (*ALIASES.items(), *LISTS.values())}
    parts = [HEAD]
    for name, (member, kind) in LISTS.items():
        parts.append(f"export const {name} = [\n{_lines(map(_quoted, get_args(kind)), ',')}] as const;\n")
        parts.append(f"export type {member} = (typeof {name})[number];\n")
    parts.append(f"export const CLOSE_CODES = {_constants(CLOSE_CODES)} as const;\n")
    parts.append(f"export const LIMITS = {_constants(LIMITS)} as const;\n")
    parts.append(games())
    # Without itself among the names an alias is spelt out.
    parts += (
        f"export type {name} = {type_text(kind, {k: n for k, n in named.items() if n != name})};\n"
        for name, kind in ALIASES.items()
    )
    parts += (interface_of(kind, named) for kind in _maps())
    parts += (_request(name, request, named) for name, request in REQUESTS.items())
    requests = (f"{_key(name)}: {request.__name__}Request" for name, request in REQUESTS.items())
    parts.append(f"/** By their types. */\nexport interface Requests {{\n{_lines(requests, ';')}}}\n")
    return "\n".join(parts)


def games() -> str:
    """What the client has to know of each variant before anybody plays it, by their names, which are told apart by
    themselves: ratings and channels go by them."""
    lines = []
    for game, variant in registered():
        rules = rules_for(game, variant)
        begins = rules.turn(rules.start(rules.draw_start(0)))
        profiles = ", ".join(map(_quoted, rules.profiles))
        promotions = f", promotions: {_quoted(''.join(BY_NAME[variant].promotions))}" if game == CHESS else ""
        lines.append(
            f"{_key(variant)}: {{ game: {_quoted(game)}, notation: {_quoted(rules.notation)}, "
            f"begins: {_quoted(begins)}, profiles: [{profiles}], starts: {rules.starts}{promotions} }}"
        )
    comment = "/** The games of the server by their variants, in the order in which they are offered. */\n"
    return f"{comment}export const GAMES = {{\n{_lines(lines, ',')}}} as const;\n"


# --- Python's types in TypeScript --------------------------------------------------------------------

_PLAIN: dict[Any, str] = {str: "string", int: "number", float: "number", bool: "boolean", Any: "unknown"}


def type_text(kind: Any, named: Mapping[Any, str]) -> str:
    """A type in TypeScript. ``named`` are the types that have a name there."""
    if kind in named:
        return named[kind]
    if kind is None or kind is types.NoneType:
        return "null"
    if kind in _PLAIN:
        return _PLAIN[kind]
    if is_typeddict(kind):
        return _name(kind)
    if kind is msgspec.UnsetType:
        return "undefined"
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return f"{{ {'; '.join(_members(kind, named))} }}"
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Literal:
        return " | ".join(map(_quoted, arguments))
    if origin in (Union, types.UnionType):
        return " | ".join(dict.fromkeys(type_text(argument, named) for argument in arguments))
    if origin in (list, tuple, Sequence):
        item = type_text(arguments[0], named)
        return f"({item})[]" if " | " in item else f"{item}[]"
    if origin is dict:
        key, value = (type_text(argument, named) for argument in arguments)
        return f"Record<{key}, {value}>"
    raise TypeError(f"no words for {kind}")


def _maps() -> list[Any]:
    """Every TypedDict that is sent, each before its parts."""
    found: dict[Any, None] = {}

    def look(kind: Any) -> None:
        if is_typeddict(kind):
            if kind not in found:
                found[kind] = None
                for field in get_type_hints(kind).values():
                    look(field)
        else:
            for argument in get_args(kind):
                look(argument)

    for kind in (*MESSAGES, *ALIASES.values()):
        look(kind)
    return list(found)


# --- declarations ------------------------------------------------------------------------------------


def _fields_of_map(kind: Any) -> Iterator[tuple[str, bool, Any]]:
    """Name, whether it is always there, and type of each field of a TypedDict."""
    # ``__required_keys__`` knows nothing of annotations that are strings.
    for name, field in get_type_hints(kind, include_extras=True).items():
        always = get_origin(field) is not NotRequired
        yield name, always, field if always else get_args(field)[0]


def _fields_of_request(name: str, request: type[Request]) -> Iterator[tuple[str, bool, Any]]:
    hints = get_type_hints(request)
    yield "t", True, Literal[name]
    for field in msgspec.structs.fields(request):
        # A time control comes in as anything: the core parses it, and says what is wrong better than a schema.
        kind = CONTROLS.get(field.encode_name, hints[field.name])
        yield field.encode_name, field.required, kind


def _members(kind: type[msgspec.Struct], named: Mapping[Any, str]) -> Iterator[str]:
    """The fields of a value within a request."""
    hints = get_type_hints(kind)
    for field in msgspec.structs.fields(kind):
        yield f"{field.encode_name}{'' if field.required else '?'}: {type_text(hints[field.name], named)}"


def interface_of(kind: Any, named: Mapping[Any, str]) -> str:
    """The declaration of a TypedDict."""
    return _interface(_name(kind), _fields_of_map(kind), kind, named)


def _request(name: str, request: type[Request], named: Mapping[Any, str]) -> str:
    return _interface(f"{request.__name__}Request", _fields_of_request(name, request), request, named)


def _interface(name: str, fields: Any, documented: Any, named: Mapping[Any, str]) -> str:
    lines = (f"{_key(field)}{'' if always else '?'}: {type_text(kind, named)}" for field, always, kind in fields)
    text = documented.__dict__.get("__doc__")
    comment = "" if text is None else f"/** {inspect.cleandoc(text).replace('``', '`')} */\n"
    return f"{comment}export interface {name} {{\n{_lines(lines, ';')}}}\n"


def _constants(values: Mapping[str, int]) -> str:
    return f"{{\n{_lines((f'{name}: {value}' for name, value in values.items()), ',')}}}"


def _lines(lines: Any, end: str) -> str:
    return "".join(f"  {line}{end}\n" for line in lines)


def _name(kind: Any) -> str:
    """``ClockWire`` is the wire's form of a clock here; there it is the only one."""
    name: str = kind.__name__
    return name.removesuffix("Wire")


def _key(name: str) -> str:
    return name if name.isidentifier() else _quoted(name)


def _quoted(text: str) -> str:
    return f"'{text}'"


if __name__ == "__main__":
    FILE.write_text(mirror(), encoding="utf-8")
