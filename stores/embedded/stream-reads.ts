// Reads streams: the log's index finds the events, and the heads of streams and the events themselves show that these
// are right. So nobody decides on a stream of which a damaged index found a part.

import type { StoredEvent } from '../../domain/event.ts'
import { lru } from '../../runtime/lru.ts'
import { StoreUnavailable } from '../contract/faults.ts'
import type { LogIndex } from './log-index.ts'
import type { LogReader } from './log-reader.ts'
import type { LogTail } from './log-tail.ts'
import type { StreamHeads } from './stream-heads.ts'

/** The stream has a revision twice, or lacks one. The message says what the operator should do. */
class StreamFaulty extends StoreUnavailable {
  constructor(stream: string) {
    super(
      `Stream ${stream} of the log has a revision twice, or lacks one. Run \`scorebook verify\`; \`scorebook history repair\` repairs it.`,
    )
    this.name = 'StreamFaulty'
  }
}

export interface StreamReads {
  /**
   * The last revision of a stream among durable events; -1 if there is none. `isMade`: its random id was made for the
   * append that asks, so the index need not confirm that there is none.
   */
  lastRevision(stream: string, isMade?: boolean): number
  /**
   * Durable events from a revision on, in order. Throws StoreUnavailable if the index is damaged: then the process
   * should stop, and the next start builds it again. Throws StreamFaulty if the log itself is wrong.
   */
  read(stream: string, from: number, limit: number): StoredEvent[]
}

interface StreamReadsParts {
  readonly heads: StreamHeads
  /** Called when the heads lack a stream of the log. Returns the error to throw: the process should stop then. */
  readonly reportIncompleteHeads: () => Error
  readonly index: Pick<LogIndex, 'ofStream' | 'reportDamage'>
  readonly tail: LogTail
  readonly reader: Pick<LogReader, 'placeAt' | 'revisionsOf'>
}

/**
 * Streams of which it is known that the log itself has a gap or a duplicate. The least recently read are looked up
 * again.
 */
const MAX_FAULTY_STREAMS = 1_024

export function createStreamReads({
  heads,
  reportIncompleteHeads,
  index,
  tail,
  reader,
}: StreamReadsParts): StreamReads {
  const faulty = lru<string, StreamFaulty>(MAX_FAULTY_STREAMS)

  /** `last`: what `heads` has for the stream. */
  function revisionOf(stream: string, last: number): number {
    const place = reader.placeAt(last)
    return place?.stream === stream ? place.revision : -1
  }

  /**
   * The sequence number of the stream's last event; null if there is no such stream, which the index confirms: else a
   * head that is missing from a file with the right checksum would let a revision be appended twice.
   */
  function lastOf(stream: string): number | null {
    const last = heads.sequenceOf(stream)
    if (last === null && tail.at(index.ofStream(stream, 0, 1))[0]?.stream === stream) throw reportIncompleteHeads()
    return last
  }

  function lastRevision(stream: string, isMade = false): number {
    const last = isMade ? heads.sequenceOf(stream) : lastOf(stream)
    return last === null ? -1 : revisionOf(stream, last)
  }

  function read(stream: string, from: number, limit: number): StoredEvent[] {
    const last = lastOf(stream)
    if (last === null) return []
    const found = index.ofStream(stream, from, limit)
    const events = tail.at(found)
    const isRight = events.every((event, nth) => event.stream === stream && event.revision === from + nth)
    const isWhole = found.length === limit || found.at(-1) === last
    if (isRight && events.length === found.length && isWhole) return events
    if (found.length === 0 && revisionOf(stream, last) < from) return []
    throw faultOf(stream)
  }

  /** Whether the index contradicts the log, or the log itself has a gap or a duplicate. */
  function faultOf(stream: string): Error {
    const known = faulty.get(stream)
    if (known !== undefined) return known
    if (reader.revisionsOf(stream).every((revision, nth) => revision === nth))
      return index.reportDamage('it lacks events of a stream, or has others')
    const fault = new StreamFaulty(stream)
    faulty.set(stream, fault)
    return fault
  }

  return { lastRevision, read }
}
