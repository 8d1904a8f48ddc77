// The view of API keys, including revoked ones: per game in order of creation.

import { type Key, type KeyEvent, key } from '../domain/key.ts'
import { aggregateView } from './aggregate-view.ts'

export const keys = aggregateView<Key, KeyEvent>({
  name: 'keys',
  version: 1,
  aggregate: key,
  takes: ['KeyIssued', 'KeyPermissionsChanged', 'KeyRevoked'],
  fields: ({ created }) => ({ created }),
  indexes: { game: ['game', 'created'] },
})
