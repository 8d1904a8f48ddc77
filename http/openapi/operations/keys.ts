// API keys in the OpenAPI document.

import type { OperationGroup } from './operation.ts'

const KEYS = '/api/gm/:game/keys/'

export const KEYS_OF_A_GAME: OperationGroup = {
  name: 'Keys',
  description: 'API keys of a game and their permissions, and the keys of operators.',
  operations: {
    [`POST ${KEYS}`]: {
      id: 'issueKey',
      description:
        'A server key is for your own servers; a client key is built into the game, so everybody can read it. A key gets no ' +
        'permission that its issuer does not hold. Without `permissions` it gets the default ones of its kind. For an Ed25519 key ' +
        'send your own `public_key`, or let the server generate the pair and return the private key once.',
    },
    [`GET ${KEYS}`]: {
      id: 'listKeys',
      description: 'All keys of the game in the order of their creation. Secrets are never listed.',
    },
    [`PUT ${KEYS}:prefix/`]: {
      id: 'updateKey',
      description:
        'Replaces all permissions of the key. Tokens lose removed permissions at once; for added ones run the handshake again.',
    },
    [`DELETE ${KEYS}:prefix/`]: {
      id: 'revokeKey',
      description:
        'The key gets no further token, and on every node its tokens and the sessions of its players are refused within 2 seconds. ' +
        'A revoked key cannot be restored.',
    },
    'POST /api/sys/keys/': {
      id: 'issueOperatorKey',
      description:
        'An operator key has the one permission `sys:games`. At most 100 operator keys are valid at a time. For an Ed25519 key send your own ' +
        '`public_key`, or let the server generate the pair and return the private key once.',
    },
    'GET /api/sys/keys/': {
      id: 'listOperatorKeys',
      description: 'In the order of their creation. Secrets are never listed.',
    },
    'DELETE /api/sys/keys/:prefix/': {
      id: 'revokeOperatorKey',
      description:
        'On every node its tokens are refused within 2 seconds, also those of games that it asked for. The last operator key is not revoked: ' +
        'of several concurrent calls, one that would leave none is refused.',
    },
  },
}
