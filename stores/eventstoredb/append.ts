// Appends events over the shared batch call, with a timeout, and verifies what the server reports as a conflict.

import type { NewEvent, Position } from '../../domain/event.ts'
import { withTimeout } from '../../runtime/with-timeout.ts'
import { AppendDenied, type AppendResult, type Expected, NotSent } from '../contract/log.ts'
import { type CheckedAppend, checkAppend } from '../support/log-arguments.ts'
import { type Access, rightsOn } from './access.ts'
import { type Batch, openBatch, type Written, WrongRevision } from './batch.ts'
import { appends } from './check.ts'
import type { EventStoreConnection } from './event-store-connection.ts'
import type { Events } from './events.ts'
import type { Line } from './line.ts'
import { noAnswerTo } from './refusals.ts'

const NO_ID = '00000000-0000-0000-0000-000000000000'
/** Extra milliseconds for reading the stream after the append has used up its time. */
const MIN_READ_MS = 1_000

/** The outcome of the append is unknown: send the same events at the same revision again to find out. */
export class OutcomeUnknown extends Error {
  constructor(stream: string, cause: unknown) {
    super(`Whether the append to ${stream} was recorded is not known`, { cause })
    this.name = 'OutcomeUnknown'
  }
}

interface AppenderOptions {
  /** A separate connection, because its silence is detected by appends only. */
  readonly line: Line
  readonly events: Events
  readonly access: Access
  readonly deadlineMs: number
  /** A stream name of ours that is never written to. */
  readonly probe: string
}

interface Appender {
  append(stream: string, expected: Expected, events: readonly NewEvent[]): Promise<AppendResult>
  /** Rejects with the reason while the server denies appends. If it did so last time, checks again without writing. */
  mayAppend(): Promise<void>
}

export function createAppender({ line, events: stored, access, deadlineMs, probe }: AppenderOptions): Appender {
  const batches = new WeakMap<EventStoreConnection, Batch>()

  async function append(stream: string, expected: Expected, events: readonly NewEvent[]): Promise<AppendResult> {
    const checked = checkAppend(stream, expected, events)
    if (events.some(({ id }) => id === NO_ID)) throw new NotSent(`No event may have the id ${NO_ID}`)
    const { append: right } = rightsOn(stream)
    const startedMs = performance.now()
    const withinDeadline = <T>(reading: Promise<T>): Promise<T> => {
      const left = Math.max(deadlineMs - (performance.now() - startedMs), MIN_READ_MS)
      return withTimeout(left, reading, noAnswerTo(`the events of ${stream}`))
    }
    try {
      const written = await batch().append(checked, deadlineMs)
      access.succeeded(right)
      return {
        kind: 'appended',
        revision: written.revision,
        position: await withinDeadline(positionOf(stored, stream, written)),
      }
    } catch (error) {
      if (error instanceof NotSent) throw error
      // The server checks the user before the append, so nothing was written.
      const denial = access.failed(right, error)
      if (denial !== null) throw new AppendDenied(denial, error)
      if (!(error instanceof WrongRevision)) throw new OutcomeUnknown(stream, error)
    }
    try {
      return await withinDeadline(recordedBefore(stored, checked))
    } catch (error) {
      throw new OutcomeUnknown(stream, error)
    }
  }

  /** The shared call of the connection in use. */
  function batch(): Batch {
    const connection = line.connection()
    const open = batches.get(connection)
    if (open !== undefined) return open
    const opened = openBatch(connection, line)
    batches.set(connection, opened)
    return opened
  }

  async function mayAppend(): Promise<void> {
    if (access.denied('append') === null) return
    try {
      await appends(batch(), probe, deadlineMs)
      access.succeeded('append')
    } catch (error) {
      throw new Error(access.failed('append', error) ?? access.denied('append') ?? 'appends are denied', {
        cause: error,
      })
    }
  }

  return { append, mayAppend }
}

/** A conflicting append was recorded before if its events are stored exactly where it would have written them. */
async function recordedBefore(stored: Events, { stream, base, events }: CheckedAppend): Promise<AppendResult> {
  const there = await stored.stream(stream, base + 1, events.length)
  const isThere = events.every(({ event }, index) => {
    const one = there[index]
    return one?.id === event.id.toLowerCase() && one.revision === base + 1 + index
  })
  const last = there.at(-1)
  if (!isThere || last === undefined) return { kind: 'conflict' }
  return { kind: 'appended', revision: last.revision, position: last.position }
}

async function positionOf(stored: Events, stream: string, { revision, position }: Written): Promise<Position> {
  if (position !== null) return position
  const [event] = await stored.stream(stream, revision, 1)
  if (event === undefined) throw new Error(`Event ${revision} of ${stream} was recorded and cannot be read`)
  return event.position
}
