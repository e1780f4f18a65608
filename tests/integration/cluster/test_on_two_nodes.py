"""Tests of a single server, repeated on two nodes that share a port.

Those that make the nodes talk most. ``ZEITNOT_WORKERS=2`` does the same to all tests of this directory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.integration.conftest import served
from tests.integration.games import test_flow_events as events
from tests.integration.games import test_flow_offers as offers
from tests.integration.games import test_laws as laws
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
    resume.test_lobby_resume_delivers_missed_events,  # first: no game has been played yet
    events.test_events_precede_the_reply_in_order_and_without_gaps,
    events.test_both_codecs_deliver_the_same_events,
    events.test_resume_delivers_missed_events,
    events.test_two_sockets_of_one_player_count_once,
    events.test_crowd_event_follows_spectators,
    events.test_legal_moves_are_sent_on_request,
    events.test_welcome_lists_the_players_games,
    events.test_http_and_socket_show_the_same_game,
    events.test_arrival_is_shown_to_both_players,
    offers.test_draw_is_agreed,
    offers.test_takeback_on_own_turn_removes_two_moves,
    offers.test_time_is_given_to_the_opponent,
    offers.test_flag_falls_without_a_request,
    offers.test_simultaneous_rematch_offers_start_one_game,
    laws.test_move_is_made_and_then_completed,
    laws.test_touched_piece_must_be_moved,
    laws.test_unsupervised_blitz_is_won_by_the_claim,
    lobby.test_race_for_a_seek_has_one_winner,
    lobby.test_many_equal_seeks_are_paired,
    lobby.test_lobby_events_are_numbered_without_gaps,
    lobby.test_challenge_by_name_is_accepted,
    lobby.test_lobby_lists_games_in_progress,
    pools.test_every_socket_is_told_of_leaving_a_pool,
    pools.test_many_players_at_once_are_all_paired,
    simuls.test_clock_mode_simul_is_played_to_the_end,
    simuls.test_round_mode_simul_is_played_to_the_end,
    simuls.test_late_joiners_get_boards,
    chat.test_players_and_spectators_have_separate_chat_rooms,
    rated.test_rated_game_changes_both_profiles,
    rated.test_three_rated_games_of_one_pair_count,
    rated.test_delayed_game_is_rated_after_its_delay,
)

globals().update({test.__name__: test for test in AGAIN})
tc = lobby.tc


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with served(tmp_path_factory.mktemp("server") / "data", "--workers", "2") as server:
        assert server.nodes == 2
        yield server
