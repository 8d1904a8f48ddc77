"""The handshake vectors: exact signatures of both algorithms."""

import json
from pathlib import Path
from typing import Any

import pytest

from scorebook_client import Ed25519Key, HmacKey, signing_text

VECTORS: dict[str, Any] = json.loads(
    (Path(__file__).parents[3] / "docs" / "vectors" / "handshake.json").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("case", VECTORS["hmac-sha256"], ids=lambda case: case["name"])
def test_signs_with_an_hmac_key(case: dict[str, Any]) -> None:
    text = signing_text(case["request_id"], case["nonce"], case["unix_ts"], case["permissions"])
    assert (text, HmacKey("sk_a", case["secret"]).sign(text)) == (case["message"], case["signature"])


@pytest.mark.parametrize("case", VECTORS["ed25519"], ids=lambda case: case["name"])
def test_signs_with_an_ed25519_key(case: dict[str, Any]) -> None:
    text = signing_text(case["request_id"], case["nonce"], case["unix_ts"], case["permissions"])
    assert (text, Ed25519Key("sk_a", case["private_key"]).sign(text)) == (case["message"], case["signature"])


def test_shows_no_secret_when_a_key_is_printed() -> None:
    assert "s3cret" not in repr([HmacKey("sk_a", "s3cret"), Ed25519Key("sk_b", "s3cret")])
