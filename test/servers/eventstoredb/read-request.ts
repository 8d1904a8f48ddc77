// What a read or a subscription asks for, in the server's own terms.

import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js'
import { type Filter, filterOf } from './filters.ts'
import type { EventForm } from './frames.ts'
import { streamName } from './proto-values.ts'

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
