"""Bearer tokens that are renewed before they expire."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from .errors import ProblemError, UnansweredError
from .keys import Key, signing_text
from .transport import ATTEMPTS, Call, Transport, may_repeat, pause

#: Renew this early. The server accepts clocks that are 60 seconds off.
_RENEWED_BEFORE_S = 120.0


@dataclass
class Token:
    text: str = field(repr=False)
    #: Unix seconds.
    expires_at: int
    permissions: Sequence[str] = ()
    #: Requested permissions that the key does not have.
    declined: Sequence[str] = ()


class Bearer:
    """The current token, made by ``renew``: by the handshake, or for players by their refresh token."""

    def __init__(self, renew: Callable[[], Token], first: Token | None = None) -> None:
        self._renew = renew
        self._token = first

    def token(self) -> Token:
        if self._token is None or self._token.expires_at - time.time() < _RENEWED_BEFORE_S:
            self._token = self._renew()
        return self._token

    def replace(self, refused: Token) -> Token:
        """A new token, because the server refused this one."""
        if self._token is refused:
            self._token = None
        return self.token()


def handshake(transport: Transport, key: Key, permissions: Sequence[str] = ()) -> Token:
    """Request a challenge, sign it, redeem it. A clock that is wrong is corrected once by the server's time."""
    clock_ahead = 0
    failures = 0
    while True:
        headers = {"X-API-Key": key.prefix}
        challenge = transport.send(Call("POST", "/api/auth/jwt/challenge/", headers=headers)).json()
        try:
            return _redeemed(transport, key, permissions, challenge, int(time.time()) + clock_ahead)
        except UnansweredError:
            # A challenge can be redeemed once, so a lost answer needs a new one.
            failures += 1
            if failures == ATTEMPTS:
                raise
            transport.sleep(pause(failures, None))
        except ProblemError as error:
            server_time = error.problem.get("server_time")
            if error.code == "timestamp_out_of_range" and isinstance(server_time, int) and clock_ahead == 0:
                clock_ahead = server_time - int(time.time())
                continue
            failures += 1
            if failures == ATTEMPTS or not may_repeat(error):
                raise
            transport.sleep(pause(failures, error.retry_after))


def _redeemed(
    transport: Transport, key: Key, permissions: Sequence[str], challenge: Mapping[str, str], unix_ts: int
) -> Token:
    headers = {"X-API-Key": key.prefix}
    text = signing_text(challenge["request_id"], challenge["nonce"], unix_ts, permissions)
    body = {"request_id": challenge["request_id"], "challenge": key.sign(text), "unix_ts": unix_ts}
    if permissions:
        body["permissions"] = list(permissions)
    redeem = Call("POST", "/api/auth/jwt/redeem/", headers=headers, body=body, repeatable=False)
    answer = transport.send(redeem).json()
    return token_of(answer)


def token_of(answer: dict[str, object]) -> Token:
    expires_at = answer["expires_at"]
    permissions = answer.get("permissions")
    declined = answer.get("declined")
    return Token(
        text=str(answer["token"]),
        expires_at=expires_at if isinstance(expires_at, int) else 0,
        permissions=permissions if isinstance(permissions, list) else (),
        declined=declined if isinstance(declined, list) else (),
    )
