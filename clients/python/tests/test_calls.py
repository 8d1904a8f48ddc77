"""What the client sends, repeats and raises, against a server of functions."""

import json
from collections.abc import Callable
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import httpx
import pytest

from scorebook_client import (
    HmacKey,
    ProblemError,
    Scorebook,
    SubmittedInSeason,
    UnansweredError,
    decimal_text,
    exact_decimals,
)

ENTRY = {
    "id": "s1", "player": "p1", "player_name": "Ada", "score": "1250.5", "secondary_score": None,
    "added": "2026-11-21T07:05:01.123Z", "updated": "2026-11-21T07:05:01.123Z", "extra_data": None,
}  # fmt: skip
SUBMITTED = {**ENTRY, "rank": 1, "improved": True, "submitted": None}


class Server:
    """Answers the handshake, and everything else by `answers` in order."""

    def __init__(self, *answers: Callable[[httpx.Request], httpx.Response] | httpx.Response | Exception) -> None:
        self.answers = list(answers)
        self.requests: list[httpx.Request] = []
        self.handshakes = 0
        #: What happens to the first proofs.
        self.redeems: list[httpx.Response | Exception] = []
        self.pauses: list[float] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("/challenge/"):
            return httpx.Response(200, json={"request_id": "r", "nonce": "n"})
        if request.url.path.endswith("/redeem/"):
            if self.redeems:
                failure = self.redeems.pop(0)
                if isinstance(failure, Exception):
                    raise failure
                return failure
            self.handshakes += 1
            token = {"token": f"t{self.handshakes}", "expires_at": 4_000_000_000}
            return httpx.Response(200, json={**token, "permissions": [], "declined": []})
        self.requests.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer(request) if callable(answer) else answer

    def client(self) -> Scorebook:
        http = httpx.Client(transport=httpx.MockTransport(self), base_url="http://test")
        client = Scorebook("", HmacKey("sk_a", "secret"), http=http)
        client._transport.sleep = self.pauses.append
        return client


def problem(status: int, code: str, **more: Any) -> httpx.Response:
    return httpx.Response(status, json={"status": status, "code": code, "detail": "It is so.", **more})


def ndjson(*events: dict[str, Any]) -> httpx.Response:
    return httpx.Response(200, text="".join(json.dumps(event) + "\n" for event in events))


def event(position: str, score: str = "1") -> dict[str, Any]:
    return {
        "position": position, "stream": "lb_b-p", "revision": 0, "id": "e", "type": "ScoreSubmitted",
        "time": "2026-11-21T07:05:01.123Z", "data": {"id": "s", "score": score, "secondary": None},
        "meta": {"v": 1, "game": "g", "board": "b", "player": "p", "actor": None},
    }  # fmt: skip


def test_repeats_a_submission_with_the_same_key_after_lost_answers_and_failing_gateways() -> None:
    server = Server(httpx.ReadError("gone"), problem(503, "busy"), httpx.Response(201, json=SUBMITTED))
    submitted = server.client().submit_for("b1", "p1", Decimal("1250.50"), extra_data={"level": 7})
    assert (submitted.score, submitted.rank, submitted.improved) == (Decimal("1250.5"), 1, True)
    keys = {request.headers["Idempotency-Key"] for request in server.requests}
    bodies = {request.content for request in server.requests}
    assert (len(server.requests), len(keys), len(bodies), len(server.pauses)) == (3, 1, 1, 2)
    assert json.loads(bodies.pop()) == {"score": "1250.50", "extra_data": {"level": 7}, "player": "p1"}


def test_waits_as_long_as_the_server_says() -> None:
    refused = problem(429, "rate_limited")
    refused.headers["Retry-After"] = "7"
    server = Server(refused, httpx.Response(200, json=ENTRY))
    assert server.client().score("s1").rank is None
    assert server.pauses == [7.0]


def test_raises_a_refusal_at_once() -> None:
    server = Server(problem(422, "score_above_maximum", max_score="10"))
    with pytest.raises(ProblemError) as raised:
        server.client().submit_for("b1", "p1", "11")
    error = raised.value
    assert (error.status, error.code, error.detail) == (422, "score_above_maximum", "It is so.")
    assert (error.problem["max_score"], len(server.requests)) == ("10", 1)


def test_raises_a_refusal_of_a_proxy_that_has_no_problem_document() -> None:
    with pytest.raises(ProblemError) as raised:
        Server(httpx.Response(404, text="<html>")).client().score("s1")
    assert (raised.value.status, raised.value.code) == (404, "")


def test_gives_up_after_five_attempts_without_an_answer() -> None:
    server = Server(*[httpx.ConnectError("refused")] * 5)
    with pytest.raises(UnansweredError):
        server.client().score("s1")
    assert len(server.requests) == 5


def test_runs_the_handshake_again_when_a_token_is_rejected_once() -> None:
    server = Server(problem(401, "token_rejected"), httpx.Response(200, json=ENTRY))
    server.client().score("s1")
    assert [request.headers["Authorization"] for request in server.requests] == ["Bearer t1", "Bearer t2"]
    server = Server(*[problem(401, "token_rejected")] * 2)
    with pytest.raises(ProblemError):
        server.client().score("s1")


def test_sends_the_consistency_token_of_its_last_write_with_later_reads() -> None:
    written = httpx.Response(201, json=SUBMITTED, headers={"X-Consistency-Token": "c1"})
    server = Server(written, httpx.Response(200, json=ENTRY))
    client = server.client()
    client.submit_for("b1", "p1", 1)
    client.score("s1")
    assert server.requests[1].headers["X-Consistency-Token"] == "c1"


def test_reads_every_page() -> None:
    pages = [{"scores": [ENTRY] * 2, "next_offset": 2}, {"scores": [ENTRY], "next_offset": None}]
    server = Server(*[httpx.Response(200, json=page) for page in pages])
    assert len(list(server.client().scores("b1", order="newest"))) == 3
    offsets = [request.url.params["offset"] for request in server.requests]
    assert (offsets, server.requests[1].url.params["order"]) == (["0", "2"], "newest")


def test_reads_every_page_of_the_season_that_was_current_at_the_first_one() -> None:
    row = {**ENTRY, "rank": 1, "final_rank": None}
    pages = [{"season": 4, "scores": [row], "next_offset": 1}, {"season": 4, "scores": [row], "next_offset": None}]
    server = Server(*[httpx.Response(200, json=page) for page in pages])
    assert [one.final_rank for one in server.client().scores("b1", season="current")] == [None, None]
    asked = [(request.url.params["season"], request.url.params["offset"]) for request in server.requests]
    assert asked == [("current", "0"), ("4", "1")]


def test_reads_a_page_of_a_season_with_its_final_ranks() -> None:
    page = {"season": 3, "scores": [{**ENTRY, "rank": 1, "final_rank": 2}], "next_offset": None}
    server = Server(httpx.Response(200, json=page))
    (entry,) = server.client().top("b1", season=3)
    assert (entry.rank, entry.final_rank) == (1, 2)
    assert dict(server.requests[0].url.params) == {"limit": "10", "season": "3"}


def test_reads_the_seasons_of_a_leaderboard() -> None:
    rules = {"ordering": "desc", "unique": True}
    first = {
        "season": 1, "starts": "2026-11-16T00:00:00.000Z", "ends": "2026-11-23T00:00:00.000Z", "state": "closed",
        "players": 2, "entries": 2, "closed_at": "2026-11-23T00:00:00.123Z", "rules": rules,
    }  # fmt: skip
    second = {**first, "season": 2, "state": "open", "closed_at": None}
    server = Server(httpx.Response(200, json={"seasons": [second, first], "next_offset": None}))
    newest, oldest = server.client().seasons("weekly")
    assert (newest.season, newest.state, newest.closed_at) == (2, "open", None)
    assert (oldest.ends - oldest.starts, oldest.closed_at) == (timedelta(days=7), oldest.ends + timedelta(milliseconds=123))
    assert (oldest.players, oldest.entries, oldest.rules) == (2, 2, rules)
    assert server.requests[0].url.path == "/api/lb/weekly/seasons/"


def test_answers_the_season_that_a_submission_joined() -> None:
    joined = {**SUBMITTED, "season": {"season": 3, "rank": 2, "improved": True}}
    server = Server(*[httpx.Response(201, json=body) for body in (joined, {**SUBMITTED, "season": None}, SUBMITTED)])
    client = server.client()
    first, second, third = [client.submit_for("b1", "p1", 1).season for _ in range(3)]
    assert first == SubmittedInSeason(season=3, rank=2, improved=True)
    assert (second, third) == (None, None)


def test_reads_the_counted_submissions_of_a_total_page_by_page_and_other_explanations_once() -> None:
    counted = [{"effect": "counted", "event": event(str(at))} for at in range(3)]
    began = {"effect": "began", "event": event("4")}
    pages = [{"events": counted[:2], "count": 3, "next_offset": 2}, {"events": counted[2:], "count": 3, "next_offset": None}]
    server = Server(*[httpx.Response(200, json=page) for page in [*pages, {"events": [began], "left_out": 0}]])
    client = server.client()
    assert list(client.why("s1")) == counted
    assert list(client.why("s2")) == [began]
    asked = [(request.url.path, request.url.params["offset"]) for request in server.requests]
    assert asked == [("/api/score/s1/why/", "0"), ("/api/score/s1/why/", "2"), ("/api/score/s2/why/", "0")]


def test_continues_a_broken_history_after_its_last_event_and_within_its_limit() -> None:
    class Broken(httpx.SyncByteStream):
        def __iter__(self) -> Any:
            yield (json.dumps(event("01")) + "\n").encode()
            raise httpx.ReadError("gone")

    server = Server(httpx.Response(200, stream=Broken()), ndjson(event("02"), event("03")))
    events = list(server.client().events("g", since="2026-11-21", limit=3))
    assert [one.position for one in events] == ["01", "02", "03"]
    first, second = (dict(request.url.params) for request in server.requests)
    assert first == {"since": "2026-11-21", "limit": "3"}
    assert second == {"limit": "2", "from": "01"}


def test_follows_after_the_last_event_or_heartbeat() -> None:
    server = Server(
        ndjson(event("01"), {"heartbeat": "05"}), problem(503, "behind"), httpx.ReadError("gone"), ndjson(event("06"))
    )
    events = server.client().follow("g", after="00")
    assert [next(events).position for _ in range(2)] == ["01", "06"]
    assert [request.url.params["from"] for request in server.requests] == ["00", "05", "05", "05"]
    gone = Server(problem(404, "game_not_found")).client().follow("g")
    with pytest.raises(ProblemError):
        next(gone)


def test_makes_a_table_with_exact_decimals() -> None:
    server = Server(ndjson(event("01", "12345678901234567.8"), event("02", "0.000000000000000001")))
    frame = server.client().events_frame("g")
    with exact_decimals():
        assert sum(frame["score"]) == Decimal("12345678901234567.800000000000000001")
    assert str(frame["time"].dtype) == "datetime64[ns, UTC]"
    assert list(frame["board"]) == ["b", "b"]
    assert len(Server(ndjson()).client().events_frame("g").columns) == len(frame.columns)


@pytest.mark.parametrize("value, text", [(Decimal("1E+3"), "1000"), ("-12.50", "-12.50"), (7, "7")])
def test_writes_scores_without_an_exponent(value: Any, text: str) -> None:
    assert decimal_text(value) == text


@pytest.mark.parametrize("value, error", [(1.5, TypeError), (True, TypeError), (Decimal("NaN"), ValueError)])
def test_refuses_floats_and_what_is_no_number(value: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        decimal_text(value)


def test_takes_times_dates_and_decimals_as_parameters() -> None:
    answers = [httpx.Response(200, json=body) for body in ({}, ENTRY, {"scores": []}, {"scores": [], "next_offset": None})]
    server = Server(*answers, ndjson())
    client = server.client()
    noon = datetime(2026, 11, 20, 13, tzinfo=timezone(timedelta(hours=1)))
    client.leaderboard("b1", as_of=noon)
    client.score("s1", as_of=noon)
    client.top("b1", as_of=noon, min_score=Decimal("1E+3"), player=None)
    list(client.scores("b1", since=date(2026, 11, 20), limit=5))
    list(client.events("g", since=noon))
    sent = [dict(request.url.params) for request in server.requests]
    assert sent == [
        {"as_of": "2026-11-20T12:00:00Z"},
        {"as_of": "2026-11-20T12:00:00Z"},
        {"limit": "10", "as_of": "2026-11-20T12:00:00Z", "min_score": "1000"},
        {"limit": "5", "since": "2026-11-20", "offset": "0"},
        {"since": "2026-11-20T12:00:00Z"},
    ]
    with pytest.raises(ValueError, match="has no time zone"):
        client.top("b1", as_of=datetime(2026, 11, 20))


def test_reads_the_movement_of_a_player() -> None:
    points = [
        {"time": "2026-11-20T12:00:00.000Z", "rank": None, "score": None},
        {"time": "2026-11-21T12:00:00.000Z", "rank": 3, "score": "1250.500000000000000001"},
    ]
    server = Server(httpx.Response(200, json={"points": points}))
    first, second = server.client().movement("weekly", "p1", points=2)
    assert (first.rank, first.score, second.rank, second.score) == (None, None, 3, Decimal("1250.500000000000000001"))
    assert second.time - first.time == timedelta(days=1)
    assert server.requests[0].url.path == "/api/lb/weekly/history/"
    assert dict(server.requests[0].url.params) == {"player": "p1", "points": "2"}


def test_names_the_players_of_submissions_as_they_were_called_then() -> None:
    def named(position: str, type: str, name: str) -> dict[str, Any]:
        return {**event(position), "type": type, "data": {"name": name}}

    own = {**event("05"), "data": {"id": "s", "score": "1", "secondary": None, "playerName": "Own"}}
    history = [named("01", "PlayerCreated", "Ada"), event("02"), named("03", "PlayerNamed", "Ada L"), event("04"), own]
    frame = Server(ndjson(*history)).client().events_frame("g")
    assert list(frame["player_name"]) == ["Ada", "Ada", "Ada L", "Ada L", "Own"]
    frame = Server(ndjson(event("04"))).client().events_frame("g", type="ScoreSubmitted", names={"p": "Grace"})
    assert list(frame["player_name"]) == ["Grace"]


def test_honours_retry_after_of_a_refused_proof_and_loses_no_sign_in_to_a_lost_answer() -> None:
    refused = problem(503, "busy")
    refused.headers["Retry-After"] = "3"
    server = Server(httpx.Response(200, json=ENTRY))
    server.redeems = [refused, httpx.ReadError("gone"), problem(429, "rate_limited")]
    assert server.client().score("s1").id == "s1"
    assert (server.handshakes, server.pauses[0], len(server.pauses)) == (1, 3.0, 3)
