// The history of a game or board, read from the history view (projections/history.ts) if the log store has no such
// index.

import { type Position, type StoredEvent, unsafeCast } from '../domain/event.ts'
import { yieldToEventLoop } from '../runtime/yield-to-event-loop.ts'
import type { History, HistoryFilter, PositionRange, TimeRange } from '../stores/contract/history.ts'
import type { Views } from '../stores/contract/views.ts'
import { blockOf, mayHaveTimesIn, type TimesOfBlock } from '../stores/support/game-blocks.ts'

/** Blocks of the zone map that are read at once. */
const BLOCKS_AT_ONCE = 100
/** Events of a block that are read at once, from its end on. */
const EVENTS_AT_ONCE = 250
/** Sorts after every position that begins with the text before it. */
const LAST = '~'

/** `view` is the view's key, `name@version`. */
export function historyInViews(views: Views, view: string): History {
  async function read(filter: HistoryFilter, after: Position | null, skip: number, limit: number) {
    const [index, value] = 'game' in filter ? ['game', filter.game] : ['board', filter.board]
    const bound = after === null ? {} : { after }
    const documents = await views.find({ view, collection: 'events', index, equal: [value], ...bound, skip, limit })
    return documents.map(({ body }) => unsafeCast<StoredEvent>(body.event))
  }

  async function skip(game: string, { after, upTo }: PositionRange, times: TimeRange): Promise<Position | null> {
    if (after !== null && after >= upTo) return after
    const from = after === null ? {} : { from: blockOf(after) }
    const limit = BLOCKS_AT_ONCE
    const documents = await views.find({ view, collection: 'times', index: 'game', equal: [game], ...from, limit })
    const blocks = documents.map(({ body }) => unsafeCast<TimesOfBlock>(body))
    // If there may be more blocks, the last one is examined by the next call.
    const next = blocks.find((one) => mayHaveTimesIn(one, times)) ?? blocks[limit - 1]
    if (next === undefined || next.block > upTo) return upTo
    if (after !== null && next.block <= after) return after
    return (await lastBefore(game, after, next.block)) ?? after
  }

  /** The position of the last event before a block. */
  async function lastBefore(game: string, after: Position | null, block: string): Promise<Position | null> {
    const bound = { ...(after !== null && { after }), until: block, reverse: true, limit: 1 }
    const [last] = await views.find({ view, collection: 'events', index: 'game', equal: [game], ...bound })
    return last === undefined ? null : unsafeCast<StoredEvent>(last.body.event).position
  }

  return {
    async part(filter, after, limit) {
      if (limit < 1) throw new RangeError(`A limit must be at least 1, not ${limit}`)
      return read(filter, after, 0, limit)
    },
    skip,
    lastBy: (...args) => lastBy({ views, view }, ...args),
    async nth(filter, after, count) {
      if (count < 1) throw new RangeError(`A count must be at least 1, not ${count}`)
      return (await read(filter, after, count - 1, 1))[0] ?? null
    },
  }
}

interface ViewOfHistory {
  readonly views: Pick<Views, 'find'>
  readonly view: string
}

/** As `History.lastBy`. */
async function lastBy(
  { views, view }: ViewOfHistory,
  game: string,
  { after, upTo }: PositionRange,
  instant: string,
): Promise<Position | null> {
  const from = after === null ? {} : { from: blockOf(after) }
  const times = { since: null, until: instant }
  for (let until = upTo + LAST; ; ) {
    const bounds = { ...from, until, reverse: true, limit: BLOCKS_AT_ONCE }
    const documents = await views.find({ view, collection: 'times', index: 'game', equal: [game], ...bounds })
    const blocks = documents.map(({ body }) => unsafeCast<TimesOfBlock>(body))
    for (const one of blocks) {
      const found = mayHaveTimesIn(one, times)
        ? await lastIn({ views, view, game, block: blockOf(one.block) }, { after, upTo }, instant)
        : null
      if (found !== null) return found
    }
    const last = blocks.at(-1)
    if (last === undefined || blocks.length < BLOCKS_AT_ONCE) return null
    until = last.block
    await yieldToEventLoop()
  }
}

/** As `lastBy`, of the events of a block. */
async function lastIn(
  { views, view, game, block }: ViewOfHistory & { readonly game: string; readonly block: string },
  { after, upTo }: PositionRange,
  instant: string,
): Promise<Position | null> {
  const from = after !== null && after > block ? { after } : { from: block }
  for (let until = upTo.startsWith(block) ? upTo + LAST : block + LAST; ; ) {
    const bounds = { ...from, until, reverse: true, limit: EVENTS_AT_ONCE }
    const documents = await views.find({ view, collection: 'events', index: 'game', equal: [game], ...bounds })
    const events = documents.map(({ body }) => unsafeCast<StoredEvent>(body.event))
    const found = events.find(({ meta }) => meta.time <= instant)
    if (found !== undefined) return found.position
    const last = events.at(-1)
    if (last === undefined || events.length < EVENTS_AT_ONCE) return null
    until = last.position
  }
}
