// Positions of a restored log. After a restore the log assigns indexes again that its lost events had, so each position
// of a restored log ends with the id of the restore: a position from before it is none of this log.

import type { Position, StoredEvent } from '../../../domain/event.ts'
import type { LogErasure } from '../../contract/erasure.ts'
import type { History, HistoryPart, LogRevisions } from '../../contract/history.ts'
import type { AppendResult, Log } from '../../contract/log.ts'
import type { Stores } from '../../contract/stores.ts'
import { appendAll } from '../../support/append-all.ts'

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

/** The same stores, with the id of the restore at the end of each position. */
export function withRestore(stores: Stores, restoreId: string): Stores {
  const { log, history, revisions, logErasure } = stores
  const positions = positionsOf(restoreId)
  return {
    ...stores,
    log: inLog(log, positions),
    history: history === null ? null : inHistory(history, positions),
    ...(revisions && { revisions: inRevisions(revisions, positions) }),
    logErasure: logErasure === null ? null : inErasure(logErasure, positions),
  }
}

type Positions = ReturnType<typeof positionsOf>

function positionsOf(restoreId: string) {
  const suffix = `-${restoreId}`
  // At the end, so that positions still compare by code unit.
  const outer = (position: Position): Position => position + suffix
  /** Undefined for a position of another installation. */
  const inner = (position: Position): Position | undefined =>
    position.endsWith(suffix) ? position.slice(0, -suffix.length) : undefined
  return {
    outer,
    inner,
    out: <Event extends Positioned>(event: Event): Event => ({ ...event, position: outer(event.position) }),
    /** Null stays null. Throws a TypeError for a position of another installation, as the log does. */
    into(position: Position | null): Position | null {
      const found = position === null ? null : inner(position)
      if (found === undefined) throw new TypeError(`${JSON.stringify(position)} is not a position of this log`)
      return found
    },
  }
}

function inLog(log: Log, { outer, inner, out, into }: Positions): Log {
  const outResult = (result: AppendResult) => (result.kind === 'appended' ? out(result) : result)

  async function* subscribe(after: Position | null, limit: number, signal: AbortSignal) {
    for await (const events of log.subscribe(into(after), limit, signal)) yield events.map(out)
  }

  return {
    append: async (stream, expected, events) => outResult(await log.append(stream, expected, events)),
    appendAll: (appends) => appendAll(log, appends).map(async (one) => outResult(await one)),
    readStream: async (stream, from, limit) => (await log.readStream(stream, from, limit)).map(out),
    readAll: async (after, limit) => (await log.readAll(into(after), limit)).map(out),
    eventAt: async (position) => {
      const at = inner(position)
      const event: StoredEvent | null = at === undefined ? null : await log.eventAt(at)
      return event === null ? null : out(event)
    },
    head: async () => {
      const head = await log.head()
      return head === null ? null : outer(head)
    },
    subscribe,
    close: () => log.close(),
  }
}

function inHistory(history: History, { outer, out, into }: Positions): History {
  const translated =
    <Event extends Positioned>(part: HistoryPart<Event>): HistoryPart<Event> =>
    async (filter, after, limit) =>
      (await part(filter, into(after), limit)).map(out)
  const { unopened, brief } = history
  return {
    part: translated((...args) => history.part(...args)),
    skip: async (game, { after, upTo }, times) => {
      const found = await history.skip(game, { after: into(after), upTo: into(upTo) ?? '' }, times)
      return found === null ? null : outer(found)
    },
    lastBy: async (game, { after, upTo }, instant) => {
      const found = await history.lastBy(game, { after: into(after), upTo: into(upTo) ?? '' }, instant)
      return found === null ? null : outer(found)
    },
    nth: async (filter, after, count) => {
      const event = await history.nth(filter, into(after), count)
      return event === null ? null : out(event)
    },
    ...(unopened === undefined ? {} : { unopened: translated(unopened) }),
    ...(brief === undefined ? {} : { brief: translated(brief) }),
  }
}

function inRevisions(revisions: LogRevisions, { out, into }: Positions): LogRevisions {
  return {
    places: async (after, limit) => (await revisions.places(into(after), limit)).map(out),
    repaired: async () => (await revisions.repaired()).map(out),
  }
}

function inErasure(erasure: LogErasure, { outer, out, into }: Positions): LogErasure {
  return {
    rewriteEvents: async (events) =>
      erasure.rewriteEvents(events.map((event) => ({ ...event, position: into(event.position) ?? '' }))),
    olderEvents: async (owner, after, limit) => {
      const { events, next } = await erasure.olderEvents(owner, into(after), limit)
      return { events: events.map(out), next: next === null ? null : outer(next) }
    },
    purge: () => erasure.purge(),
  }
}
