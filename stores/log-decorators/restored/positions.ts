// Positions of a restored log. After a restore the log assigns indexes again that its lost events had, so each position
// of a restored log ends with the id of the restore: a position from before it is none of this log.

import type { Position, StoredEvent } from '../../../domain/event.ts'
import type { LogErasure } from '../../contract/erasure.ts'
import type { History, HistoryPart, LogRevisions } from '../../contract/history.ts'
import type { Log } from '../../contract/log.ts'

interface Positioned {
  readonly position: Position
}

/** Of the embedded log, or of EventStoreDB (`z`, or a second number). */
const FORM = /^[0-9a-f]{16}(?:z|[0-9a-f]{16})?(?:-([0-9a-f]{12}))?$/

/** Whether both are positions of logs, and not of the same restore. */
export function isOfOtherRestore(position: Position, head: Position | null): boolean {
  const [one, other] = [FORM.exec(position), FORM.exec(head ?? '')]
  return one !== null && other !== null && one[1] !== other[1]
}

interface Positions {
  /** The position as callers see it. */
  outer(position: Position): Position
  /** The position in the wrapped store; undefined for a position of another installation. */
  inner(position: Position): Position | undefined
}

function positionsOf(restoreId: string): Positions {
  const suffix = `-${restoreId}`
  return {
    // At the end, so that positions still compare by code unit.
    outer: (position) => position + suffix,
    inner: (position) => (position.endsWith(suffix) ? position.slice(0, -suffix.length) : undefined),
  }
}

const outward =
  ({ outer }: Positions) =>
  <Event extends Positioned>(event: Event): Event => ({ ...event, position: outer(event.position) })

/** Null stays null. Throws a TypeError for a position of another installation, as the log does. */
const inward =
  ({ inner }: Positions) =>
  (position: Position | null): Position | null => {
    const found = position === null ? null : inner(position)
    if (found === undefined) throw new TypeError(`${JSON.stringify(position)} is not a position of this log`)
    return found
  }

export function withRestoreInLog(log: Log, restoreId: string): Log {
  const positions = positionsOf(restoreId)
  const [out, into] = [outward(positions), inward(positions)]

  async function* subscribe(after: Position | null, limit: number, signal: AbortSignal) {
    for await (const events of log.subscribe(into(after), limit, signal)) yield events.map(out)
  }

  return {
    append: async (stream, expected, events) => {
      const result = await log.append(stream, expected, events)
      return result.kind === 'appended' ? out(result) : result
    },
    readStream: async (stream, from, limit) => (await log.readStream(stream, from, limit)).map(out),
    readAll: async (after, limit) => (await log.readAll(into(after), limit)).map(out),
    eventAt: async (position) => {
      const at = positions.inner(position)
      const event: StoredEvent | null = at === undefined ? null : await log.eventAt(at)
      return event === null ? null : out(event)
    },
    head: async () => {
      const head = await log.head()
      return head === null ? null : positions.outer(head)
    },
    subscribe,
    close: () => log.close(),
  }
}

export function withRestoreInHistory(history: History, restoreId: string): History {
  const positions = positionsOf(restoreId)
  const [out, into] = [outward(positions), inward(positions)]
  const translated =
    <Event extends Positioned>(part: HistoryPart<Event>): HistoryPart<Event> =>
    async (filter, after, limit) =>
      (await part(filter, into(after), limit)).map(out)
  const { unopened, brief } = history
  return {
    part: translated((...args) => history.part(...args)),
    skip: async (game, { after, upTo }, times) => {
      const found = await history.skip(game, { after: into(after), upTo: into(upTo) ?? '' }, times)
      return found === null ? null : positions.outer(found)
    },
    nth: async (filter, after, count) => {
      const event = await history.nth(filter, into(after), count)
      return event === null ? null : out(event)
    },
    ...(unopened === undefined ? {} : { unopened: translated(unopened) }),
    ...(brief === undefined ? {} : { brief: translated(brief) }),
  }
}

export function withRestoreInRevisions(revisions: LogRevisions, restoreId: string): LogRevisions {
  const positions = positionsOf(restoreId)
  const [out, into] = [outward(positions), inward(positions)]
  return {
    places: async (after, limit) => (await revisions.places(into(after), limit)).map(out),
    repaired: async () => (await revisions.repaired()).map(out),
  }
}

export function withRestoreInErasure(erasure: LogErasure, restoreId: string): LogErasure {
  const positions = positionsOf(restoreId)
  const [out, into] = [outward(positions), inward(positions)]
  return {
    rewriteEvents: async (events) =>
      erasure.rewriteEvents(events.map((event) => ({ ...event, position: into(event.position) ?? '' }))),
    olderEvents: async (owner, after, limit) => {
      const { events, next } = await erasure.olderEvents(owner, into(after), limit)
      return { events: events.map(out), next: next === null ? null : positions.outer(next) }
    },
    purge: () => erasure.purge(),
  }
}
