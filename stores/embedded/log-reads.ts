// The reads of the embedded log: the index finds sequence numbers, and the events come from memory or from the file.

import type { Position, StoredEvent } from '../../domain/event.ts'
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
import type { StreamReads } from './stream-reads.ts'

export function createReads(
  streams: StreamReads,
  tail: LogTail,
  writer: Pick<LogWriter, 'cacheLastRevision' | 'cachedRevision'>,
): Pick<Log, 'readStream' | 'readAll' | 'eventAt' | 'head' | 'subscribe'> {
  return {
    async readStream(stream, from, limit) {
      const [first, maxEvents] = [requireRevision(from), requireLimit(limit)]
      if (hasNul(stream)) return []
      if ((writer.cachedRevision(stream) ?? first) < first) return []
      const events = streams.read(stream, first, maxEvents)
      // Fewer events than the limit: the last one is the stream's last. Synchronous, so that no append comes between.
      const reachesEnd = events.length > 0 && events.length < maxEvents
      if (reachesEnd) writer.cacheLastRevision(stream, first + events.length - 1)
      return events
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
  readonly index: Pick<LogIndex, 'ofFilter' | 'nthOfFilter' | 'skip' | 'reportDamage'>
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
    async part(filter, after, limit) {
      const sequences = found(filter, after, limit)
      const events = tail.at(sequences)
      const isOfFilter = ({ meta }: StoredEvent) =>
        'game' in filter ? meta.game === filter.game : meta.board === filter.board
      if (events.length === sequences.length && events.every(isOfFilter)) return events
      throw index.reportDamage('it has events of another game or board')
    },
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
