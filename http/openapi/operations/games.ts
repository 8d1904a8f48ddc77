// Games and their limits in the OpenAPI document.

import type { OperationGroup } from './operation.ts'

const GAME = '/api/gm/:game/'

export const GAMES: OperationGroup = {
  name: 'Games',
  description: 'Games: created by the operator, configured by their tenants.',
  operations: {
    'POST /api/gm/': {
      id: 'createGame',
      description:
        'Also issues the first server key of the game. Only this answer contains its secret, except that a repeated call with the ' +
        'same Idempotency-Key gets it again.',
    },
    'GET /api/gm/': { id: 'listGames', description: 'All games of this installation, in the order of their creation.' },
    [`GET ${GAME}`]: {
      id: 'getGame',
      description: 'The settings of a game. Send the ETag of the answer in If-Match to change exactly this state.',
    },
    [`PUT ${GAME}`]: {
      id: 'updateGame',
      description:
        'Changes the name, the allowed web origins, the ways to sign in and the chat rooms. Fields that are left out keep their ' +
        'values; lists are replaced as a whole. With If-Match the change is refused if the game has changed since it was read.',
    },
    [`DELETE ${GAME}`]: {
      id: 'deleteGame',
      description:
        'Removes the game with its leaderboards, players, files, keys and history. The body repeats the name of the game, as a ' +
        'safeguard. Its keys and tokens are refused at once; the data is removed within seconds to minutes. This cannot be undone.',
    },
    [`GET ${GAME}limits/`]: {
      id: 'getGameLimits',
      description: 'How much the game may record in a day, and how many sign-in codes it may mail.',
    },
    [`PUT ${GAME}limits/`]: {
      id: 'setGameLimits',
      description: 'A change takes effect within 10 seconds on every node. Fields that are left out keep their values.',
    },
  },
}
