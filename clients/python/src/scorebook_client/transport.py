"""Sends calls and repeats them where that is safe."""

from __future__ import annotations

import random
import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import httpx

from .errors import ProblemError, UnansweredError, problem_of

ATTEMPTS = 5
_FIRST_PAUSE_S = 0.25
_MAX_PAUSE_S = 30.0
#: Answers of a server or a gateway after which the call may be sent again, whatever their code.
PASSING = frozenset({502, 503, 504})
#: Refusals that a repeated call may not get.
_AGAIN = frozenset({"rate_limited", "too_many_followers", "idempotency_in_progress"})


@dataclass(frozen=True)
class Call:
    method: str
    path: str
    query: Mapping[str, str | int] | None = None
    body: Any = None
    headers: Mapping[str, str] | None = None
    #: Whether it records something: it then gets an Idempotency-Key, so that repeating it has one effect.
    records: bool = False
    #: False for calls that have an effect and take no Idempotency-Key.
    repeatable: bool = True


class Transport:
    """One HTTP connection pool to one server."""

    def __init__(self, http: httpx.Client, sleep: Callable[[float], None] = time.sleep) -> None:
        self.http = http
        self.sleep = sleep

    def send(self, call: Call) -> httpx.Response:
        """The answer with a status below 400. Raises ProblemError, or UnansweredError after all retries."""
        headers = dict(call.headers or {})
        if call.records:
            headers.setdefault("Idempotency-Key", str(uuid.uuid4()))
        attempts = ATTEMPTS if call.repeatable else 1
        for attempt in range(1, attempts + 1):
            try:
                response = self.http.request(
                    call.method, call.path, params=call.query, json=call.body, headers=headers
                )
            except httpx.TransportError as error:
                if attempt == attempts:
                    raise UnansweredError(f"{call.method} {call.path}: {error or type(error).__name__}") from error
                self.sleep(pause(attempt, None))
                continue
            if response.status_code < 400:
                return response
            problem = problem_of(response)
            if attempt == attempts or not may_repeat(problem):
                raise problem
            self.sleep(pause(attempt, problem.retry_after))
        raise AssertionError("the last attempt returns or raises")


def may_repeat(problem: ProblemError) -> bool:
    """Whether the same call may be answered otherwise in a moment."""
    return problem.status in PASSING or problem.code in _AGAIN


def pause(attempt: int, retry_after: str | None) -> float:
    """Seconds before the next attempt: what the server says, else twice as long each time, with jitter."""
    if retry_after is not None and retry_after.isdigit():
        return min(float(retry_after), _MAX_PAUSE_S)
    ceiling = min(_FIRST_PAUSE_S * 2.0 ** (attempt - 1), _MAX_PAUSE_S)
    return ceiling * (0.5 + random.random() / 2)
