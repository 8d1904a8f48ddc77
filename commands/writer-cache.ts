// The writers of streams in memory: those used last, as many as fit by the calls and entries that they hold.

import { lruOfSize } from '../runtime/lru.ts'

/**
 * Streams in memory, at most. One that holds calls or entries counts as one more for each `ITEMS_AS_STREAM` of them,
 * which take about as many bytes as a short stream: some 2 KB.
 */
export const MAX_CACHED_STREAMS = 100_000
const ITEMS_AS_STREAM = 8
/** A single stream counts as this share of all at most, so that the longest is not read again for each command. */
const MAX_SHARE = 1 / 4

interface Cached {
  /** Of the aggregate. */
  readonly name: string
  readonly writer: object
  readonly weight: number
}

export interface WriterCache {
  /** The writer of a stream for an aggregate of this name, else a new one. A writer may be evicted while it works. */
  of<Writer extends object>(name: string, stream: string, make: () => Writer): Writer
  /** Counts the calls and entries that a writer holds, unless it was evicted. */
  weigh(stream: string, writer: object, items: number): void
}

/** `maxStreams`: as for `MAX_CACHED_STREAMS`. */
export function createWriterCache(maxStreams: number): WriterCache {
  const maxWeight = Math.max(1, Math.floor(maxStreams * MAX_SHARE))
  const writers = lruOfSize<string, Cached>(maxStreams, ({ weight }) => weight)
  return {
    of<Writer extends object>(name: string, stream: string, make: () => Writer) {
      const cached = writers.get(stream)
      // Equal names mean equal types.
      if (cached?.name === name) return cached.writer as Writer
      const writer = make()
      writers.set(stream, { name, writer, weight: 1 })
      return writer
    },
    weigh(stream, writer, items) {
      const cached = writers.peek(stream)
      const weight = Math.min(maxWeight, 1 + Math.floor(items / ITEMS_AS_STREAM))
      if (cached?.writer === writer && cached.weight !== weight) writers.set(stream, { ...cached, weight })
    },
  }
}
