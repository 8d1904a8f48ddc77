// The log in memory, for simulations: passes the same contract, without clock and I/O; appends are visible at once.

import type { NewEvent, Position, StoredEvent } from '../../domain/event.ts'
import type { BriefEvent, History, HistoryFilter, PositionRange, TimeRange } from '../../stores/contract/history.ts'
import type { AppendResult, Expected, Log } from '../../stores/contract/log.ts'
import { positionOf } from '../../stores/embedded/log-schema.ts'
import { createWakeups } from '../../stores/embedded/log-tail.ts'
import { checkAppend, requireLimit, requireRevision } from '../../stores/support/log-arguments.ts'

/** `stride`: the distance between two positions, as in a log whose positions count bytes. */
export function createMemoryLog(stride = 1): Log & History {
  const events: StoredEvent[] = []
  const streams = new Map<string, StoredEvent[]>()
  const wakeups = createWakeups()
  let isClosed = false

  async function append(stream: string, expected: Expected, added: readonly NewEvent[]): Promise<AppendResult> {
    const { base } = checkAppend(stream, expected, added)
    const present = streams.get(stream) ?? []
    if (present.length - 1 !== base) return repeated(present.slice(base + 1, base + 1 + added.length), added)
    const stored = added.map((event, index) => {
      // A copy, as if read from a file.
      const { id, type, data, meta }: NewEvent = JSON.parse(JSON.stringify(event))
      const position = positionAt(events.length + 1 + index)
      return { id, type, data, meta, stream, revision: base + 1 + index, position }
    })
    events.push(...stored)
    streams.set(stream, [...present, ...stored])
    wakeups.wake()
    return { kind: 'appended', revision: base + added.length, position: positionAt(events.length) }
  }

  function part(filter: HistoryFilter, after: Position | null, limit: number): StoredEvent[] {
    const isOfIt = ({ meta }: StoredEvent) =>
      'game' in filter ? meta.game === filter.game : meta.board === filter.board
    return events.slice(indexAfter(after)).filter(isOfIt).slice(0, requireLimit(limit))
  }

  function skip(game: string, { after, upTo }: PositionRange, { since, until }: TimeRange): Position | null {
    const isIn = ({ meta: { game: own, time } }: StoredEvent) =>
      own === game && (since === null || time >= since) && (until === null || time < until)
    const [from, end] = [indexAfter(after), indexAfter(upTo)]
    const found = events.findIndex((event, index) => index >= from && (index >= end || isIn(event)))
    const before = found === -1 ? end : Math.min(found, end)
    return before <= from ? after : positionAt(before)
  }

  /** The position of the n-th event, from 1. */
  const positionAt = (n: number): Position => positionOf(n * stride)

  /** Number of events up to a position, which is the index of the next one. */
  function indexAfter(after: Position | null): number {
    return after === null ? 0 : Math.floor(Number.parseInt(after, 16) / stride)
  }

  async function* subscribe(after: Position | null, limit: number, signal: AbortSignal) {
    let index = indexAfter(after)
    while (!signal.aborted) {
      if (isClosed) throw new Error('The log is closed')
      const batch = events.slice(index, index + requireLimit(limit))
      index += batch.length
      if (batch.length === 0) await wakeups.wait(signal)
      else yield batch
    }
  }

  return {
    append,
    readStream: async (stream, from, limit) =>
      (streams.get(stream) ?? []).slice(requireRevision(from), from + requireLimit(limit)),
    readAll: async (after, limit) => events.slice(indexAfter(after), indexAfter(after) + requireLimit(limit)),
    part: async (filter, after, limit) => part(filter, after, limit),
    brief: async (filter, after, limit) => part(filter, after, limit).map(briefly),
    skip: async (game, positions, times) => skip(game, positions, times),
    nth: async (filter, after, count) => part(filter, after, count)[count - 1] ?? null,
    eventAt: async (position) => events.find((event) => event.position === position) ?? null,
    head: async () => events.at(-1)?.position ?? null,
    subscribe,
    close: async () => {
      isClosed = true
      wakeups.wake()
    },
  }
}

const briefly = ({ type, stream, revision, position, data, meta }: StoredEvent): BriefEvent => {
  return { type, stream, revision, position, data, meta: JSON.stringify(meta) }
}

/** The result of a repeated append if the stored events are the same; else a conflict. */
function repeated(present: readonly StoredEvent[], sent: readonly NewEvent[]): AppendResult {
  const last = present.at(-1)
  if (last === undefined || present.length < sent.length) return { kind: 'conflict' }
  if (!present.every(({ id }, index) => id === sent[index]?.id)) return { kind: 'conflict' }
  return { kind: 'appended', revision: last.revision, position: last.position }
}
