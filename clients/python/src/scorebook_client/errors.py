"""Refusals of the server, and calls without an answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import httpx


class ProblemError(Exception):
    """The server refused a call. Decide by ``code``, which never changes its meaning; texts may change."""

    def __init__(
        self, status: int, code: str, detail: str, problem: Mapping[str, Any], retry_after: str | None = None
    ) -> None:
        super().__init__(f"{status} {code}: {detail}")
        self.status = status
        self.code = code
        self.detail = detail
        #: The whole problem document, with fields such as ``errors``, ``needed`` and ``request_id``.
        self.problem = dict(problem)
        #: Seconds until a repeat makes sense: the header of that name, or the field of one of many submissions.
        self.retry_after = retry_after


class UnansweredError(Exception):
    """No complete answer arrived, after all retries. A call that records something may or may not have had its effect."""


def problem_of(response: httpx.Response) -> ProblemError:
    """The refusal in a response, also of a proxy that answers no problem document."""
    try:
        body = response.json()
    except ValueError:
        body = None
    problem: dict[str, Any] = body if isinstance(body, dict) else {}
    return problem_in(
        response.status_code, problem, reason=response.reason_phrase, retry_after=response.headers.get("Retry-After")
    )


def problem_in(
    status: int, problem: Mapping[str, Any], *, reason: str = "", retry_after: str | None = None
) -> ProblemError:
    """``reason``: of a status without a problem document."""
    detail = str(problem.get("detail") or reason or "The server answered no problem document.")
    return ProblemError(status, str(problem.get("code", "")), detail, problem, retry_after)
