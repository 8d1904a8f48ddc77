"""Runs the conformance suite of docs/vectors with this client: a line of JSON for each operation, a line for each answer.

    npm run conformance -- --server <url> --key <file> --driver "python clients/python/conformance/driver.py"
"""

import json
import sys
from collections.abc import Callable
from typing import Any

from scorebook_client import Ed25519Key, HmacKey, Player, ProblemError, Scorebook, signing_text

Question = dict[str, Any]


class Driver:
    def __init__(self) -> None:
        self._callers: dict[str, Scorebook | Player] = {}
        self._operations: dict[str, Callable[[Question], Any]] = {
            "hello": lambda _: {"supports": ["sign"]},
            "sign": self._sign,
            "open": self._open,
            "call": self._call,
        }

    def answer(self, question: Question) -> dict[str, Any]:
        try:
            return {"answer": self._operations[question["op"]](question)}
        except ProblemError as refusal:
            return {"refused": {**refusal.problem, "status": refusal.status, "code": refusal.code}}
        except Exception as failure:
            return {"error": f"{type(failure).__name__}: {failure}"}

    def _sign(self, given: Question) -> dict[str, str]:
        message = signing_text(given["request_id"], given["nonce"], given["unix_ts"], given["permissions"])
        key = HmacKey("", given["secret"]) if "secret" in given else Ed25519Key("", given["private_key"])
        return {"message": message, "signature": key.sign(message)}

    def _open(self, given: Question) -> dict[str, Any]:
        def connect(key: Question) -> Scorebook:
            return Scorebook(given["url"], HmacKey(key["prefix"], key["secret"]))

        client = connect(given["client_key"])
        guests = {name: client.sign_in_as_guest(given["game"], shown) for name, shown in given["guests"].items()}
        self._callers = {"server": connect(given["server_key"]), "client": client, **guests}
        return {"players": {name: guest.id for name, guest in guests.items()}}

    def _call(self, given: Question) -> Any:
        headers = {"Idempotency-Key": given["key"]} if "key" in given else None
        return self._callers[given["as"]].call(given["method"], given["path"], body=given.get("body"), headers=headers)


def main() -> None:
    driver = Driver()
    for line in sys.stdin:
        print(json.dumps(driver.answer(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
