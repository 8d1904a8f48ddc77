// Folds a past board in this process from events in memory. Measures the memory of its entries, and the longest block
// of the event loop while it is folded, ranked and sorted by time.

import { readFileSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import type { StoredEvent } from '../domain/event.ts'
import { Times } from '../queries/past/times.ts'
import { BoardFold } from '../ranking/board-fold/board-fold.ts'
import { TimeSlices } from '../runtime/time-slices.ts'
import { positionOf } from '../stores/embedded/log-schema.ts'
import { numbers, playerId, RULES, submitted } from './support/events.ts'
import { memoryInUse } from './support/memory.ts'
import type { BenchRow } from './support/row.ts'

const BOARD = { game: 'g', board: 'b' }
const PAGE = 250
const SCORES = 10_000_000
const GOAL_BYTES = 100
const GOAL_PAUSE_MS = 10

export async function foldRows(entries: number): Promise<BenchRow[]> {
  const random = numbers(1)
  const slices = new TimeSlices(new AbortController().signal)
  const fold = new BoardFold(RULES)
  const before = memoryInUse()
  for (let n = 0; n < entries; n += PAGE) {
    const page = Array.from({ length: PAGE }, (_, at) => eventOf(n + at, random(SCORES)))
    for (const event of page) fold.take(event, event.meta.player ?? '')
    await setImmediate()
  }
  const ranking = watchTurns()
  await slices.all(fold.rank())
  const ranked = await ranking.end()
  const bytes = (memoryInUse() - before) / entries
  const ordering = watchTurns()
  await Times.of(fold, slices)
  const ordered = await ordering.end()
  const shown = entries.toLocaleString('en')
  return [
    {
      what: `as_of, memory per entry of ${shown}`,
      limit: `${GOAL_BYTES} bytes`,
      ours: `${bytes.toFixed(1)} bytes`,
      ratio: (bytes / GOAL_BYTES).toFixed(2),
      goal: `≤ ${GOAL_BYTES} bytes`,
      met: bytes <= GOAL_BYTES,
    },
    pauseRow(`as_of, longest slice while ${shown} are ranked`, ranked),
    pauseRow(`as_of, longest slice while ${shown} are put in order of time`, ordered),
  ]
}

function eventOf(n: number, score: number): StoredEvent {
  const { stream, event } = submitted(BOARD, playerId(n), score, 0, n)
  return { ...event, stream, revision: 0, position: positionOf(n + 1) }
}

/** Maximum processor time of one turn of the event loop in milliseconds, independent of other load on the machine. */
function watchTurns(): { end(): Promise<number> } {
  let isOver = false
  let longest = 0
  const watching = (async () => {
    for (let last = usedMs(); !isOver; ) {
      await setImmediate()
      const now = usedMs()
      longest = Math.max(longest, now - last)
      last = now
    }
  })()
  return {
    end: async () => {
      isOver = true
      await watching
      return longest
    },
  }
}

/** Processor time of the main thread. Garbage collection and compilation on other threads do not block it. */
function usedMs(): number {
  const [nanoseconds] = readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ')
  return Number(nanoseconds) / 1e6
}

function pauseRow(what: string, pauseMs: number): BenchRow {
  return {
    what,
    limit: `${GOAL_PAUSE_MS} ms`,
    ours: `${pauseMs.toFixed(1)} ms`,
    ratio: (pauseMs / GOAL_PAUSE_MS).toFixed(2),
    goal: `≤ ${GOAL_PAUSE_MS} ms`,
    met: pauseMs <= GOAL_PAUSE_MS,
  }
}
