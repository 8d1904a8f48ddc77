// The handshake in the OpenAPI document.

import type { OperationGroup } from './operation.ts'

export const HANDSHAKE: OperationGroup = {
  name: 'Handshake',
  description: 'From an API key to a bearer token: request a challenge, sign it, redeem it.',
  operations: {
    'POST /api/auth/jwt/challenge/': {
      id: 'requestChallenge',
      description:
        'Returns the values to sign, and the algorithm of the key. A challenge expires after a minute and can be redeemed once. ' +
        'An unknown or revoked key gets a challenge like any other, so that the answer does not reveal which keys exist.',
    },
    'POST /api/auth/jwt/redeem/': {
      id: 'redeemChallenge',
      description:
        'Sign `{request_id}.{nonce}.{unix_ts}.{permissions}`: the first two from the challenge, the current Unix time in whole ' +
        'seconds, and the requested permissions, sorted by code unit and joined by `|` (empty: all that the key holds). ' +
        'HMAC-SHA256 with the secret as text, or Ed25519; base64url without padding, sent as `challenge`. The token is valid for ' +
        'an hour. Requested permissions that the key does not hold are listed in `declined`. The clock may be 60 seconds off.',
    },
    'POST /api/gm/:game/token/': {
      id: 'getOperatorToken',
      description:
        'For operators: with this token they call everything of the game that its server keys may, except to sign players in and to make or ' +
        'change keys (403 `operator_token`). What no server key of the game can have is in `declined`. The token is valid for an hour at most, ' +
        'not longer than the token that asked for it, and ends when the operator key is revoked. Events name the operator key as `actor`.',
    },
    'POST /api/console/link/': {
      id: 'createConsoleLink',
      description:
        'Open `/console/#code=<code>` within 30 seconds, once: the console redeems the code and is signed in with the permissions of the token ' +
        'that created the link, until that token expires. With `CONSOLE=off` this is 404.',
    },
    'POST /api/console/redeem/': {
      id: 'redeemConsoleLink',
      description:
        'One of several redemptions of a code succeeds, on any node. The token cannot be renewed, and ends with the key as other tokens of ' +
        'it. With `CONSOLE=off` this is 404.',
    },
  },
}
