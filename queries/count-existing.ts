// The number of leaderboards, keys and buckets of a game, according to the views.

import type { Key } from '../domain/key.ts'
import type { SlotKind } from '../domain/slots.ts'
import { foldedPage, type QueryDeps } from './deps.ts'

const KEYS_AT_ONCE = 1_000

/** Archived, revoked or deleted ones do not count. */
export async function countExisting(deps: QueryDeps, kind: SlotKind, game: string): Promise<number> {
  const find = { index: 'game', equal: [game] }
  if (kind !== 'keys') {
    const limit = Number.MAX_SAFE_INTEGER
    return deps.views.count({ view: deps.viewKey(kind), collection: kind, ...find, limit })
  }
  let live = 0
  for (let offset = 0; ; offset += KEYS_AT_ONCE) {
    const { rows } = await foldedPage<Key>(deps, 'keys', find, { limit: KEYS_AT_ONCE, offset })
    live += rows.filter(({ state }) => !state.revoked).length
    if (rows.length < KEYS_AT_ONCE) return live
  }
}
