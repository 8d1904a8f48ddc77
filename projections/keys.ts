// The view of API keys, including revoked ones: per game, and those of operators, in order of creation.

import { type Key, type KeyEvent, key } from '../domain/key.ts'
import { aggregateView } from './aggregate-view.ts'

/** In the index `operator` of operator keys; no other key has the field. */
const OPERATOR = 1

export const keys = aggregateView<Key, KeyEvent>({
  name: 'keys',
  version: 2,
  aggregate: key,
  takes: ['KeyIssued', 'KeyPermissionsChanged', 'KeyRevoked'],
  fields: ({ game, created }) => (game === null ? { created, operator: OPERATOR } : { created }),
  indexes: { game: ['game', 'created'], operator: ['operator', 'created'] },
})
