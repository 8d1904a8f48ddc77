// What a read or a subscription asks for, in the server's own terms.

import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js'
import type { EventForm } from './frames.ts'
import { streamName } from './proto-values.ts'
import type { LogRecord } from './record.ts'

export type From = 'start' | 'end' | number

export interface ReadRequest {
  /** Null: $all. */
  readonly stream: string | null
  /** A revision, or in $all a position. */
  readonly from: From
  readonly backwards: boolean
  /** Null where it is a subscription. */
  readonly count: number | null
  readonly filter: Filter | null
  readonly form: EventForm
}

/** Throws where the request makes no sense. */
export function readRequestOf(message: ReadReq): ReadRequest {
  const options = message.getOptions()
  if (options === undefined) throw new Error('a read without options')
  const request = {
    backwards: options.getReadDirection() === 1,
    count: options.hasSubscription() ? null : Number(options.getCount()),
    filter: filterOf(options),
    form: { resolveLinks: options.getResolveLinks(), structuredIds: options.getUuidOption()?.hasStructured() ?? false },
  }
  const ofStream = options.getStream()
  if (ofStream !== undefined) {
    const stream = streamName(ofStream.getStreamIdentifier())
    if (stream === null) throw new Error('a read of a stream without a name')
    const from = ofStream.hasStart() ? 'start' : ofStream.hasEnd() ? 'end' : Number(ofStream.getRevision())
    return { ...request, stream, from }
  }
  const ofAll = options.getAll()
  if (ofAll === undefined) throw new Error('a read of neither a stream nor $all')
  return { ...request, stream: null, from: allFrom(ofAll) }
}

function allFrom(ofAll: ReadReq.Options.AllOptions): From {
  if (ofAll.hasStart()) return 'start'
  const position = ofAll.getPosition()
  if (position === undefined) return 'end'
  const commit = Number(position.getCommitPosition())
  if (commit < Number(position.getPreparePosition()))
    throw new Error('a position whose commit comes before its prepare')
  return commit
}

export interface Filter {
  readonly matches: (record: LogRecord) => boolean
  /** Records scanned between two checkpoints. */
  readonly checkpointEvery: number
}

/** The window if a filter names none. */
const WINDOW = 32

/** Null if there is no filter. Throws if the expression is invalid. */
export function filterOf(options: ReadReq.Options): Filter | null {
  const filter = options.getFilter()
  if (filter === undefined) return null
  const window = filter.hasMax() ? filter.getMax() : WINDOW
  const checkpointEvery = window * filter.getCheckpointintervalmultiplier()
  const byStream = filter.getStreamIdentifier()
  const byType = filter.getEventType()
  if (byStream !== undefined) {
    const matches = matcherOf(byStream)
    return { matches: (record) => matches(record.stream), checkpointEvery }
  }
  if (byType === undefined) throw new Error('a filter names neither streams nor types')
  const matches = matcherOf(byType)
  return { matches: (record) => matches(record.type), checkpointEvery }
}

function matcherOf(expression: ReadReq.Options.FilterOptions.Expression): (text: string) => boolean {
  const prefixes = expression.getPrefixList()
  if (prefixes.length > 0) return (text) => prefixes.some((prefix) => text.startsWith(prefix))
  const regex = new RegExp(expression.getRegex())
  return (text) => regex.test(text)
}
