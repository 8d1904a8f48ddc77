"""Calls of a running server, which test/clients/python.servers.ts starts. Its fixture is in SCOREBOOK_TEST."""

import itertools
import json
import os
import threading
from decimal import Decimal
from typing import Any

import pytest

from scorebook_client import (
    Ed25519Key,
    HmacKey,
    ProblemError,
    Scorebook,
    Submission,
    SubmittedInSeason,
    SubmittedScore,
    exact_decimals,
)

FIXTURE: dict[str, Any] = json.loads(os.environ["SCOREBOOK_TEST"])


def connect(**options: Any) -> Scorebook:
    return Scorebook(FIXTURE["url"], HmacKey(FIXTURE["prefix"], FIXTURE["secret"]), **options)


def test_submits_for_a_player_and_reads_the_leaderboard() -> None:
    with connect() as scorebook:
        game, board = FIXTURE["game"], FIXTURE["board"]
        player = scorebook.create_player(game, "Ada", external_id="account-1")["id"]
        exact = Decimal("123456789012345678901234567890.000000000000000001")
        submitted = scorebook.submit_for(board, player, exact, idempotency_key="once")
        assert (submitted.score, submitted.rank, submitted.improved) == (exact, 1, True)
        again = scorebook.submit_for(board, player, exact, idempotency_key="once")
        assert again.id == submitted.id
        assert [(one.player, one.score, one.rank) for one in scorebook.top(board)] == [(player, exact, 1)]
        assert scorebook.score(submitted.id).score == exact
        guest = scorebook.sign_in_as_guest(game, "Guest")
        guest.submit(board, 1)
        assert [one.rank for one in scorebook.scores(board)] == [1, 2]
        assert scorebook.sign_in_as_guest(game, guest_token=guest.guest_token).id == guest.id
        assert [one["id"] for one in scorebook.leaderboards(game)] == [board]
        assert {one["name"] for one in scorebook.players(game)} == {"Ada", "Guest"}
        assert scorebook.leaderboard(board)["entries"] == 2
        assert [(on, one.rank) for on, one in scorebook.entries(game, player)] == [(board, 1)]
        assert (list(scorebook.sessions(game, player)), list(scorebook.rooms(game))) == ([], [])
        assert {one["player"] for one in scorebook.movers(board, ordering="asc")} == {player, guest.id}
        with pytest.raises(ProblemError) as raised:
            scorebook.status()
        assert raised.value.code == "permission_needed"
        submissions = scorebook.events_frame(game, type="ScoreSubmitted")
        with exact_decimals():
            assert sum(submissions["score"]) == exact + 1


def test_submits_many_and_counts_each_once() -> None:
    with connect() as scorebook:
        game, board = FIXTURE["game"], FIXTURE["board"]
        player = scorebook.create_player(game, "Many", external_id="account-many")["id"]
        every: list[Submission] = [
            {"leaderboard": board, "player": player, "score": Decimal("0.5"), "idempotency_key": "many 1"},
            {"leaderboard": board, "external_id": "nobody", "score": 1, "idempotency_key": "many 2"},
            {"leaderboard": board, "external_id": "account-many", "score": "0.75", "idempotency_key": "many 3"},
        ]
        first, refused, last = scorebook.submit_many(every)
        assert isinstance(refused, ProblemError)
        assert (refused.status, refused.code) == (422, "unknown_player")
        assert isinstance(first, SubmittedScore)
        assert isinstance(last, SubmittedScore)
        assert (first.score, last.score, last.improved) == (Decimal("0.5"), Decimal("0.75"), True)
        again = scorebook.submit_many(every)[2]
        assert again == last
        entries = [one.score for one in scorebook.scores(board, player=player)]
        assert entries == [Decimal("0.75")]
        submitted = scorebook.events(game, type="ScoreSubmitted", player=player)
        assert [event.score for event in submitted] == [Decimal("0.5"), Decimal("0.75")]


def test_reads_seasons_and_answers_the_one_that_a_submission_joined() -> None:
    with connect() as scorebook:
        game = FIXTURE["game"]
        seasons = {"cron": "0 0 1 1 *", "time_zone": "Europe/Berlin"}
        about = {"name": "Year", "ordering": "desc", "seasons": seasons}
        board = scorebook.call("POST", f"/api/gm/{game}/lb/", body=about)["id"]
        player = scorebook.create_player(game, "Seasonal")["id"]
        first = scorebook.submit_for(board, player, 5)
        assert first.season == SubmittedInSeason(season=1, rank=1, improved=True)
        # Another schedule closes the open season.
        scorebook.call("PUT", f"/api/lb/{board}/", body={"seasons": {**seasons, "cron": "0 0 1 7 *"}})
        (second,) = scorebook.submit_many([{"leaderboard": board, "player": player, "score": 4}])
        assert isinstance(second, SubmittedScore)
        assert (second.score, second.improved) == (5, False)
        assert second.season == SubmittedInSeason(season=2, rank=1, improved=True)
        newest, oldest = scorebook.seasons(board)
        assert (newest.season, newest.state, newest.closed_at, newest.starts) == (2, "open", None, oldest.ends)
        assert (oldest.players, oldest.entries, oldest.rules["unique"]) == (1, 1, True)
        assert oldest.closed_at is not None
        current, last = [scorebook.top(board, season=season) for season in ("current", "last")]
        assert [(one.score, one.rank, one.final_rank) for one in current] == [(4, 1, None)]
        assert [(one.score, one.rank, one.final_rank) for one in last] == [(5, 1, 1)]
        assert [one.score for one in scorebook.scores(board, season=1)] == [5]


def test_signs_with_an_ed25519_key_and_asks_for_permissions() -> None:
    scores = f"lb:{FIXTURE['board']}:scores"
    key = Ed25519Key(FIXTURE["ed25519"]["prefix"], FIXTURE["ed25519"]["private_key"])
    with Scorebook(FIXTURE["url"], key, permissions=[scores, "sys:games"]) as scorebook:
        token = scorebook.token()
        assert (list(token.permissions), list(token.declined)) == ([scores], ["sys:games"])
        with pytest.raises(ProblemError) as raised:
            next(scorebook.players(FIXTURE["game"]))
        assert (raised.value.status, raised.value.code) == (403, "permission_needed")


def test_follows_new_events() -> None:
    with connect() as scorebook:
        game, board = FIXTURE["game"], FIXTURE["board"]
        *_, last = scorebook.events(game)
        guest = scorebook.sign_in_as_guest(game, "Follower")
        timer = threading.Timer(0.3, lambda: guest.submit(board, "7.5"))
        timer.start()
        followed = scorebook.follow(game, after=last.position, type="ScoreSubmitted")
        assert [event.score for event in itertools.islice(followed, 1)] == [Decimal("7.5")]
        timer.join()


def test_is_refused_with_a_wrong_secret() -> None:
    with pytest.raises(ProblemError) as raised:
        Scorebook(FIXTURE["url"], HmacKey(FIXTURE["prefix"], "wrong")).token()
    assert raised.value.code == "challenge_rejected"
