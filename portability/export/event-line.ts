// Converts an event to a line of an export, and back.

import { type StoredEvent, unsafeCast } from '../../domain/event.ts'
import { depthFault, faultsOf, objectIn } from './event-check.ts'
import { ArchiveFault } from './manifest.ts'

/** The beginning of a line: the position, which differs from log to log. */
const headOf = (position: string): string => `{"position":${JSON.stringify(position)},`

/** The rest of a line that `eventLine` wrote, without parsing; undefined content for other lines. */
export const restOf = (line: Buffer, { position }: StoredEvent): Buffer => line.subarray(headOf(position).length)

/** What `restOf` gives for the line of this event. */
export const restText = (event: StoredEvent): string => `${eventText(event).slice(1)}\n`

/** Without the position. */
export function eventText({ stream, revision, id, type, data, meta }: Omit<StoredEvent, 'position'>): string {
  return JSON.stringify({ stream, revision, id, type, time: meta.time, data, meta })
}

/** The same line as in a game's history over HTTP, with its newline. */
export function eventLine({ position, stream, revision, id, type, data, meta }: StoredEvent): string {
  return `${JSON.stringify({ position, stream, revision, id, type, time: meta.time, data, meta })}\n`
}

/** Throws ArchiveFault if the line is not an event; `at` names the line in the message. */
export function parseEvent(line: string, at: () => string): StoredEvent {
  const found = objectIn(line)
  if (found === null) throw new ArchiveFault(`${at()} is not an event: it is not a JSON object.`)
  const faults = faultsOf(found)
  if (faults.length > 0) throw new ArchiveFault(`${at()} is not an event: it has no valid ${faults.join(', ')}.`)
  const event = unsafeCast<StoredEvent>(found)
  const fault = depthFault(event)
  if (fault !== null) throw new ArchiveFault(`${at()} ${fault}`)
  if (event.meta.time !== found.time) throw new ArchiveFault(`${at()} is not an event: its meta has another time.`)
  return eventIn(event)
}

/** Parses a line that was validated before. */
export const parseAgain = (line: string): StoredEvent => eventIn(JSON.parse(line))

function eventIn({ position, stream, revision, id, type, data, meta }: StoredEvent): StoredEvent {
  return { position, stream, revision, id, type, data, meta }
}
