// Makes logs of stopped servers faulty, as a damaged index of the log did: a stream gets a revision twice, or lacks
// one.

import { copyFileSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { type LogRepair, openLogRepair } from '../../stores/embedded/repair-log.ts'
import { newPath } from './folder.ts'

/** The columns of an event that a repair may or must not change, in log order. */
export interface LogRow {
  readonly position: number
  readonly stream: string
  readonly revision: number
  readonly id: string
  readonly type: string
  readonly data: string
  readonly meta: string
}

const logOf = (dataDir: string): string => join(dataDir, 'log.sqlite')

/** Reads a copy: SQLite keeps the lock of a closed connection until its statements are collected. */
export function logRows(dataDir: string): LogRow[] {
  const copy = newPath('log.sqlite')
  for (const end of ['', '-wal']) {
    if (existsSync(logOf(dataDir) + end)) copyFileSync(logOf(dataDir) + end, copy + end)
  }
  const db = new DatabaseSync(copy)
  try {
    return db.prepare('SELECT * FROM events ORDER BY position').all() as unknown[] as LogRow[]
  } finally {
    db.close()
  }
}

/** Changes rows, and removes the index, which a start builds from them. */
export function changeLog(dataDir: string, sql: string, ...values: (string | number)[]): void {
  const db = new DatabaseSync(logOf(dataDir))
  db.prepare(sql).run(...values)
  db.close()
  for (const name of readdirSync(dataDir).filter((one) => /^log-(?:index|heads)/.test(one))) rmSync(join(dataDir, name))
}

/** From `revision` on, the events of the stream get the revision before theirs: `revision - 1` is there twice. */
export function duplicateRevision(dataDir: string, stream: string, revision: number): void {
  changeLog(dataDir, 'UPDATE events SET revision = revision - 1 WHERE stream = ? AND revision >= ?', stream, revision)
}

/** From `revision` on, the events of the stream get the revision after theirs: `revision` is missing. */
export function skipRevision(dataDir: string, stream: string, revision: number): void {
  changeLog(dataDir, 'UPDATE events SET revision = revision + 1 WHERE stream = ? AND revision >= ?', stream, revision)
}

export const revisionsOf = (rows: readonly LogRow[], stream: string): number[] =>
  rows.filter((row) => row.stream === stream).map(({ revision }) => revision)

/** Opens the log of a folder that has one. */
export async function openedRepair(...args: Parameters<typeof openLogRepair>): Promise<LogRepair> {
  const repair = await openLogRepair(...args)
  if (repair === null) throw new Error(`there is no log in ${args[0]}`)
  return repair
}
