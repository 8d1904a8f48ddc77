// Converts an event to a line of an export, and back. A line is validated, whatever program wrote it: everything that
// stores and view runners rely on, in addition to what each event type requires of its data.

import { isJsonObject, isTooDeep, JSON_MAX_DEPTH, type StoredEvent, UUID, unsafeCast } from '../../domain/event.ts'
import { STREAM_PREFIXES } from '../../domain/streams.ts'
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

/** Maximum length of our names. */
const NAME_MAX = 256
const NAME = new RegExp(`^[!-~]{1,${NAME_MAX}}$`)
const TYPE = /^[A-Z][A-Za-z]{0,99}$/
const TIME = /^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/

type EventFields = Readonly<Record<keyof StoredEvent, unknown>>
type Check = (value: unknown) => boolean

const isName: Check = (value) => typeof value === 'string' && NAME.test(value)
const orNull =
  (is: Check): Check =>
  (value) =>
    value === null || is(value)
const orAbsent =
  (is: Check): Check =>
  (value) =>
    value === undefined || is(value)

const envelope: Readonly<Record<keyof StoredEvent, Check>> = {
  position: isName,
  stream: (value) => isName(value) && STREAM_PREFIXES.some((prefix) => String(value).startsWith(prefix)),
  revision: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  id: (value) => typeof value === 'string' && UUID.test(value),
  type: (value) => typeof value === 'string' && TYPE.test(value),
  data: isJsonObject,
  meta: isJsonObject,
}

const meta: Readonly<Record<keyof StoredEvent['meta'], Check>> = {
  v: (value) => Number.isSafeInteger(value) && Number(value) >= 1,
  game: orNull(isName),
  board: orAbsent(isName),
  player: orAbsent(isName),
  command: isName,
  call: orAbsent(isName),
  actor: orNull(isName),
  request: orNull(isName),
  time: isTime,
}

const ENVELOPE: Checks = Object.entries(envelope)
const META: Checks = Object.entries(meta)

/** The names of invalid fields. */
function faultsOf(fields: EventFields): string[] {
  const faults = faultsIn(ENVELOPE, fields)
  if (isJsonObject(fields.meta)) for (const name of faultsIn(META, fields.meta)) faults.push(`meta.${name}`)
  return faults
}

/** The fault of an event that is nested so deeply that JSON.stringify may exhaust the stack; else null. */
export function depthFault({
  type,
  id,
  data,
  meta,
}: Pick<EventFields, 'type' | 'id' | 'data' | 'meta'>): string | null {
  if (!isTooDeep(data) && !isTooDeep(meta)) return null
  return `(${type} ${id}) is nested deeper than ${JSON_MAX_DEPTH} levels, which no event of ours is.`
}

type Checks = readonly (readonly [name: string, isWell: Check])[]

/** Returns early, because a log has millions of events and nearly all are valid. */
function faultsIn(checks: Checks, fields: Readonly<Record<string, unknown>>): string[] {
  const faults: string[] = []
  for (const [name, isWell] of checks) if (!isWell(fields[name])) faults.push(name)
  return faults
}

const DAY_LENGTH = '2026-11-01'.length
/** The last valid day: consecutive events are mostly of one day. */
let knownDay = ''

/** ISO 8601, UTC, milliseconds, and an existing day. */
function isTime(value: unknown): boolean {
  if (typeof value !== 'string' || !TIME.test(value)) return false
  if (knownDay !== '' && value.startsWith(knownDay)) return true
  const day = value.slice(0, DAY_LENGTH)
  const ms = Date.parse(day)
  if (Number.isNaN(ms) || !new Date(ms).toISOString().startsWith(day)) return false
  knownDay = day
  return true
}

/** The JSON object that this text is; null if it is none. */
export function objectIn(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : null
  } catch {
    return null
  }
}
