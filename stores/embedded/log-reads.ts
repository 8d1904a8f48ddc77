// The reads of the embedded log: the index finds sequence numbers, and the events come from memory or from the file.

import type { Position } from '../../domain/event.ts'
import type { History, HistoryFilter } from '../contract/history.ts'
import type { Log } from '../contract/log.ts'
import { requireLimit, requireRevision } from '../support/read-range.ts'
import { hasNul } from '../support/storable.ts'
import { boardName, gameName } from './indexed-event.ts'
import type { LogIndex } from './log-index.ts'
import { parsePosition, positionOf, requirePosition } from './log-position.ts'
import type { LogReader } from './log-reader.ts'
import type { LogTail } from './log-tail.ts'
import type { LogWriter } from './log-writer.ts'

export function createReads(
  index: Pick<LogIndex, 'ofStream'>,
  tail: LogTail,
  writer: Pick<LogWriter, 'cacheLastRevision'>,
): Pick<Log, 'readStream' | 'readAll' | 'eventAt' | 'head' | 'subscribe'> {
  return {
    async readStream(stream, from, limit) {
      const [first, maxEvents] = [requireRevision(from), requireLimit(limit)]
      if (hasNul(stream)) return []
      const sequences = index.ofStream(stream, first, maxEvents)
      // Fewer events than the limit: the last one is the stream's last. Synchronous, so that no append comes between.
      const reachesEnd = sequences.length > 0 && sequences.length < maxEvents
      if (reachesEnd) writer.cacheLastRevision(stream, first + sequences.length - 1)
      return tail.at(sequences)
    },
    readAll: async (after, limit) => tail.after(requirePosition(after), requireLimit(limit)),
    async eventAt(position) {
      const sequence = parsePosition(position)
      if (sequence === undefined || sequence < 1 || sequence > tail.head) return null
      return tail.at([sequence])[0] ?? null
    },
    head: async () => (tail.head === 0 ? null : positionOf(tail.head)),
    subscribe: (after, limit, signal) => tail.subscribe(after, limit, signal),
  }
}

interface HistoryParts {
  readonly index: Pick<LogIndex, 'ofFilter' | 'nthOfFilter' | 'skip'>
  readonly reader: Pick<LogReader, 'briefAt'>
  readonly tail: LogTail
}

export function createHistory({ index, reader, tail }: HistoryParts): History {
  const found = (filter: HistoryFilter, after: Position | null, limit: number): number[] => {
    const [from, maxEvents] = [requirePosition(after), requireLimit(limit)]
    const name = nameOf(filter)
    return name === null ? [] : index.ofFilter(name, from, maxEvents)
  }
  return {
    part: async (filter, after, limit) => tail.at(found(filter, after, limit)),
    async skip(_game, { after, upTo }, times) {
      const [from, end] = [requirePosition(after), requirePosition(upTo)]
      const skipped = Math.min(index.skip(from, times), end)
      return skipped > from ? positionOf(skipped) : after
    },
    brief: async (filter, after, limit) => reader.briefAt(found(filter, after, limit)),
    async nth(filter, after, count) {
      const [from, nth] = [requirePosition(after), requireLimit(count)]
      const name = nameOf(filter)
      const sequence = name === null ? null : index.nthOfFilter(name, from, nth)
      return sequence === null ? null : (tail.at([sequence])[0] ?? null)
    },
  }
}

/** The name in the index; null if no game or board can have this id. */
function nameOf(filter: HistoryFilter): string | null {
  const name = 'game' in filter ? gameName(filter.game) : boardName(filter.board)
  return hasNul(name) ? null : name
}
