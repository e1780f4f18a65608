"""Tests of one server again, on two nodes that share a port: who connects comes to either.

Those that make the nodes talk most. ``ZEITNOT_WORKERS=2`` does the same to all tests of this directory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.integration.conftest import served
from tests.integration.games import test_flow_events as events
from tests.integration.games import test_flow_offers as offers
from tests.integration.games import test_rated_games as rated
from tests.integration.lobby import test_chat as chat
from tests.integration.lobby import test_flow_lobby as lobby
from tests.integration.lobby import test_flow_pools as pools
from tests.integration.lobby import test_lobby_resume as resume
from tests.integration.simuls import test_flow_simuls as simuls

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.server_process import ServerProcess

AGAIN = (
    resume.test_who_comes_back_to_the_lobby_gets_what_they_have_missed,  # first: no game has been played yet
    events.test_events_come_before_the_answer_in_order_and_without_gaps,
    events.test_both_codecs_tell_the_same,
    events.test_who_comes_back_gets_what_they_have_missed,
    events.test_two_tabs_of_one_player_are_one_player,
    events.test_the_crowd_is_told_who_comes_and_goes,
    events.test_a_player_who_asks_for_it_is_sent_their_legal_moves,
    events.test_a_welcome_names_the_games_one_plays,
    events.test_http_and_socket_show_the_same_game,
    events.test_who_comes_is_seen_at_once_by_both_players,
    offers.test_a_draw_is_agreed,
    offers.test_whose_turn_it_is_takes_two_moves_back,
    offers.test_more_time_is_given,
    offers.test_a_flag_falls_without_anybody_asking,
    offers.test_a_rematch_that_both_want_at_once_is_one_game,
    lobby.test_of_all_who_race_for_a_seek_one_gets_it,
    lobby.test_a_crowd_that_seeks_the_same_is_paired_off,
    lobby.test_the_lobby_is_numbered_without_gaps,
    lobby.test_a_person_is_challenged_and_accepts,
    lobby.test_games_that_are_played_are_shown_while_they_last,
    pools.test_leaving_is_told_on_every_socket,
    pools.test_a_crowd_that_comes_at_once_is_paired_to_the_last_two,
    simuls.test_clock_mode_to_the_end,
    simuls.test_round_mode_to_the_end,
    simuls.test_late_joiners_sit_down,
    chat.test_two_rooms_a_game,
    rated.test_a_rated_game_from_start_to_profile,
    rated.test_of_many_games_of_the_same_two_three_count,
    rated.test_a_delayed_game_counts_when_the_public_may_see_its_end,
)

globals().update({test.__name__: test for test in AGAIN})
tc = lobby.tc


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with served(tmp_path_factory.mktemp("server") / "data", "--workers", "2") as server:
        assert server.nodes == 2
        yield server
