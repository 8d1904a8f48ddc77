// The part of the log's index that is not in its file yet, in memory.

import type { IndexedEvent } from './indexed-event.ts'

interface UnwrittenStream {
  /** The revision of the first event; the others follow without gaps. */
  firstRevision: number
  readonly sequences: number[]
}

/** Events in log order. */
export class UnwrittenIndex {
  #events: IndexedEvent[] = []
  readonly #streams = new Map<string, UnwrittenStream>()
  readonly #filters = new Map<string, number[]>()

  get size(): number {
    return this.#events.length
  }

  add(events: readonly IndexedEvent[]): void {
    for (const event of events) {
      const { sequence, stream, revision, filters } = event
      this.#events.push(event)
      const known = this.#streams.get(stream)
      if (known === undefined) this.#streams.set(stream, { firstRevision: revision, sequences: [sequence] })
      else known.sequences.push(sequence)
      for (const filter of filters) {
        const sequences = this.#filters.get(filter)
        if (sequences === undefined) this.#filters.set(filter, [sequence])
        else sequences.push(sequence)
      }
    }
  }

  first(count: number): readonly IndexedEvent[] {
    return this.#events.slice(0, count)
  }

  /** Removes the first events. */
  drop(count: number): void {
    const dropped = this.#events.slice(0, count)
    this.#events = this.#events.slice(count)
    const last = dropped.at(-1)?.sequence ?? 0
    for (const stream of new Set(dropped.map((event) => event.stream))) {
      const known = this.#streams.get(stream)
      if (known === undefined) continue
      known.firstRevision += dropThrough(known.sequences, last)
      if (known.sequences.length === 0) this.#streams.delete(stream)
    }
    for (const filter of new Set(dropped.flatMap(({ filters }) => filters))) {
      const sequences = this.#filters.get(filter) ?? []
      dropThrough(sequences, last)
      if (sequences.length === 0) this.#filters.delete(filter)
    }
  }

  /** Null if it has no event of the stream. */
  lastRevision(stream: string): number | null {
    const known = this.#streams.get(stream)
    return known === undefined ? null : known.firstRevision + known.sequences.length - 1
  }

  ofStream(stream: string, from: number, limit: number): readonly number[] {
    const known = this.#streams.get(stream)
    if (known === undefined || limit <= 0) return []
    const start = Math.max(0, from - known.firstRevision)
    return known.sequences.slice(start, start + limit)
  }

  ofFilter(name: string, after: number, limit: number): readonly number[] {
    const sequences = this.#filters.get(name)
    if (sequences === undefined || limit <= 0) return []
    const start = countThrough(sequences, after)
    return sequences.slice(start, start + limit)
  }
}

/** Removes the ascending numbers up to `last`, and returns how many there were. */
function dropThrough(sequences: number[], last: number): number {
  return sequences.splice(0, countThrough(sequences, last)).length
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
