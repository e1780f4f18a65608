"""Lists of simuls, and the table of results."""

from __future__ import annotations

import csv
import io

import pytest

from game_core import commands as g
from simul import commands as c
from simul.lists import COLUMNS, card_wire, summary_of, table_csv, table_wire
from simul.score import Final, Score, player_points
from simul.setup import setup_wire
from simul.wire_lists import SimulCardWire, SimulRowWire, SimulTableWire
from tests.simul.simul_model import MATE, NOW_MS, SimulModel, person


def test_card_shows_the_terms_of_a_simul() -> None:
    model = SimulModel(players=2, auto_accept=False, start_at=NOW_MS + 60_000)
    model.do(c.Accept(by="host", user="p2"))
    card = card_wire(summary_of(model.state))
    assert (card["simul"], card["status"], card["applicants"], card["players"], card["boards"]) == (
        "simul1", "created", 1, 1, 0,
    )  # fmt: skip
    terms = setup_wire(model.state.setup)
    for field in ("name", "game", "variant", "variants", "tc", "mode", "host_color", "rated", "max_boards", "start_at"):
        assert card[field] == terms[field], field
    model.do(c.Start(by="host"))
    model.do(c.End(by="host"))
    card = card_wire(summary_of(model.state))
    assert (card["status"], card["boards"], card["finished"]) == ("finished", 1, NOW_MS)
    assert card["score"] == model.last("finished")["score"]


def played() -> SimulModel:
    model = SimulModel(players=4, start=True)
    for move in MATE:
        model.wait(1500)
        model.move(1, move)
    model.play(2, g.Resign(by="b"))
    model.do(c.Adjudicate(by="host", game="game3", result="1/2-1/2"))
    return model


def test_results_table_has_a_row_for_each_board() -> None:
    model = played()
    table = table_wire(model.state)
    rows = [(row["board"], row["result"], row["points"], row["moves"], row["host_ms"]) for row in table["boards"]]
    assert rows == [(1, "0-1", 1.0, 2, 3000), (2, "1-0", 0.0, 0, 0), (3, "1/2-1/2", 0.5, 0, 0), (4, "*", None, 0, 0)]
    assert (table["status"], table["finished"], table["score"]["live"]) == ("running", None, 1)
    model.do(c.End(by="host"))
    assert table_wire(model.state)["finished"] == model.now_ms


def test_results_table_is_written_as_csv() -> None:
    model = played()
    lines = list(csv.reader(io.StringIO(table_csv(model.state))))
    assert tuple(lines[0]) == COLUMNS
    assert lines[1] == [
        "1", "game1", "Player1", "", "", "chess", "standard", "w", "0-1", "checkmate", "1.0", "2", "3000",
    ]  # fmt: skip
    assert lines[4][8:11] == ["*", "", ""]


def test_csv_and_json_tables_have_the_same_columns() -> None:
    rows = table_wire(played().state)["boards"]
    assert {name.partition(".")[0] for name in COLUMNS} == set(rows[0])


@pytest.mark.parametrize(
    ("score", "percent"),
    [
        (Score(), None),
        (Score(live=3, aborted=2), None),
        (Score(wins=3), 100.0),
        (Score(wins=1, draws=1, losses=1), 50.0),
        (Score(wins=2, losses=1), 66.7),
    ],
)
def test_percentage_counts_finished_games(score: Score, percent: float | None) -> None:
    assert score.percent == percent


def test_average_time_per_move() -> None:
    assert Final(moves=3, host_ms=10_000, duration_ms=0).move_ms == 3333
    assert Final(moves=0, host_ms=0, duration_ms=0).move_ms is None


def test_points_are_counted_for_the_player() -> None:
    assert [player_points(result, "b") for result in ("1-0", "0-1", "1/2-1/2", "*")] == [1.0, 0.0, 0.5, None]


def test_table_shows_the_rating_of_members() -> None:
    model = SimulModel()
    model.do(c.Join(user=person(1), ratings=((1700, False),)))
    model.do(c.Start(by="host"))
    assert table_csv(model.state).splitlines()[1].split(",")[4] == "1700"


def test_card_and_table_have_all_fields_of_their_types() -> None:
    model = played()
    table = table_wire(model.state)
    assert set(card_wire(summary_of(model.state))) == set(SimulCardWire.__annotations__)
    assert set(table) == set(SimulTableWire.__annotations__)
    assert set(table["boards"][0]) == set(SimulRowWire.__annotations__)
