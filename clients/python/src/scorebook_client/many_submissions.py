"""Many submissions in few calls."""

from __future__ import annotations

import base64
import json
import math
import random
import uuid
from collections.abc import Iterable, Iterator
from decimal import Decimal
from itertools import count
from typing import Any, TypedDict

from .caller import Caller, path_of
from .errors import ProblemError, problem_in
from .scores import SubmittedScore, decimal_text, submitted_of
from .transport import PASSING, Call, pause

_MAX_SUBMISSIONS = 500
_MAX_BYTES = 1_048_576
_BYTES_AROUND = len('{"submissions": []}')
_BYTES_BETWEEN = len(", ")
#: Seconds that the refused submissions of one call may wait in total.
_PATIENCE_S = 60.0
_LONGEST_BACKOFF_S = 5.0


class _Needed(TypedDict):
    #: The id or the key of the leaderboard.
    leaderboard: str
    score: Decimal | str | int


class Submission(_Needed, total=False):
    """One of many submissions. Exactly one of ``player`` and ``external_id`` is needed."""

    player: str
    #: Your own id of the player, in place of ``player``.
    external_id: str
    secondary_score: Decimal | str | int | None
    extra_data: Any
    player_name: str | None
    #: 1 to 255 printable ASCII characters; without one a random one. A submission with the same key counts once.
    idempotency_key: str


def submit_many(caller: Caller, submissions: Iterable[Submission]) -> list[SubmittedScore | ProblemError]:
    chunks = list(_chunks_of([_body_of(one) for one in submissions]))
    return [result for chunk in chunks for result in _settled(caller, chunk)]


def _body_of(submission: Submission) -> dict[str, Any]:
    body: dict[str, Any] = {"idempotency_key": str(uuid.uuid4()), **submission}
    body["score"] = decimal_text(submission["score"])
    secondary = submission.get("secondary_score")
    if secondary is not None:
        body["secondary_score"] = decimal_text(secondary)
    return body


def _chunks_of(bodies: list[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """Lists that fit into one call each. Escaped ASCII has at least the bytes of UTF-8."""
    chunk: list[dict[str, Any]] = []
    size = _BYTES_AROUND
    for nth, body in enumerate(bodies):
        own = _BYTES_BETWEEN + len(json.dumps(body))
        if _BYTES_AROUND + own > _MAX_BYTES:
            raise ValueError(f"submissions[{nth}] has more bytes than a call may have: shorten its extra_data")
        if len(chunk) == _MAX_SUBMISSIONS or size + own > _MAX_BYTES:
            yield chunk
            chunk = []
            size = _BYTES_AROUND
        chunk.append(body)
        size += own
    if chunk:
        yield chunk


def _settled(caller: Caller, chunk: list[dict[str, Any]]) -> list[SubmittedScore | ProblemError]:
    """Sends those again that are refused for now: too many bytes, or an earlier attempt of them is still running."""
    results = _sent(caller, chunk)
    left = _PATIENCE_S
    for attempt in count(1):
        waits = {nth: _wait_after(result, attempt) for nth, result in enumerate(results)}
        again = [nth for nth, wait in waits.items() if wait <= left]
        if not again:
            return results
        wait = max(waits[nth] for nth in again)
        left -= wait
        caller.transport.sleep(wait)
        for nth, result in zip(again, _sent(caller, [chunk[nth] for nth in again]), strict=True):
            results[nth] = result
    return results


def _wait_after(result: SubmittedScore | ProblemError, attempt: int) -> float:
    """Seconds until it makes sense to send the submission again; infinite if it does not."""
    if not isinstance(result, ProblemError):
        return math.inf
    backoff = min(pause(attempt, None), _LONGEST_BACKOFF_S)
    if result.code == "idempotency_in_progress":
        return backoff
    if result.status != 429 and result.status not in PASSING:
        return math.inf
    # With jitter, so that clients do not all send at once.
    return backoff if result.retry_after is None else float(result.retry_after) + random.random() / 4


def _sent(caller: Caller, chunk: list[dict[str, Any]]) -> list[SubmittedScore | ProblemError]:
    game = _game_of(caller.bearer.token().text)
    answer = caller.call(Call("POST", path_of("gm", game, "scores"), body={"submissions": chunk}, records=True))
    return [_result_of(one) for one in answer["results"]]


def _result_of(result: dict[str, Any]) -> SubmittedScore | ProblemError:
    if "code" in result:
        asked = result.get("retry_after")
        return problem_in(result["status"], result, retry_after=str(asked) if isinstance(asked, (int, float)) else None)
    beside = {name: result.get(name) for name in ("rank", "improved", "submitted", "season")}
    return submitted_of({**result["score"], **beside})


def _game_of(token: str) -> str:
    """The token is a JWT with the game of its key."""
    payload = token.split(".")[1]
    game = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))["game"]
    if game is None:
        raise TypeError("the operator's key belongs to no game: submit with a server key of the game")
    return str(game)
