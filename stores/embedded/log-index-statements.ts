// The schema of the file of the log's index, and the statements on it. Rows are arrays of column values.

import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { prepareRows } from './prepare-rows.ts'

/**
 * `written`: the last event that the file has. `started`: the last event of a batch of which the file may have a part.
 * `timed`: the last event with its time; another one than `written` in files of versions that stored no times. The salt
 * keys the hash, so that nobody can choose stream names that have equal hashes.
 */
export const INDEX_SCHEMA = `
  CREATE TABLE IF NOT EXISTS revisions (
    stream INTEGER NOT NULL, revision INTEGER NOT NULL, sequence INTEGER NOT NULL,
    PRIMARY KEY (stream, revision, sequence)
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS filters (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
  CREATE TABLE IF NOT EXISTS members (
    filter INTEGER NOT NULL, sequence INTEGER NOT NULL,
    PRIMARY KEY (filter, sequence)
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS times (block INTEGER PRIMARY KEY, earliest TEXT NOT NULL, latest TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS progress (name TEXT PRIMARY KEY, sequence INTEGER NOT NULL, event TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS salt (value TEXT NOT NULL);
  INSERT INTO salt SELECT hex(randomblob(16)) WHERE NOT EXISTS (SELECT 1 FROM salt);
`

export type IndexStatements = ReturnType<typeof prepareIndex>

export function prepareIndex(db: DatabaseSyncInstance) {
  const rows = (sql: string) => prepareRows(db, sql)
  const members =
    'members WHERE filter = (SELECT number FROM filters WHERE name = ?) AND sequence > ? AND sequence <= ?'
  const ofStream = 'FROM revisions WHERE stream = ?'
  const set = (name: string) =>
    `INSERT INTO progress (name, sequence, event) VALUES ('${name}', ?, ?) ON CONFLICT (name) DO UPDATE
     SET sequence = excluded.sequence, event = excluded.event WHERE excluded.sequence > sequence`
  return {
    salt: rows('SELECT value FROM salt'),
    progress: rows('SELECT sequence, event FROM progress WHERE name = ?'),
    setStarted: db.prepare(set('started')),
    setWritten: db.prepare(set('written')),
    setTimed: db.prepare(set('timed')),
    number: rows('SELECT number FROM filters WHERE name = ?'),
    addFilter: db.prepare('INSERT INTO filters (name) VALUES (?)'),
    // A batch that was not completed is written again.
    addRevision: db.prepare('INSERT OR IGNORE INTO revisions (stream, revision, sequence) VALUES (?, ?, ?)'),
    addMember: db.prepare('INSERT OR IGNORE INTO members (filter, sequence) VALUES (?, ?)'),
    addTimes: db.prepare(
      `INSERT INTO times (block, earliest, latest) VALUES (?, ?, ?) ON CONFLICT (block) DO UPDATE
       SET earliest = min(earliest, excluded.earliest), latest = max(latest, excluded.latest)`,
    ),
    firstBlockIn: rows(
      'SELECT block FROM times WHERE block >= ? AND block < ? AND latest >= ? AND earliest < ? ORDER BY block LIMIT 1',
    ),
    newestBlocks: rows('SELECT block, latest FROM times ORDER BY latest DESC'),
    ofStream: rows(
      `SELECT revision, sequence ${ofStream} AND revision >= ? AND sequence <= ? ORDER BY revision, sequence LIMIT ?`,
    ),
    ofFilter: rows(`SELECT sequence FROM ${members} ORDER BY sequence LIMIT ?`),
    nth: rows(`SELECT sequence FROM ${members} ORDER BY sequence LIMIT 1 OFFSET ?`),
    count: rows(`SELECT count(*) FROM ${members}`),
  }
}
