// The part of the log's index that is not in its file yet, in memory: batches of consecutive events. The first one is
// written to the file and then dropped as a whole.

import type { TimeRange } from '../contract/history.ts'
import type { IndexedEvent } from './log-schema.ts'
import { addTime, type TimeBlock } from './time-blocks.ts'

/** Events in log order. */
export class UnwrittenIndex {
  /** Events of a full batch. */
  readonly batchSize: number
  readonly #batches: UnwrittenBatch[] = []
  #size = 0

  constructor(batchSize: number) {
    this.batchSize = batchSize
  }

  get size(): number {
    return this.#size
  }

  /** The events of the first batch; none if nothing is unwritten. Fewer than `batchSize` if it is also the last one. */
  get firstBatch(): readonly IndexedEvent[] {
    return this.#batches[0]?.events ?? []
  }

  add(events: readonly IndexedEvent[]): void {
    for (const event of events) {
      let last = this.#batches.at(-1)
      if (last === undefined || last.events.length >= this.batchSize) {
        last = new UnwrittenBatch()
        this.#batches.push(last)
      }
      last.add(event)
    }
    this.#size += events.length
  }

  dropFirstBatch(): void {
    this.#size -= this.#batches.shift()?.events.length ?? 0
  }

  ofStream(stream: string, from: number, limit: number): number[] {
    return this.#collect(limit, (batch, left) => batch.ofStream(stream, from, left))
  }

  ofFilter(name: string, after: number, limit: number): number[] {
    return this.#collect(limit, (batch, left) => batch.ofFilter(name, after, left))
  }

  /** The latest time of its events; '' if it has none. */
  get newestTime(): string {
    let newest = ''
    for (const { blocks } of this.#batches) for (const { latest } of blocks) if (latest > newest) newest = latest
    return newest
  }

  /** Like `LogIndexFile.skip`; `after` itself if the event after it is not here. */
  skip(after: number, times: TimeRange): number {
    let reached = after
    for (const { blocks } of this.#batches) {
      for (const block of blocks) {
        if (block.last <= reached) continue
        if (block.first > reached + 1 || mayHaveTimesIn(block, times)) return reached
        reached = block.last
      }
    }
    return reached
  }

  #collect(limit: number, read: (batch: UnwrittenBatch, left: number) => readonly number[]): number[] {
    let found: number[] = []
    for (const batch of this.#batches) {
      if (found.length >= limit) break
      found = found.concat(read(batch, limit - found.length))
    }
    return found
  }
}

const mayHaveTimesIn = ({ earliest, latest }: TimeBlock, { since, until }: TimeRange): boolean =>
  (since === null || latest >= since) && (until === null || earliest < until)

interface UnwrittenStream {
  /** The revision of the first event; the others follow without gaps. */
  readonly firstRevision: number
  readonly sequences: number[]
}

class UnwrittenBatch {
  readonly events: IndexedEvent[] = []
  readonly blocks: TimeBlock[] = []
  readonly #streams = new Map<string, UnwrittenStream>()
  readonly #filters = new Map<string, number[]>()

  add(event: IndexedEvent): void {
    const { sequence, stream, revision, filters } = event
    this.events.push(event)
    addTime(this.blocks, event)
    const known = this.#streams.get(stream)
    if (known === undefined) this.#streams.set(stream, { firstRevision: revision, sequences: [sequence] })
    else known.sequences.push(sequence)
    for (const filter of filters) {
      const sequences = this.#filters.get(filter)
      if (sequences === undefined) this.#filters.set(filter, [sequence])
      else sequences.push(sequence)
    }
  }

  ofStream(stream: string, from: number, limit: number): readonly number[] {
    const known = this.#streams.get(stream)
    if (known === undefined) return []
    const start = Math.max(0, from - known.firstRevision)
    return known.sequences.slice(start, start + limit)
  }

  ofFilter(name: string, after: number, limit: number): readonly number[] {
    const sequences = this.#filters.get(name)
    if (sequences === undefined) return []
    const start = countThrough(sequences, after)
    return sequences.slice(start, start + limit)
  }
}

/** How many of the ascending numbers are at most `last`, by binary search. */
function countThrough(sequences: readonly number[], last: number): number {
  let [low, high] = [0, sequences.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sequences[middle] ?? 0) <= last) low = middle + 1
    else high = middle
  }
  return low
}
