"""Client of Scorebook servers, for analysts and game servers. See README.md."""

from .client import Player, Scorebook
from .errors import ProblemError, UnansweredError
from .events import Event
from .keys import Ed25519Key, HmacKey, Key, key_of, load_key, signing_text
from .many_submissions import Submission
from .scores import Point, Score, Season, SubmittedInSeason, SubmittedScore, decimal_text, exact_decimals

__all__ = [
    "Ed25519Key",
    "Event",
    "HmacKey",
    "Key",
    "Player",
    "Point",
    "ProblemError",
    "Score",
    "Scorebook",
    "Season",
    "Submission",
    "SubmittedInSeason",
    "SubmittedScore",
    "UnansweredError",
    "decimal_text",
    "exact_decimals",
    "key_of",
    "load_key",
    "signing_text",
]
