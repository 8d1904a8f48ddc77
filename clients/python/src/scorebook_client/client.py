"""Calls of a server or an analyst with an API key, and of players."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from types import TracebackType
from typing import TYPE_CHECKING, Any

import httpx

from .caller import PAGE, Caller, path_of
from .errors import ProblemError
from .events import Event, frame_of
from .history import History
from .keys import Key
from .many_submissions import Submission, submit_many
from .scores import (
    Point,
    Score,
    Season,
    SubmittedScore,
    decimal_text,
    point_of,
    query_of,
    score_of,
    season_of,
    submitted_of,
)
from .tokens import Bearer, Token, handshake, token_of
from .transport import Call, Transport

if TYPE_CHECKING:
    import pandas

#: What a parameter of a query may be. A date is in UTC, a datetime needs a time zone, and None leaves it out.
Value = str | int | Decimal | date | None


class _Boards:
    """What a caller with a token does with leaderboards. ``leaderboard`` is an id or a key, such as ``weekly``."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def call(
        self,
        method: str,
        path: str,
        *,
        body: Any = None,
        query: Mapping[str, Value] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Any:
        """Any other call of the API. Calls that are not GET get an Idempotency-Key."""
        sent = None if query is None else query_of(query)
        return self._caller.call(Call(method, path, query=sent, body=body, headers=headers, records=method != "GET"))

    def leaderboards(self, game: str) -> Iterator[dict[str, Any]]:
        return self._caller.pages(path_of("gm", game, "lb"), "leaderboards")

    def leaderboard(self, leaderboard: str, as_of: str | date | None = None) -> dict[str, Any]:
        call = Call("GET", path_of("lb", leaderboard), query=query_of({"as_of": as_of}))
        answer: dict[str, Any] = self._caller.call(call)
        return answer

    def scores(self, leaderboard: str, **query: Value) -> Iterator[Score]:
        """Every entry, best first, read page by page: ``scores(board, since=date(2026, 11, 21), window="best")``. Pages of a
        leaderboard that changes meanwhile may miss an entry; with ``as_of`` they are of one instant. ``season=3``,
        ``"current"`` or ``"last"`` (the newest one that has ended) is the ranking of one season."""
        return map(score_of, self._caller.pages(path_of("lb", leaderboard, "score"), "scores", query_of(query)))

    def top(self, leaderboard: str, limit: int = 10, **query: Value) -> list[Score]:
        """The first page of entries. ``around=<player>`` moves it to the surroundings of a player; ``season`` as in
        ``scores``."""
        sent = {"limit": limit, **query_of(query)}
        answer = self._caller.call(Call("GET", path_of("lb", leaderboard, "score"), query=sent))
        return [score_of(one) for one in answer["scores"]]

    def seasons(self, leaderboard: str) -> Iterator[Season]:
        """The seasons of a leaderboard, newest first; none if it never had any."""
        return map(season_of, self._caller.pages(path_of("lb", leaderboard, "seasons"), "seasons"))

    def score(self, score: str, as_of: str | date | None = None) -> Score:
        return score_of(self._caller.call(Call("GET", path_of("score", score), query=query_of({"as_of": as_of}))))

    def movement(self, leaderboard: str, player: str, points: int | None = None) -> list[Point]:
        """A player's rank and score over time, at most ``points`` instants (1 to 1,000; the server's default is 100)."""
        query = query_of({"player": player, "points": points})
        answer = self._caller.call(Call("GET", path_of("lb", leaderboard, "history"), query=query))
        return [point_of(one) for one in answer["points"]]

    def _submit(self, leaderboard: str, body: dict[str, Any], key: str | None) -> SubmittedScore:
        headers = {} if key is None else {"Idempotency-Key": key}
        call = Call("POST", path_of("lb", leaderboard, "score"), body=body, headers=headers, records=True)
        return submitted_of(self._caller.call(call))


def _submission(score: Decimal | str | int, secondary: Decimal | str | int | None, extra: Any) -> dict[str, Any]:
    return {
        "score": decimal_text(score),
        **({} if secondary is None else {"secondary_score": decimal_text(secondary)}),
        **({} if extra is None else {"extra_data": extra}),
    }


class Player(_Boards):
    """A signed-in player."""

    def __init__(self, caller: Caller, game: str, answer: Mapping[str, Any]) -> None:
        super().__init__(caller)
        self.id: str = answer["player"]["id"]
        self.name: str | None = answer["player"]["name"]
        self.game = game
        #: Signs the same guest in again; only the call that created the player has it.
        self.guest_token: str | None = answer.get("guest_token")

    def submit(
        self,
        leaderboard: str,
        score: Decimal | str | int,
        *,
        secondary_score: Decimal | str | int | None = None,
        extra_data: Any = None,
        idempotency_key: str | None = None,
    ) -> SubmittedScore:
        return self._submit(leaderboard, _submission(score, secondary_score, extra_data), idempotency_key)


class Scorebook(_Boards):
    """A server, called with an API key. ``permissions`` restricts the tokens to these; empty: all of the key."""

    def __init__(
        self,
        base_url: str,
        key: Key,
        *,
        permissions: Sequence[str] = (),
        timeout: float = 30.0,
        http: httpx.Client | None = None,
    ) -> None:
        self._owns_http = http is None
        client = http if http is not None else httpx.Client(base_url=base_url, timeout=timeout)
        self._transport = Transport(client)
        super().__init__(Caller(self._transport, Bearer(lambda: handshake(self._transport, key, permissions))))
        self._history = History(self._caller)

    def close(self) -> None:
        if self._owns_http:
            self._transport.http.close()

    def __enter__(self) -> Scorebook:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def token(self) -> Token:
        """A token that does not expire soon, with its permissions."""
        return self._caller.bearer.token()

    def players(self, game: str, name: str | None = None) -> Iterator[dict[str, Any]]:
        query = {} if name is None else {"name": name}
        return self._caller.pages(path_of("gm", game, "players"), "players", query)

    def sessions(self, game: str, player: str) -> Iterator[dict[str, Any]]:
        """The open sessions of a player."""
        return self._caller.pages(path_of("gm", game, "players", player, "sessions"), "sessions")

    def entries(self, game: str, player: str) -> Iterator[tuple[str, Score]]:
        """The entries of a player on all leaderboards: the id of the leaderboard, and the entry with its rank."""
        rows = self._caller.pages(path_of("gm", game, "players", player, "entries"), "entries")
        return ((row["leaderboard"], score_of(row)) for row in rows)

    def rooms(self, game: str) -> Iterator[dict[str, Any]]:
        """The rooms with their members."""
        return self._caller.pages(path_of("gm", game, "rooms"), "rooms")

    def movers(self, leaderboard: str, **rules: Any) -> Iterator[dict[str, Any]]:
        """Everybody who moves under other rules, biggest move first: ``movers(board, ordering="asc")``. Changes nothing."""
        offset: int | None = 0
        while offset is not None:
            query = {"limit": PAGE, "offset": offset}
            page = self._caller.call(Call("POST", path_of("lb", leaderboard, "preview"), query=query, body=rules))
            yield from page["movers"]
            offset = page["next_offset"]

    def why(self, score: str) -> Iterator[dict[str, Any]]:
        """The events that made a score, each ``{"effect": ..., "event": ...}``, in log order; of a total the submissions that
        it counts, newest first, read page by page."""
        offset: int | None = 0
        while offset is not None:
            query = {"limit": PAGE, "offset": offset}
            page = self._caller.call(Call("GET", path_of("score", score, "why"), query=query))
            yield from page["events"]
            offset = page.get("next_offset")

    def status(self) -> dict[str, Any]:
        """Health, lag of the views, parked streams and versions of the server; for the operator."""
        answer: dict[str, Any] = self.call("GET", path_of("sys", "status"))
        return answer

    def create_player(self, game: str, name: str, external_id: str | None = None) -> dict[str, Any]:
        body = {"name": name, **({} if external_id is None else {"external_id": external_id})}
        answer: dict[str, Any] = self.call("POST", path_of("gm", game, "players"), body=body)
        return answer

    def submit_for(
        self,
        leaderboard: str,
        player: str,
        score: Decimal | str | int,
        *,
        secondary_score: Decimal | str | int | None = None,
        extra_data: Any = None,
        idempotency_key: str | None = None,
    ) -> SubmittedScore:
        """Submit for a player, with a server key that has ``submit_for``."""
        body = {**_submission(score, secondary_score, extra_data), "player": player}
        return self._submit(leaderboard, body, idempotency_key)

    def submit_many(self, submissions: Iterable[Submission]) -> list[SubmittedScore | ProblemError]:
        """Submit scores of any players on any leaderboards of the key's game, in their order::

            scorebook.submit_many([
                {"leaderboard": "weekly", "player": ada, "score": Decimal("1250.5")},
                {"leaderboard": "weekly", "external_id": "account-7", "score": "980"},
            ])

        The results are in the same order: the entry after the submission, or the refusal, which is not raised and holds
        back no other. Lists above 500 submissions or 1 MiB are sent in several calls; a ``rank`` is the one after its
        call. Calls with lost answers, 429 and 503 are repeated, and so are single submissions that are refused for now,
        after waits of a minute in total. Each submission counts once. If it raises all the same, some may be recorded:
        to repeat such a list, give each submission an ``idempotency_key`` of your own.

        A submission that is sent again may be recorded after later ones of its player. A leaderboard that keeps the latest
        score then shows the earlier one, and nothing can undo that. There, list a player at most once, and submit their
        next score when this one is recorded. Where the best score is kept, the order does not matter for the score.

        Raises ValueError, before anything is sent, if one submission alone is larger than a call may be."""
        return submit_many(self._caller, submissions)

    def sign_in_as_guest(self, game: str, name: str | None = None, guest_token: str | None = None) -> Player:
        """A new guest, or with ``guest_token`` the same one again."""
        given = {"name": name, "guest_token": guest_token}
        body = {field: value for field, value in given.items() if value is not None}
        answer = self.call("POST", path_of("gm", game, "player", "guest"), body=body)

        def renew() -> Token:
            sent = {"refresh_token": answer["refresh_token"]}
            refresh = Call("POST", path_of("gm", game, "player", "refresh"), body=sent)
            return token_of(self._transport.send(refresh).json())

        return Player(Caller(self._transport, Bearer(renew, token_of(answer))), game, answer)

    def events(self, game: str, **query: Value) -> Iterator[Event]:
        """The recorded events in log order: ``events(game, type="ScoreSubmitted", since="2026-11-21")``. A broken
        connection continues after the last event."""
        return self._history.events(game, query_of(query))

    def follow(self, game: str, after: str | None = None, **query: Value) -> Iterator[Event]:
        """Every event after a position (None: all), then new ones as they are recorded. It reconnects by itself and ends
        when the iterator is closed."""
        return self._history.follow(game, after, query_of(query))

    def events_frame(self, game: str, *, names: Mapping[str, str] | None = None, **query: Value) -> pandas.DataFrame:
        """The events as a DataFrame with exact Decimals. ``player_name`` of a score is the name that it was sent with, else
        what the player was called then by the events of this frame, else what ``names`` says of their id. Needs the extra
        ``scorebook-client[pandas]``."""
        return frame_of(self.events(game, **query), names or {})
