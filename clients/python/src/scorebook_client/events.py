"""Events of the history, and as rows of a table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from .scores import maybe_decimal, time_of

if TYPE_CHECKING:
    import pandas

_NAMED = frozenset({"PlayerCreated", "PlayerNamed"})


@dataclass(frozen=True)
class Event:
    """A recorded event. ``/api/schemas/events/`` of the server describes ``data`` by ``type``."""

    position: str
    stream: str
    revision: int
    id: str
    type: str
    time: datetime
    data: Mapping[str, Any]
    meta: Mapping[str, Any]

    @property
    def score(self) -> Decimal | None:
        """The exact score of a submission; None for other events."""
        return maybe_decimal(self.data["score"]) if self.type == "ScoreSubmitted" else None

    @property
    def secondary_score(self) -> Decimal | None:
        return maybe_decimal(self.data["secondary"]) if self.type == "ScoreSubmitted" else None


def event_of(line: Mapping[str, Any]) -> Event:
    return Event(
        position=line["position"],
        stream=line["stream"],
        revision=line["revision"],
        id=line["id"],
        type=line["type"],
        time=time_of(line["time"]),
        data=line["data"],
        meta=line["meta"],
    )


def row_of(event: Event, names: dict[str, str | None]) -> dict[str, Any]:
    """The columns of an export, with Decimals in place of texts and numbers. ``names``: of players, by the events before
    this one, which adds to it."""
    data, meta = event.data, event.meta
    player = meta.get("player")
    if event.type in _NAMED and player is not None:
        names[player] = data.get("name")
    is_score = event.type in ("ScoreSubmitted", "ScoreDeleted")
    name = data.get("playerName") or names.get(str(player)) if event.type == "ScoreSubmitted" else None
    return {
        "position": event.position,
        "stream": event.stream,
        "revision": event.revision,
        "id": event.id,
        "type": event.type,
        "time": event.time,
        "game": meta.get("game"),
        "board": meta.get("board"),
        "player": player,
        "actor": meta.get("actor"),
        "score": event.score,
        "secondary_score": event.secondary_score,
        "score_id": data.get("id") if is_score else None,
        "player_name": data.get("name") if event.type in _NAMED else name,
        "data": data,
    }


#: The columns of ``events_frame``.
COLUMNS = (
    *("position", "stream", "revision", "id", "type", "time", "game", "board", "player", "actor"),
    *("score", "secondary_score", "score_id", "player_name", "data"),
)


def frame_of(events: Iterable[Event], names: Mapping[str, str]) -> pandas.DataFrame:
    """One row per event. Scores are ``decimal.Decimal`` objects: sums and comparisons are exact."""
    try:
        import pandas
    except ImportError as error:
        raise ImportError("a DataFrame needs pandas: pip install 'scorebook-client[pandas]'") from error
    known: dict[str, str | None] = dict(names)
    frame = pandas.DataFrame.from_records([row_of(event, known) for event in events], columns=list(COLUMNS))
    frame["time"] = pandas.to_datetime(frame["time"], utc=True)
    return frame
