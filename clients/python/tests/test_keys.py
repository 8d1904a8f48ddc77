"""The handshake vectors: exact signatures of both algorithms."""

import json
from pathlib import Path
from typing import Any

import pytest

from scorebook_client import Ed25519Key, HmacKey, load_key, signing_text

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


@pytest.mark.parametrize(
    "text, key",
    [
        ('{"prefix": "sk_a", "secret": "s", "game": "g"}', HmacKey("sk_a", "s")),
        ('\ufeff{"prefix": "sk_a", "private_key": "p", "kind": "server"}', Ed25519Key("sk_a", "p")),
        ('{"prefix": "sk_a", "privateKey": "p"}', Ed25519Key("sk_a", "p")),
    ],
)
def test_loads_a_key_file(tmp_path: Path, text: str, key: HmacKey | Ed25519Key) -> None:
    (tmp_path / "key.json").write_text(text, encoding="utf-8")
    assert load_key(tmp_path / "key.json") == load_key(str(tmp_path / "key.json")) == key


@pytest.mark.parametrize("text", ["", "sk_a", "[]", "{}", '{"prefix": "sk_a"}', '{"secret": "s"}', '{"prefix": 1, "secret": "s"}'])
def test_names_a_file_that_holds_no_key(tmp_path: Path, text: str) -> None:
    (tmp_path / "key.json").write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"key\.json (holds no key: a key is JSON with|is not JSON)"):
        load_key(tmp_path / "key.json")
    with pytest.raises(FileNotFoundError):
        load_key(tmp_path / "none.json")
