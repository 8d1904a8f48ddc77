"""Many submissions: split into calls, repeated with the same keys, answered in order, against a server of functions."""

import base64
import json
from decimal import Decimal
from typing import Any

import httpx
import pytest
from test_calls import ENTRY, Server, problem

from scorebook_client import ProblemError, Submission, SubmittedScore, UnansweredError

RUNNING = {"status": 409, "code": "idempotency_in_progress", "detail": "It is running."}


class ManyServer(Server):
    """Its tokens have a game. Records each key once, and answers submissions by their scores; `high` is refused."""

    def __init__(self, *answers: Any, game: str | None = "g1") -> None:
        super().__init__(*answers)
        self.game = game
        self.recorded: dict[str, dict[str, Any]] = {}

    def __call__(self, request: httpx.Request) -> httpx.Response:
        response = super().__call__(request)
        if not request.url.path.endswith("/redeem/"):
            return response
        payload = base64.urlsafe_b64encode(json.dumps({"game": self.game}).encode()).decode().rstrip("=")
        return httpx.Response(200, json={**response.json(), "token": f"header.{payload}.signature"})

    def record(self, request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, json={"results": [self._result(one) for one in self.sent(request)]})

    def lose(self, request: httpx.Request) -> httpx.Response:
        self.record(request)
        raise httpx.ReadError("gone")

    def _result(self, one: dict[str, Any]) -> dict[str, Any]:
        if one["score"] == "999":
            return {"status": 422, "code": "score_above_maximum", "detail": "It is too high.", "max_score": "998"}
        self.recorded[one["idempotency_key"]] = one
        score = {**ENTRY, "score": one["score"]}
        return {"status": 201, "score": score, "rank": 1, "improved": True, "submitted": "s1"}

    @staticmethod
    def sent(request: httpx.Request) -> list[dict[str, Any]]:
        submissions: list[dict[str, Any]] = json.loads(request.content)["submissions"]
        return submissions


def one(score: Decimal | str | int, **more: Any) -> Submission:
    submission: Submission = {"leaderboard": "weekly", "player": "p1", "score": score, **more}  # type: ignore[typeddict-item]
    return submission


def scores_of(results: list[SubmittedScore | ProblemError]) -> list[Any]:
    return [result.code if isinstance(result, ProblemError) else result.score for result in results]


def test_answers_in_the_order_of_the_list_with_a_refusal_between_the_others() -> None:
    server = ManyServer()
    server.answers = [server.record]
    results = server.client().submit_many(
        [one(Decimal("1E+1"), secondary_score=Decimal("2.50")), one(999), {**one("3"), "extra_data": [1]}]
    )
    assert scores_of(results) == [Decimal(10), "score_above_maximum", Decimal(3)]
    first, second, _ = results
    assert isinstance(first, SubmittedScore)
    assert (first.rank, first.improved, first.submitted) == (1, True, "s1")
    assert isinstance(second, ProblemError)
    assert (second.status, second.detail, second.problem["max_score"]) == (422, "It is too high.", "998")
    (request,) = server.requests
    assert request.url.path == "/api/gm/g1/scores/"
    sent = [{**body, "idempotency_key": None} for body in server.sent(request)]
    assert sent[0] == {**one("10"), "secondary_score": "2.50", "idempotency_key": None}
    assert sent[2] == {**one("3"), "extra_data": [1], "idempotency_key": None}


def test_sends_1201_submissions_in_calls_of_at_most_500() -> None:
    server = ManyServer()
    server.answers = [server.record] * 3
    results = server.client().submit_many(one(n % 999) for n in range(1_201))
    assert [len(server.sent(request)) for request in server.requests] == [500, 500, 201]
    assert scores_of(results) == [Decimal(n % 999) for n in range(1_201)]
    assert len(server.recorded) == 1_201


def test_splits_a_list_by_its_bytes() -> None:
    server = ManyServer()
    server.answers = [server.record] * 2
    results = server.client().submit_many(one(n, extra_data="x" * 8_000) for n in range(150))
    assert scores_of(results) == [Decimal(n) for n in range(150)]
    assert len(server.requests) == 2
    full = server.requests[0].content
    assert 1_048_576 - len(full) / len(server.sent(server.requests[0])) - 20 * 150 < len(full) <= 1_048_576


def test_repeats_a_call_with_the_same_keys_after_lost_answers_and_503() -> None:
    server = ManyServer()
    server.answers = [server.lose, problem(503, "busy"), server.record]
    results = server.client().submit_many([one(1), one(2), one(2, idempotency_key="mine")])
    assert scores_of(results) == [Decimal(1), Decimal(2), Decimal(2)]
    assert len({request.content for request in server.requests}) == 1
    assert ("mine" in server.recorded, len(server.recorded), len(server.pauses)) == (True, 3, 2)


def test_sends_only_those_again_that_are_refused_for_now_after_the_wait_that_the_server_asks_for() -> None:
    server = ManyServer()
    full = {"status": 429, "code": "recording_limit", "detail": "Too much.", "retry_after": 7}

    def first(request: httpx.Request) -> httpx.Response:
        results = server.record(request).json()["results"]
        return httpx.Response(200, json={"results": [results[0], RUNNING, full, results[3]]})

    server.answers = [first, server.record]
    results = server.client().submit_many([one(1), one(2), one(3), one(999)])
    assert scores_of(results) == [Decimal(1), Decimal(2), Decimal(3), "score_above_maximum"]
    sent = [[body["score"] for body in server.sent(request)] for request in server.requests]
    assert sent == [["1", "2", "3", "999"], ["2", "3"]]
    (pause,) = server.pauses
    assert 7 <= pause <= 7.25


def test_answers_a_refusal_that_lasts_longer_than_a_minute() -> None:
    full = {"status": 429, "code": "recording_limit", "detail": "Too much.", "retry_after": 61}
    server = ManyServer(httpx.Response(200, json={"results": [full]}))
    (result,) = server.client().submit_many([one(1)])
    assert isinstance(result, ProblemError)
    assert (result.code, result.retry_after, len(server.requests), server.pauses) == ("recording_limit", "61", 1, [])


def test_sends_a_submission_again_for_a_minute_in_total() -> None:
    server = ManyServer(*[httpx.Response(200, json={"results": [RUNNING]}) for _ in range(50)])
    assert scores_of(server.client().submit_many([one(1)])) == ["idempotency_in_progress"]
    assert len(server.requests) == len(server.pauses) + 1
    assert 55 < sum(server.pauses) <= 60


def test_raises_if_no_answer_arrives() -> None:
    with pytest.raises(UnansweredError):
        ManyServer(*[httpx.ConnectError("refused")] * 5).client().submit_many([one(1)])


def test_sends_nothing_for_an_empty_list_or_an_invalid_submission() -> None:
    server = ManyServer()
    assert server.client().submit_many([]) == []
    with pytest.raises(ValueError, match=r"submissions\[1\]"):
        server.client().submit_many([one(1), one(2, extra_data="x" * 1_048_576)])
    with pytest.raises(TypeError):
        server.client().submit_many([one(1), one(2.5)])  # type: ignore[arg-type]
    assert server.requests == []


def test_is_refused_with_a_key_of_no_game() -> None:
    with pytest.raises(TypeError, match="belongs to no game"):
        ManyServer(game=None).client().submit_many([one(1)])
