"""Generated protocol types of the client, up to date."""

from __future__ import annotations

import re

import pytest

from codegen import protocol_types
from game_core.registry import registered
from realtime.protocol.requests import REQUESTS

TEXT = protocol_types.FILE.read_text(encoding="utf-8")


def test_generated_protocol_types_are_up_to_date() -> None:
    assert protocol_types.generate() == TEXT, "run `make docs`"


@pytest.mark.parametrize("name", REQUESTS)
def test_every_request_has_an_interface(name: str) -> None:
    interface = f"{REQUESTS[name].__name__}Request"
    assert re.search(rf"^export interface {interface} {{\n  t: '{re.escape(name)}';", TEXT, re.MULTILINE)
    assert re.search(rf"^  '?{re.escape(name)}'?: {interface};$", TEXT, re.MULTILINE)


def test_no_type_is_declared_twice() -> None:
    names = re.findall(r"^export (?:interface|type|const) (\w+)", TEXT, re.MULTILINE)
    assert len(names) == len(set(names))


def test_every_named_type_is_declared() -> None:
    declared = set(re.findall(r"^export (?:interface|type|const) (\w+)", TEXT, re.MULTILINE))
    code = re.sub(r"/\*\*.*?\*/|'[^']*'", "", TEXT, flags=re.DOTALL)
    used = set(re.findall(r"\b[A-Z]\w*[a-z]\w*", code))
    assert used - declared == {"Record"}


def test_types_of_http_responses_are_declared_only_here() -> None:
    sources = {path: path.read_text(encoding="utf-8") for path in protocol_types.FILE.parents[1].rglob("*.ts")}
    read = [
        (path.name, re.search(rf"(\w+) as {kind}\b.*from '[./\w]+protocol'", text) or kind)
        for path, text in sources.items()
        for kinds in re.findall(
            r"(?:\.json\(\)[^;\n]*?\) as (?:wire[.])?|\bcall<|\bResource<)([\w |]+)(?=[>);.])", text
        )
        for kind in kinds.split(" | ")
        if path.name not in ("api.ts", "resource.ts")  # which fetch for the others, whatever these name
    ]
    assert {name for name, _ in read} >= {"live-list.ts", "person.ts", "search.ts", "challenge.ts", "account.ts"}
    declared = set(re.findall(r"^export interface (\w+)", TEXT, re.MULTILINE))
    assert [(name, kind) for name, kind in read if (kind if isinstance(kind, str) else kind[1]) not in declared] == []


def test_optional_fields_of_requests_are_marked() -> None:
    move = re.search(r"export interface MoveRequest {\n(.*?)}", TEXT, re.DOTALL)
    assert move is not None
    for line in ("t: 'move';", "g: string;", "ply: number;", "draw?: boolean;", "lag?: number | null;"):
        assert line in move[1]
    assert "tc: TimeControl;" in TEXT


def test_enumerations_are_lists_and_types() -> None:
    assert "export const ERROR_CODES = [\n  'bad_message',\n" in TEXT
    assert "export type ErrorCode = (typeof ERROR_CODES)[number];" in TEXT


def test_every_variant_is_listed() -> None:
    variants = [variant for _, variant in registered()]
    assert len(variants) == len(set(variants)), "a rating goes by the variant alone"
    told = re.findall(r"^  '?([\w-]+)'?: { game: '([\w-]+)', notation: ", protocol_types.games(), re.MULTILINE)
    assert [(game, variant) for variant, game in told] == list(registered())
    chess = "antichess: { game: 'chess', notation: 'san', begins: 'w', profiles: ['online'], starts: 1, promotions: "
    assert f"{chess}'qrbnk' }}" in protocol_types.games()
