// Filters of $all: by the name of the stream or the type of the event, each by prefixes or by a regular expression.

import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js'
import type { LogRecord } from './record.ts'

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
