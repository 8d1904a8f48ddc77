// The overview of a game: counts, firsts, entries that stand out, and what people did. It is computed in the queue of
// long reads, and then answered from a cache for a while, within a number of characters.

import { hourOf } from '../../domain/activity.ts'
import type { Position } from '../../domain/event.ts'
import { lruOfSize } from '../../runtime/lru.ts'
import type { TimeSlices } from '../../runtime/time-slices.ts'
import type { QueryDeps } from '../deps.ts'
import { presentPlayers } from '../present-players.ts'
import { viewReached } from '../reached.ts'
import { rankedAnswer } from '../scores/entry.ts'
import type { ReadCaller, ReadQueue } from '../work-queue.ts'
import { actionsOf } from './actions.ts'
import { countsOfGame, mostActive } from './counts.ts'
import { type EntryOnBoard, firstsOf } from './firsts.ts'
import { unusualOf } from './unusual.ts'

/** Callers may rely on one that is at most a minute old, the time to compute it included. */
export const OVERVIEW_CACHE_MS = 30_000
export const MAX_CACHED_OVERVIEW_CHARACTERS = 8 * 2 ** 20
/** Rows of each list. */
export const LISTED = 20

export type Overview = Awaited<ReturnType<typeof computed>>

interface OverviewQuery {
  readonly game: string
  readonly nowMs: number
  /** A position that the answer must include; null: none. */
  readonly requiredPosition: Position | null
}

/** Throws 503 `rankings_filling` and `reads_busy`, and the signal's reason. */
export type Overviews = (caller: ReadCaller, query: OverviewQuery) => Promise<Overview>

interface Cached {
  readonly overview: Overview
  /** The position that all views had reached before it was computed. */
  readonly upTo: Position
  readonly characters: number
}

export function createOverviews(queries: QueryDeps, queue: ReadQueue): Overviews {
  const cache = lruOfSize<string, Cached>(MAX_CACHED_OVERVIEW_CHARACTERS, ({ characters }) => characters)

  async function known({ game, nowMs, requiredPosition }: OverviewQuery): Promise<Overview | null> {
    const found = cache.get(game)
    if (found === undefined || (requiredPosition ?? '') > found.upTo) return null
    const ageMs = nowMs - Date.parse(found.overview.at)
    // A negative age: the clock was set back.
    if (ageMs < 0 || ageMs > OVERVIEW_CACHE_MS) return null
    return (await areAllShown(queries, found.overview)) ? found.overview : null
  }

  return async (caller, query) => {
    const early = await known(query)
    if (early !== null) return early
    return queue.run(caller, 'scan', async (slices) => {
      // Of calls at once, the first one computes it for all.
      const late = await known(query)
      if (late !== null) return late
      const upTo = await reached(queries, query.game)
      const overview = await computed(queries, query, slices)
      cache.set(query.game, { overview, upTo, characters: JSON.stringify(overview).length })
      return overview
    })
  }
}

/** The position that the views of scores and of activity have reached. */
async function reached({ views, viewKey }: QueryDeps, game: string): Promise<Position> {
  const [scores, activity] = await Promise.all([
    viewReached(views, viewKey('entries'), game),
    viewReached(views, viewKey('activity'), game),
  ])
  if (scores === null || activity === null) return ''
  return scores < activity ? scores : activity
}

async function computed(queries: QueryDeps, { game, nowMs }: OverviewQuery, slices: TimeSlices) {
  const at = new Date(nowMs).toISOString()
  const hour = hourOf(at)
  const counts = await countsOfGame(queries, game, hour)
  const active = await mostActive(queries, game, hour, slices)
  const firsts = await firstsOf(queries, game, LISTED, slices)
  const unusual = await unusualOf(queries, active, { nowMs, limit: LISTED }, slices)
  return {
    at,
    ...counts,
    firsts: firsts.map(onBoard),
    unusual: unusual.map((entry) => ({ ...onBoard(entry), reason: entry.reason })),
    actions: await actionsOf(queries, game, LISTED),
  }
}

const onBoard = (entry: EntryOnBoard) => ({
  ...rankedAnswer(entry),
  leaderboard: entry.board.id,
  leaderboard_name: entry.board.state.name,
})

/** Whether all of its players are shown: one may have been banned or deleted since it was computed. */
async function areAllShown(queries: QueryDeps, { firsts, unusual }: Overview): Promise<boolean> {
  const players = [...new Set([...firsts, ...unusual].map(({ player }) => player))]
  const present = await presentPlayers(queries, queries.viewKey('entries'), players)
  return present.every(({ isShown }) => isShown)
}
