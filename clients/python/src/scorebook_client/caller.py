"""Sends calls with a token, which it renews once it is refused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote

import httpx

from .errors import ProblemError
from .tokens import Bearer, Token
from .transport import Call, Transport

PAGE = 100
_REFUSED_TOKENS = frozenset({"token_rejected", "unauthenticated"})


def path_of(*parts: str) -> str:
    return "/api/" + "".join(f"{quote(part, safe='')}/" for part in parts)


class Caller:
    """Sends calls with a token. Reads see the own writes on every node of the server."""

    def __init__(self, transport: Transport, bearer: Bearer) -> None:
        self.transport = transport
        self.bearer = bearer
        self._consistency: str | None = None

    def headers(self, token: Token) -> dict[str, str]:
        seen = {} if self._consistency is None else {"X-Consistency-Token": self._consistency}
        return {"Authorization": f"Bearer {token.text}", **seen}

    def call(self, call: Call) -> Any:
        """The JSON of the answer. A refused token is renewed once."""
        token = self.bearer.token()
        try:
            response = self._sent(call, token)
        except ProblemError as error:
            if error.status != 401 or error.code not in _REFUSED_TOKENS:
                raise
            response = self._sent(call, self.bearer.replace(token))
        self._consistency = response.headers.get("X-Consistency-Token", self._consistency)
        return response.json()

    def _sent(self, call: Call, token: Token) -> httpx.Response:
        headers = {**self.headers(token), **(call.headers or {})}
        return self.transport.send(Call(**{**call.__dict__, "headers": headers}))

    def pages(self, path: str, plural: str, query: Mapping[str, str | int] | None = None) -> Iterator[Any]:
        """Every row of a list, read page by page. All pages of ``season="current"`` are of the season of the first one."""
        asked = {"limit": PAGE, **(query or {})}
        offset: int | None = 0
        while offset is not None:
            page = self.call(Call("GET", path, query={**asked, "offset": offset}))
            yield from page[plural]
            if "season" in asked:
                asked["season"] = page["season"]
            offset = page["next_offset"]
