// Plans the repair of an embedded log whose streams have gaps or duplicates in their revisions: each of these streams
// is numbered again from 0, in log order. No event is removed.

import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { EventReference, JsonObject, Position } from '../../domain/event.ts'
import { refersToEvents, renumberedData } from '../../domain/renumbering.ts'
import { isGap, RevisionCheck } from '../../domain/stream-revisions.ts'
import { yieldToEventLoop } from '../../runtime/yield-to-event-loop.ts'
import { positionOf } from './log-schema.ts'
import { prepareRows } from './prepare-rows.ts'

/** Rows read at once. */
const PAGE = 1_000

export interface RenumberedEvent {
  readonly position: Position
  readonly type: string
  readonly before: number
  readonly after: number
}

export interface RepairedStream {
  readonly stream: string
  /** Number of revisions that are skipped: as many events may be missing. */
  readonly gaps: number
  /** Number of events with a revision that is not above the one before. */
  readonly duplicates: number
  /** All events of the stream, in log order. */
  readonly events: readonly RenumberedEvent[]
}

interface RepairedRow {
  readonly sequence: number
  readonly before: number
  readonly revision: number
  /** Null: unchanged. */
  readonly data: string | null
}

export interface RepairPlan {
  readonly streams: readonly RepairedStream[]
  readonly rows: readonly RepairedRow[]
  /** Number of events of other streams that name a renumbered event. */
  readonly references: number
}

type Row = readonly [sequence: number, stream: string, revision: number, type: string]

/** `onProgress`: the number of rows read, of all in two passes. */
export async function planRepair(
  db: DatabaseSyncInstance,
  onProgress: (done: number, total: number) => void,
): Promise<RepairPlan> {
  const { events } = db.prepare('SELECT count(*) AS events FROM events').get() as { events: number }
  const check = new RevisionCheck(Number.POSITIVE_INFINITY)
  for await (const page of pagesOf(db, (done) => onProgress(done, events * 2))) {
    for (const [sequence, stream, revision] of page) check.add({ position: positionOf(sequence), stream, revision })
  }
  const streams = new Map(check.faults.map(({ stream }) => [stream, new Renumbering()]))
  const planned = new PlannedRows(db, streams)
  if (check.found > 0) {
    for await (const page of pagesOf(db, (done) => onProgress(events + done, events * 2))) {
      for (const row of page) if (streams.has(row[1]) || refersToEvents(row[3])) planned.add(row)
    }
  }
  for (const fault of check.faults)
    streams.get(fault.stream)?.addFault(isGap(fault) ? fault.revision - fault.expected : 0)
  return {
    streams: [...streams].map(([stream, { gaps, duplicates, events }]) => ({ stream, gaps, duplicates, events })),
    rows: planned.rows,
    references: planned.references,
  }
}

async function* pagesOf(db: DatabaseSyncInstance, onRead: (done: number) => void): AsyncGenerator<Row[]> {
  const read = prepareRows(
    db,
    'SELECT position, stream, revision, type FROM events WHERE position > ? ORDER BY position LIMIT ?',
  )
  let done = 0
  for (let at = 0; ; ) {
    const page: Row[] = read.all(at, PAGE)
    const last = page.at(-1)
    if (last === undefined) return
    yield page
    done += page.length
    onRead(done)
    at = last[0]
    await yieldToEventLoop()
  }
}

/** One stream, in log order. */
class Renumbering {
  readonly events: RenumberedEvent[] = []
  gaps = 0
  duplicates = 0

  addFault(gaps: number): void {
    this.gaps += gaps
    if (gaps === 0) this.duplicates++
  }

  /** Returns the event's new revision. */
  add(event: Omit<RenumberedEvent, 'after'>): number {
    const after = this.events.length
    this.events.push({ ...event, after })
    return after
  }

  /**
   * The new revision of an event that is named by its old one. Of a duplicate it is the first event: that is what
   * readers of the log find. Of a missing event it is the one before it, or the first.
   */
  revisionOf(before: number): number {
    const same = this.events.find((event) => event.before === before)
    return (same ?? this.events.findLast((event) => event.before < before))?.after ?? 0
  }
}

class PlannedRows {
  readonly rows: RepairedRow[] = []
  references = 0
  readonly #streams: ReadonlyMap<string, Renumbering>
  readonly #contents: ReturnType<typeof prepareRows>

  constructor(db: DatabaseSyncInstance, streams: ReadonlyMap<string, Renumbering>) {
    this.#streams = streams
    this.#contents = prepareRows(db, 'SELECT data FROM events WHERE position = ?')
  }

  /** Call it in log order, for each event of these streams and each that may name one: it names only earlier ones. */
  add([sequence, stream, before, type]: Row): void {
    const own = this.#streams.get(stream)
    const [data]: readonly [string] = this.#contents.get(sequence)
    const revision = own?.add({ position: positionOf(sequence), type, before }) ?? before
    const old: JsonObject = JSON.parse(data)
    const changed = renumberedData({ type, data: old }, revision, (reference) => this.#renumbered(reference))
    if (revision === before && changed === old) return
    if (changed !== old && own === undefined) this.references++
    const changedData = changed === old ? null : JSON.stringify(changed)
    this.rows.push({ sequence, before, revision, data: changedData })
  }

  #renumbered(reference: EventReference): EventReference {
    const { stream, revision } = reference
    const own = this.#streams.get(stream)
    return own === undefined ? reference : { ...reference, revision: own.revisionOf(revision) }
  }
}
