// Players, and their API answers for the tenant and for themselves.

import { unsafeCast } from '../domain/event.ts'
import type { Player } from '../domain/player.ts'
import type { TimeSlices } from '../runtime/time-slices.ts'
import type { Find, Freshness } from '../stores/contract/views.ts'
import { toCaseless } from './caseless.ts'
import { asFolded, type Folded, folded, foldedAll, foldedPage, type Page, type Paging, type QueryDeps } from './deps.ts'
import { type Heavy, unqueued } from './work-queue.ts'

const PAGE = 1_000
/** Players per read of a search by name: less than a millisecond with a store in this process. */
const SEARCHED = 100

/** Also null for a deleted player. */
export async function findPlayer(
  deps: QueryDeps,
  id: string,
  freshness: Freshness = 'now',
): Promise<Folded<Player> | null> {
  const found = await folded<Player>(deps, 'players', id, freshness)
  return found === null || found.state.deleted ? null : found
}

/** By id, as `findPlayer`. */
export async function findPlayers(
  deps: QueryDeps,
  ids: readonly string[],
  freshness: Freshness = 'now',
): Promise<ReadonlyMap<string, Folded<Player>>> {
  const players = new Map<string, Folded<Player>>()
  for (const one of await foldedAll<Player>(deps, 'players', ids, freshness)) {
    if (one !== null && !one.state.deleted) players.set(one.id, one)
  }
  return players
}

/**
 * Players of a game in order of creation, or those whose name contains a text (case-insensitive). The latter is O(n).
 */
export async function listPlayers(
  deps: QueryDeps,
  game: string,
  { name = null, ...paging }: Paging & { readonly name?: string | null | undefined },
  heavy: Heavy = unqueued,
): Promise<Page<Folded<Player>>> {
  return heavy((slices) => {
    if (name !== null) return searched(deps, game, { ...paging, name }, slices)
    return foldedPage<Player>(deps, 'players', { index: 'game', equal: [game] }, paging)
  })
}

async function searched(
  deps: QueryDeps,
  game: string,
  { name, limit, offset }: Paging & { readonly name: string },
  slices: TimeSlices,
): Promise<Page<Folded<Player>>> {
  const wanted = toCaseless(name)
  const rows: Folded<Player>[] = []
  let count = 0
  for await (const player of playersOf(deps, game, slices)) {
    if (!toCaseless(player.state.name ?? '').includes(wanted)) continue
    if (count >= offset && rows.length < limit) rows.push(player)
    count++
  }
  return { rows, count }
}

/**
 * Each player of a game once, in order of creation. Pages are read at different moments, so each begins at the creation
 * time where the previous one ended, not at an offset: a player deleted meanwhile would shift all later ones.
 */
async function* playersOf(
  { views, viewKey }: QueryDeps,
  game: string,
  slices: TimeSlices,
): AsyncIterable<Folded<Player>> {
  const find = { view: viewKey('players'), collection: 'players', index: 'game', equal: [game], limit: SEARCHED }
  let previous = new Set<string>()
  for (let from: string | undefined, skip = 0; ; ) {
    const documents = await views.find({ ...find, ...(from === undefined ? {} : { from }), skip })
    for (const document of documents) if (!previous.has(document.id)) yield asFolded<Player>(document)
    const last = documents.at(-1)
    if (last === undefined || documents.length < SEARCHED) return
    await slices.yieldIfDue()
    const { created } = asFolded<Player>(last).state
    // A whole page has the same creation time: only an offset can continue.
    skip = created === from ? skip + SEARCHED : 0
    from = created
    previous = new Set(documents.map(({ id }) => id))
  }
}

/** Players whose ban has ended according to the view, the longest overdue first. */
export function dueBans(deps: QueryDeps, nowMs: number): AsyncIterable<Folded<Player>> {
  // The end is inclusive, the bound is not.
  return eachOf(deps, { index: 'due', until: new Date(nowMs + 1).toISOString() })
}

/** Players deleted at or after a time (ISO 8601), or all deleted ones. */
export function deletedPlayers(deps: QueryDeps, since: string | null): AsyncIterable<Folded<Player> & Deleted> {
  return eachOf<Deleted>(deps, { index: 'deleted', ...(since === null ? {} : { from: since }) })
}

interface Deleted {
  readonly deletedAt: string
}

async function* eachOf<More = unknown>(
  { views, viewKey }: QueryDeps,
  bounds: Pick<Find, 'index' | 'from' | 'until'>,
): AsyncIterable<Folded<Player> & More> {
  const find = { view: viewKey('players'), collection: 'players', equal: [], ...bounds }
  // Read all before yielding the first: handling one removes it from the index.
  const found: (Folded<Player> & More)[] = []
  for (let skip = 0; skip === found.length; skip += PAGE) {
    const documents = await views.find({ ...find, skip, limit: PAGE })
    for (const { body } of documents) found.push(unsafeCast(body))
  }
  yield* found
}

export function playerAnswer(id: string, { name, created, guest, externalId, banned }: Player) {
  const ban = banned === null ? null : { since: banned.since, until: banned.until, reason: banned.reason }
  return { id, name, created, guest, external_id: externalId, banned: ban }
}

export function ownAnswer(id: string, { name, created, guest }: Player) {
  return { id, name, created, guest }
}
