// Reads the revisions of the embedded log from its own table, without its index, and what repairs have changed.

import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { EventPlace } from '../../domain/stream-revisions.ts'
import type { LogRevisions } from '../contract/history.ts'
import { requireLimit } from '../support/log-arguments.ts'
import type { IndexedPlace, LogReader } from './log-reader.ts'
import { positionOf, requirePosition } from './log-schema.ts'
import { prepareRows } from './prepare-rows.ts'

/** Each event that a repair gave another revision. Absent in a log that was never repaired. */
export const RENUMBERED_SCHEMA = `
  CREATE TABLE IF NOT EXISTS renumbered (
    repair INTEGER NOT NULL, position INTEGER NOT NULL, before INTEGER NOT NULL,
    PRIMARY KEY (repair, position)
  ) WITHOUT ROWID;
`

type Place = Pick<IndexedPlace, 'sequence' | 'stream' | 'revision'>

const placeOf = ({ sequence, stream, revision }: Place): EventPlace => ({
  position: positionOf(sequence),
  stream,
  revision,
})

/** `lastSequence`: the last durable event. */
export function createLogRevisions(
  db: DatabaseSyncInstance,
  reader: Pick<LogReader, 'places'>,
  lastSequence: () => number,
): LogRevisions {
  return {
    async places(after, limit) {
      const range = { after: requirePosition(after), head: lastSequence(), limit: requireLimit(limit) }
      return reader.places(range).map(placeOf)
    },
    async repaired() {
      if (!isRepaired(db)) return []
      const rows: (readonly [sequence: number, stream: string, revision: number])[] = prepareRows(
        db,
        `SELECT position, stream, revision FROM events
         WHERE position IN (SELECT min(position) FROM renumbered GROUP BY repair) ORDER BY position`,
      ).all()
      return rows.map(([sequence, stream, revision]) => placeOf({ sequence, stream, revision }))
    },
  }
}

const isRepaired = (db: DatabaseSyncInstance): boolean =>
  db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'renumbered'").get() !== undefined
