// Times as several nodes stamp them, whose clocks differ and jump, and a comparison of queries for a range of times
// with a filter over all events.

import { expect } from 'chai'
import type { StoredEvent } from '../../domain/event.ts'
import { type EventsDeps, type EventsQuery, eventPages } from '../../queries/events.ts'
import type { Random } from '../random.ts'

const NODES = 3
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const START_MS = Date.UTC(2026, 0, 1)

const isoOf = (ms: number): string => new Date(ms).toISOString()

/**
 * Ascends by up to 2 s; nodes differ by up to 3 s. Sometimes a clock is set, by hours, or wrong for one event, by a
 * year.
 */
export function unevenTimes(random: Random): () => string {
  let nowMs = START_MS
  const offsets = Array.from({ length: NODES }, () => random.below(3_000))
  return () => {
    nowMs += random.below(2_000)
    const node = random.below(NODES)
    if (random.chance(0.001)) offsets[node] = random.below(6 * HOUR_MS) - 3 * HOUR_MS
    const wrongMs = random.chance(0.001) ? random.pick([-365, 365]) * DAY_MS : 0
    return isoOf(nowMs + (offsets[node] ?? 0) + wrongMs)
  }
}

export const everyEvent = (game: string): EventsQuery => ({
  ...{ game, board: null, player: null, type: null, request: null, since: null, until: null, after: null },
  ...{ limit: Number.POSITIVE_INFINITY, follow: false },
})

/** Compares random queries for events of g1, which all are complete. Board b1 has some of them. */
export async function expectExact(
  deps: EventsDeps,
  all: readonly StoredEvent[],
  random: Random,
  queries: number,
): Promise<void> {
  const anyTime = () => isoOf(Date.parse(random.pick(all).meta.time) + random.pick([-60_000, -1, 0, 0, 1, 60_000]))
  for (let n = 0; n < queries; n += 1) {
    const query: EventsQuery = {
      ...everyEvent('g1'),
      since: random.chance(0.8) ? anyTime() : null,
      until: random.chance(0.5) ? anyTime() : null,
      board: random.chance(0.3) ? 'b1' : null,
      after: random.chance(0.3) ? random.pick(all).position : null,
      limit: random.chance(0.3) ? 1 + random.below(300) : Number.POSITIVE_INFINITY,
    }
    const expected = all.filter((event) => isAskedFor(event, query)).slice(0, query.limit)
    const found = await positionsOf(deps, query)
    // As text: chai takes long to compare long lists.
    expect(found.join(), JSON.stringify(query)).to.equal(expected.map(({ position }) => position).join())
  }
}

/** Compares queries for the millisecond of the first and of the last time in each block of so many events. */
export async function expectExactAtEdges(deps: EventsDeps, all: readonly StoredEvent[], size: number): Promise<void> {
  for (let start = 0; start < all.length; start += size) {
    const times = all.slice(start, start + size).flatMap(({ meta }) => (meta.game === 'g1' ? [meta.time] : []))
    const sorted = times.sort()
    for (const since of [sorted[0], sorted.at(-1)]) {
      if (since === undefined) continue
      const query = { ...everyEvent('g1'), since, until: isoOf(Date.parse(since) + 1) }
      const expected = all.filter((event) => isAskedFor(event, query)).map(({ position }) => position)
      expect(await positionsOf(deps, query), since).to.deep.equal(expected)
    }
  }
}

function isAskedFor({ position, meta }: StoredEvent, { game, board, after, since, until }: EventsQuery): boolean {
  if (meta.game !== game || (board !== null && meta.board !== board)) return false
  if (after !== null && position <= after) return false
  return (since === null || meta.time >= since) && (until === null || meta.time < until)
}

export async function positionsOf(deps: EventsDeps, query: EventsQuery): Promise<string[]> {
  const found: string[] = []
  for await (const { events } of eventPages(deps, query, new AbortController().signal)) {
    found.push(...events.map(({ position }) => position))
  }
  return found
}

/** The same dependencies, and the number of events that their history has answered. */
export function countingReads(deps: EventsDeps): { readonly deps: EventsDeps; read: number } {
  const counted = {
    read: 0,
    deps: {
      ...deps,
      history: {
        ...deps.history,
        part: async (...args: Parameters<EventsDeps['history']['part']>) => {
          const events = await deps.history.part(...args)
          counted.read += events.length
          return events
        },
      },
    },
  }
  return counted
}
