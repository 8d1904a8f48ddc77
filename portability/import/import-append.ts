// Appends recorded events in their exact order and at their original revisions.

import type { NewEvent, StoredEvent } from '../../domain/event.ts'
import { PERSONAL_FIELDS } from '../../domain/personal.ts'
import { StoresFault } from '../../stores/contract/faults.ts'
import type { Log } from '../../stores/contract/log.ts'
import type { Vault } from '../../stores/contract/vault.ts'
import { createEventSeals } from '../../stores/log-decorators/sealing/events.ts'

const MAX_IN_FLIGHT = 1_000
/** Maximum bytes per append of consecutive events of one stream; a single event may be larger. */
const APPEND_BYTES = 128 * 1024
const MAX_RUN = 16

interface Run {
  readonly stream: string
  readonly expected: number | 'none'
  readonly events: NewEvent[]
  /** 0: not measured yet. */
  bytes: number
}

/**
 * `log` stores events as given, already encrypted. `vault` is a sealed vault; it gets the new key of a player before
 * the first event that needs it.
 */
export function appending(log: Pick<Log, 'append'>, vault: Vault): (events: readonly StoredEvent[]) => Promise<void> {
  const seals = createEventSeals(vault, PERSONAL_FIELDS)

  async function some(events: readonly StoredEvent[]): Promise<void> {
    const sealed = await seals.seal(events)
    const runs = runsOf(events, sealed)
    // Appends that start one after the other are in the log in that order.
    const ends = await Promise.allSettled(
      runs.map(({ stream, expected, events }) => log.append(stream, expected, events)),
    )
    for (const [at, end] of ends.entries()) {
      if (end.status === 'rejected') throw brokenOff(end.reason)
      if (end.value.kind === 'conflict') throw conflicted(runs[at] as Run)
    }
  }

  return async (events) => {
    for (let at = 0; at < events.length; at += MAX_IN_FLIGHT) await some(events.slice(at, at + MAX_IN_FLIGHT))
  }
}

function runsOf(events: readonly StoredEvent[], sealed: readonly NewEvent[]): Run[] {
  const runs: Run[] = []
  for (const [at, { stream, revision }] of events.entries()) {
    const { id, type, data, meta } = sealed[at] as NewEvent
    const event: NewEvent = { id, type, data, meta }
    const last = runs.at(-1)
    if (last?.stream === stream && last.events.length < MAX_RUN) {
      // Measured only if needed: usually the next event is of another stream.
      last.bytes ||= bytesOf(last.events)
      const bytes = bytesOf([event])
      if (last.bytes + bytes <= APPEND_BYTES) {
        last.events.push(event)
        last.bytes += bytes
        continue
      }
    }
    runs.push({ stream, expected: revision === 0 ? 'none' : revision - 1, events: [event], bytes: 0 })
  }
  return runs
}

function bytesOf(events: readonly NewEvent[]): number {
  return events.reduce((sum, { data, meta }) => sum + Buffer.byteLength(JSON.stringify([data, meta])), 0)
}

function brokenOff(cause: unknown): StoresFault {
  const fault = new StoresFault(
    `The import broke off: ${cause instanceof Error ? cause.message : String(cause)}. Run it again: it continues where it stopped.`,
  )
  fault.cause = cause
  return fault
}

const conflicted = ({ stream }: Run): StoresFault =>
  new StoresFault(
    `Stream ${stream} is not at the revision of the export: another process wrote to it. Start again with empty stores.`,
  )
