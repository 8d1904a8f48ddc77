"""Reads the history as lines of JSON, and follows it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote

import httpx

from .caller import Caller
from .errors import ProblemError, UnansweredError, problem_of
from .events import Event, event_of
from .transport import ATTEMPTS, PASSING, pause

#: A heartbeat comes every 15 seconds: without a line for longer, the connection is dead.
_SILENCE_S = 40.0
_BUSY = frozenset({"too_many_followers", "rate_limited"})

Query = Mapping[str, str | int]


class History:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def events(self, game: str, query: Query) -> Iterator[Event]:
        """Ends with the events that were recorded when it began, or fails after ``ATTEMPTS`` without a new line."""
        limit = int(query["limit"]) if "limit" in query else None
        position = query.get("from")
        failures = 0
        while limit is None or limit > 0:
            sent = _after(query, None if position is None else str(position), limit)
            try:
                for line in self._lines(game, sent):
                    failures = 0
                    position = line["position"]
                    limit = None if limit is None else limit - 1
                    yield event_of(line)
                return
            except (httpx.TransportError, ProblemError) as error:
                failures += 1
                retry_after = _retry_after(error)
                if failures == ATTEMPTS:
                    raise UnansweredError(f"the history broke off after {position}: {error}") from error
                self._caller.transport.sleep(pause(failures, retry_after))

    def follow(self, game: str, after: str | None, query: Query) -> Iterator[Event]:
        """Reconnects without end; a refusal that does not pass by itself is raised."""
        position = after
        failures = 0
        while True:
            retry_after = None
            try:
                for line in self._lines(game, {**_after(query, position, None), "follow": 1}):
                    failures = 0
                    if "heartbeat" in line:
                        position = line["heartbeat"]
                        continue
                    position = line["position"]
                    yield event_of(line)
                # The server ends a stream when the token expires or the node stops.
            except (httpx.TransportError, ProblemError) as error:
                retry_after = _retry_after(error)
            failures += 1
            self._caller.transport.sleep(pause(min(failures, 8), retry_after))

    def _lines(self, game: str, query: Query) -> Iterator[dict[str, Any]]:
        """The lines of one answer. A token that is refused is renewed once."""
        token = self._caller.bearer.token()
        try:
            yield from self._answer(game, query, self._caller.headers(token))
        except ProblemError as error:
            if error.status != 401:
                raise
            fresh = self._caller.bearer.replace(token)
            yield from self._answer(game, query, self._caller.headers(fresh))

    def _answer(self, game: str, query: Query, headers: Mapping[str, str]) -> Iterator[dict[str, Any]]:
        path = f"/api/gm/{quote(game, safe='')}/events/"
        http = self._caller.transport.http
        with http.stream("GET", path, params=query, headers=headers, timeout=httpx.Timeout(30.0, read=_SILENCE_S)) as answer:
            if answer.status_code >= 400:
                answer.read()
                raise problem_of(answer)
            for text in answer.iter_lines():
                if text:
                    yield json.loads(text)


def _retry_after(error: httpx.TransportError | ProblemError) -> str | None:
    """How long to wait before the next attempt, if the server says so. Raises a refusal that does not pass by itself."""
    if isinstance(error, httpx.TransportError):
        return None
    if error.status not in PASSING and error.code not in _BUSY:
        raise error
    return str(error.problem.get("retry_after", "")) or None


def _after(query: Query, position: str | None, limit: int | None) -> dict[str, str | int]:
    """`since` only selects the beginning, and the server takes either that or `from`."""
    sent = {name: value for name, value in query.items() if position is None or name not in ("since", "from")}
    if limit is not None:
        sent["limit"] = limit
    return sent if position is None else {**sent, "from": position}
