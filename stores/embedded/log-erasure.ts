// Rewrites events in place, so that the text of deleted players is in no byte of the log's file. A rewritten row has
// exactly its old size, so SQLite overwrites it where it is, moves no other row and leaves no copy.

import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { Position, StoredEvent } from '../../domain/event.ts'
import type { EventOwner, LogErasure, OlderEvents, RewrittenEvent } from '../contract/erasure.ts'
import type { DurableDatabase } from './durable-database.ts'
import type { LogIndex } from './log-index.ts'
import { EVENT_COLUMNS, type EventRow, gameName, parsePosition, positionOf, storedEvent } from './log-schema.ts'
import { prepareRows } from './prepare-rows.ts'

interface LogErasureOptions {
  /** Called with the rewritten events once they are durable. */
  readonly onRewritten: (events: readonly StoredEvent[]) => void
}

/** The older part ends at the end of the log when a version that encrypts all personal text first opened it. */
export const ERASURE_SCHEMA = `
  CREATE TABLE IF NOT EXISTS clear_text (until INTEGER NOT NULL);
  INSERT INTO clear_text SELECT (SELECT coalesce(max(position), 0) FROM events) WHERE NOT EXISTS (SELECT 1 FROM clear_text);
`

/** `index` finds the events of a game. */
export function createLogErasure(
  database: DurableDatabase,
  index: Pick<LogIndex, 'ofFilter'>,
  { onRewritten }: LogErasureOptions,
): LogErasure {
  const { db, write } = database
  const row = prepareRows(db, `SELECT ${EVENT_COLUMNS} FROM events WHERE position = ?`)
  const update = db.prepare('UPDATE events SET data = ?, meta = ? WHERE position = ?')
  const olderThan = clearUntil(db)
  const ofPlayer = prepareRows(
    db,
    `SELECT ${EVENT_COLUMNS} FROM events WHERE position IN (SELECT value FROM json_each(?))
     AND (instr(meta, ?) OR instr(data, ?)) ORDER BY position`,
  )

  function rewriteOne({ position, data, meta }: RewrittenEvent): StoredEvent {
    const before: EventRow | undefined = row.get(parsePosition(position) ?? 0)
    if (before === undefined) throw new TypeError(`The log has no event at ${JSON.stringify(position)}`)
    const [at, , , , , oldData, oldMeta] = before
    update.run(inSize(JSON.stringify(data), oldData), inSize(JSON.stringify(meta), oldMeta), at)
    return { ...storedEvent(before), data, meta }
  }

  async function rewriteEvents(events: readonly RewrittenEvent[]): Promise<void> {
    if (events.length > 0) onRewritten(await write(() => events.map(rewriteOne)))
  }

  async function olderEvents({ game, player }: EventOwner, after: Position | null, limit: number) {
    const found = index.ofFilter(gameName(game), parsePosition(after) ?? 0, limit)
    const searched = found.filter((sequence) => sequence <= olderThan)
    const rows: EventRow[] = ofPlayer.all(JSON.stringify(searched), player, player)
    const last = searched.at(-1)
    const isComplete = last === undefined || searched.length < limit
    return { events: rows.map(storedEvent), next: isComplete ? null : positionOf(last) } satisfies OlderEvents
  }

  return {
    rewriteEvents,
    olderEvents,
    // A scrubbing write checkpoints the WAL and truncates it.
    purge: () => write(() => {}, 'scrub'),
  }
}

/** The JSON text, padded with spaces to the length of the text that it replaces. */
function inSize(text: string, replaced: string): string {
  const missing = Buffer.byteLength(replaced) - Buffer.byteLength(text)
  return missing > 0 ? text + ' '.repeat(missing) : text
}

function clearUntil(db: DatabaseSyncInstance): number {
  const { until } = db.prepare('SELECT until FROM clear_text').get() as { until: number }
  return until
}
