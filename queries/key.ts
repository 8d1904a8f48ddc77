// API keys and their API answers, which never contain secrets.

import type { Key } from '../domain/key.ts'
import { asFolded, type Folded, folded, foldedPage, type Page, type Paging, type QueryDeps } from './deps.ts'
import { documentPages } from './document-pages.ts'

/** The field `operator` of the operators' keys (projections/keys.ts). */
const OPERATOR = 1

export const findKey = (deps: QueryDeps, prefix: string) => folded<Key>(deps, 'keys', prefix)

export async function listKeys(deps: QueryDeps, game: string, paging: Paging): Promise<Page<Folded<Key>>> {
  return foldedPage<Key>(deps, 'keys', { index: 'game', equal: [game] }, paging)
}

/** The operator keys, including revoked ones, in order of creation. */
export async function listOperatorKeys(deps: QueryDeps, paging: Paging): Promise<Page<Folded<Key>>> {
  return foldedPage<Key>(deps, 'keys', { index: 'operator', equal: [OPERATOR] }, paging)
}

/** Prefixes of the operator keys that are not revoked. */
export async function liveOperatorKeys(deps: QueryDeps): Promise<string[]> {
  const keys = { view: 'keys', collection: 'keys', index: 'operator', equal: [OPERATOR], rest: ['created'] }
  const live: string[] = []
  for await (const page of documentPages(deps, keys)) {
    for (const document of page) {
      const { id, state } = asFolded<Key>(document)
      if (!state.revoked) live.push(id)
    }
  }
  return live
}

/** `lastUsed`: the day, or null. */
export function keyAnswer(prefix: string, key: Key, lastUsed: string | null) {
  const { name, game, kind, algorithm, permissions, created, revoked } = key
  return { prefix, name, game, kind, algorithm, permissions, created, revoked, last_used: lastUsed }
}

/** Prefixes of all keys of a game, including revoked ones, in pages. */
export async function* keysOf(
  deps: Pick<QueryDeps, 'views' | 'viewKey'>,
  game: string,
): AsyncGenerator<readonly string[]> {
  const keys = { view: 'keys', collection: 'keys', index: 'game', equal: [game], rest: ['created'] }
  for await (const page of documentPages(deps, keys)) yield page.map(({ id }) => id)
}
