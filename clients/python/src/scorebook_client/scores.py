"""Scores with exact decimals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime, timezone
from decimal import Decimal, localcontext
from typing import Any


def decimal_text(value: Decimal | str | int) -> str:
    """A score as the server reads it. Raises TypeError for a float, which has already lost digits."""
    if isinstance(value, (bool, float)):
        raise TypeError("a score is a Decimal, a str or an int, so that no precision is lost")
    number = value if isinstance(value, Decimal) else Decimal(value)
    if not number.is_finite():
        raise ValueError(f"a score is a finite number, not {number}")
    return format(number, "f")


@contextmanager
def exact_decimals() -> Iterator[None]:
    """Sums of scores are exact in here. Python rounds Decimals to 28 digits otherwise; a score may have 48, a total 54."""
    with localcontext() as context:
        context.prec = 100
        yield


def time_of(text: str) -> datetime:
    """ISO 8601 with ``Z``, as the server writes times."""
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def query_text(value: str | int | Decimal | date) -> str | int:
    """A parameter as the server reads it: a ``datetime`` with its offset, a ``date``, a ``Decimal``. Raises ValueError
    for a datetime without a time zone, whose instant is unknown."""
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise ValueError(f"{value!r} has no time zone: use datetime.now(timezone.utc) or value.astimezone()")
        return value.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")
    if isinstance(value, date):
        return value.isoformat()
    return decimal_text(value) if isinstance(value, Decimal) else value


def query_of(query: Mapping[str, str | int | Decimal | date | None]) -> dict[str, str | int]:
    """None leaves a parameter out."""
    return {name: query_text(value) for name, value in query.items() if value is not None}


def maybe_decimal(text: str | None) -> Decimal | None:
    return None if text is None else Decimal(text)


@dataclass(frozen=True)
class Score:
    """An entry of a leaderboard."""

    id: str
    player: str
    player_name: str | None
    score: Decimal
    secondary_score: Decimal | None
    added: datetime
    updated: datetime
    extra_data: Any
    #: Missing in the answer to ``score``; in the answer to a submission None while the rank is not available.
    rank: int | None
    #: Only with ``season``: the rank when the season closed. None in an open season, and for an entry that was hidden then.
    final_rank: int | None


@dataclass(frozen=True)
class SubmittedInSeason:
    """The season that a submission joined, and the player's rank in it."""

    season: int
    #: None while the rank is not available.
    rank: int | None
    #: Whether the player's entry of that season ranks better than before.
    improved: bool


@dataclass(frozen=True)
class SubmittedScore(Score):
    """The player's entry after a submission; where each submission is an entry, their best one."""

    #: Whether the entry ranks better than before, without regard to when; True if it is new.
    improved: bool
    #: The id of the entry that this call created; None if it created none. Where each submission is an entry, that of this one.
    submitted: str | None
    #: None if no season was open, and of a leaderboard that never had seasons.
    season: SubmittedInSeason | None


@dataclass(frozen=True)
class Season:
    """From ``starts`` up to ``ends``, exclusive."""

    #: From 1.
    season: int
    starts: datetime
    ends: datetime
    #: ``open``, ``closing`` (its final ranks are being recorded) or ``closed``.
    state: str
    #: As they are now.
    players: int
    entries: int
    closed_at: datetime | None
    #: The rules by which its entries are ranked.
    rules: Mapping[str, Any]


@dataclass(frozen=True)
class Point:
    """A player's best entry at an instant; None where they had none."""

    time: datetime
    rank: int | None
    score: Decimal | None


def point_of(body: Mapping[str, Any]) -> Point:
    return Point(time_of(body["time"]), body["rank"], maybe_decimal(body["score"]))


def season_of(body: Mapping[str, Any]) -> Season:
    return Season(
        season=body["season"],
        starts=time_of(body["starts"]),
        ends=time_of(body["ends"]),
        state=body["state"],
        players=body["players"],
        entries=body["entries"],
        closed_at=None if body["closed_at"] is None else time_of(body["closed_at"]),
        rules=body["rules"],
    )


def _fields(body: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "id": body["id"],
        "player": body["player"],
        "player_name": body["player_name"],
        "score": Decimal(body["score"]),
        "secondary_score": maybe_decimal(body["secondary_score"]),
        "added": time_of(body["added"]),
        "updated": time_of(body["updated"]),
        "extra_data": body["extra_data"],
        "rank": body.get("rank"),
        "final_rank": body.get("final_rank"),
    }


def score_of(body: Mapping[str, Any]) -> Score:
    return Score(**_fields(body))


def submitted_of(body: Mapping[str, Any]) -> SubmittedScore:
    season = _joined_of(body.get("season"))
    return SubmittedScore(**_fields(body), improved=body["improved"], submitted=body["submitted"], season=season)


def _joined_of(season: Mapping[str, Any] | None) -> SubmittedInSeason | None:
    return None if season is None else SubmittedInSeason(season["season"], season["rank"], season["improved"])
