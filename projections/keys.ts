// The view of API keys, including revoked ones: per game, and those of operators, in order of creation.

import { type Key, type KeyEvent, key } from '../domain/key.ts'
import { aggregateView } from './aggregate-view.ts'

export const keys = aggregateView<Key, KeyEvent>({
  name: 'keys',
  version: 2,
  aggregate: key,
  takes: ['KeyIssued', 'KeyPermissionsChanged', 'KeyRevoked'],
  fields: ({ game, created }) => (game === null ? { created, operator: 1 } : { created }),
  indexes: { game: ['game', 'created'], operator: ['operator', 'created'] },
})
