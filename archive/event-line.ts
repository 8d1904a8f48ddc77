// An event as a line of an export, and back.

import { type StoredEvent, shaped } from '../domain/event.ts'
import { faultsOf, isObject } from './event-check.ts'
import { ArchiveFault } from './manifest.ts'

/** Without the position, which is the log's own and differs in another one. */
export function eventText({ stream, revision, id, type, data, meta }: Omit<StoredEvent, 'position'>): string {
  return JSON.stringify({ stream, revision, id, type, time: meta.time, data, meta })
}

/** As the history of a game is told over HTTP, with the end of the line. */
export function eventLine({ position, stream, revision, id, type, data, meta }: StoredEvent): string {
  return `${JSON.stringify({ position, stream, revision, id, type, time: meta.time, data, meta })}\n`
}

/** Throws ArchiveFault for what is no event; `at` says where it stands. */
export function parseEvent(line: string, at: string): StoredEvent {
  const found = parsed(line, at)
  const faults = faultsOf(found)
  if (faults.length > 0) throw new ArchiveFault(`${at} is no event: it has no proper ${faults.join(', ')}.`)
  const { position, stream, revision, id, type, data, meta } = shaped<StoredEvent>(found)
  if (meta.time !== found.time) throw new ArchiveFault(`${at} is no event: its meta is another's.`)
  return { position, stream, revision, id, type, data, meta }
}

function parsed(line: string, at: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(line)
    if (isObject(value)) return value
  } catch {
    // Said below.
  }
  throw new ArchiveFault(`${at} is no event: it is no JSON object.`)
}
