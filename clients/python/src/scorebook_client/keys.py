"""API keys: how they sign the challenge of the handshake. A secret is never sent."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol


class Key(Protocol):
    """A key that signs challenges."""

    @property
    def prefix(self) -> str: ...

    def sign(self, message: str) -> str:
        """The signature as base64url without padding."""
        ...


@dataclass(frozen=True)
class HmacKey:
    """A key with the algorithm ``hmac-sha256``."""

    prefix: str
    secret: str = field(repr=False)

    def sign(self, message: str) -> str:
        # The key is the text of the secret, not the bytes that it encodes.
        return _base64url(hmac.new(self.secret.encode(), message.encode(), hashlib.sha256).digest())


@dataclass(frozen=True)
class Ed25519Key:
    """A key with the algorithm ``ed25519``. Needs the extra ``scorebook-client[ed25519]``."""

    prefix: str
    #: The seed of 32 bytes as base64url, as the server returns it.
    private_key: str = field(repr=False)

    def sign(self, message: str) -> str:
        try:
            from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
        except ImportError as error:
            raise ImportError("Ed25519 keys need cryptography: pip install 'scorebook-client[ed25519]'") from error
        seed = base64.urlsafe_b64decode(self.private_key + "=" * (-len(self.private_key) % 4))
        return _base64url(Ed25519PrivateKey.from_private_bytes(seed).sign(message.encode()))


def key_of(file: Mapping[str, Any]) -> Key:
    """The key in the JSON of a key file, or in the answer that made it. Raises ValueError if it holds none."""
    prefix, secret, private_key = file.get("prefix"), file.get("secret"), file.get("private_key", file.get("privateKey"))
    if isinstance(prefix, str) and isinstance(secret, str):
        return HmacKey(prefix, secret)
    if isinstance(prefix, str) and isinstance(private_key, str):
        return Ed25519Key(prefix, private_key)
    raise ValueError('a key is JSON with "prefix", and "secret" or "private_key"')


def load_key(path: str | os.PathLike[str]) -> Key:
    """The key in a key file, such as ``data/keys/<game>.json``. Raises OSError if the file cannot be read, and ValueError
    if it holds no key."""
    with open(path, encoding="utf-8-sig") as opened:
        try:
            file = json.load(opened)
        except ValueError as error:
            raise ValueError(f"{os.fspath(path)} is not JSON: {error}") from error
    try:
        return key_of(file if isinstance(file, dict) else {})
    except ValueError as error:
        raise ValueError(f"{os.fspath(path)} holds no key: {error}") from None


def signing_text(request_id: str, nonce: str, unix_ts: int, permissions: Iterable[str] = ()) -> str:
    """The text that is signed: permissions are sorted by code unit and joined by ``|``."""
    # UTF-16 order is what the server calls code units; for the ASCII of permissions it is the order of `sorted`.
    return f"{request_id}.{nonce}.{unix_ts}.{'|'.join(sorted(permissions))}"


def _base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
