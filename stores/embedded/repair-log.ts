// Repairs an embedded log whose streams have gaps or duplicates in their revisions. What depends on revisions is
// removed first, durably, and then the log is changed in one transaction: whenever the process is killed, the next
// start builds what is missing from the log as it is.

import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type DurableDatabase, openDurable } from './durable-database.ts'
import { syncFolder } from './exclusive-database.ts'
import { convertLog } from './log-conversion.ts'
import { ERASURE_SCHEMA } from './log-erasure.ts'
import { planRepair, type RepairPlan } from './log-repair-plan.ts'
import { RENUMBERED_SCHEMA } from './log-revisions.ts'
import { LOG_SCHEMA } from './log-schema.ts'

/** The files that are built from the log: the views, the index, and what else is beside them under their names. */
const DERIVED = /^(?:views\.sqlite|log-index\.sqlite|log-heads)/

export interface LogRepair {
  /** Reads the whole log twice. `onProgress`: how much of that. */
  plan(onProgress: (done: number, total: number) => void): Promise<RepairPlan>
  /** Resolves when the repair is durable. Changes nothing if the plan has no streams. */
  apply(plan: RepairPlan): Promise<void>
  close(): Promise<void>
}

/**
 * Opens the log of a data folder for its repair; no server can open it meanwhile. Null if the folder has no log. Throws
 * FolderInUse. `onStep` is called after each step that a kill can follow, for tests.
 */
export async function openLogRepair(
  folder: string,
  onStep: (step: string) => void = () => {},
): Promise<LogRepair | null> {
  const path = join(folder, 'log.sqlite')
  // Opening a missing file would create it.
  if (!existsSync(path)) return null
  const database = await openDurable(path, LOG_SCHEMA + ERASURE_SCHEMA, {})
  try {
    database.db.exec('PRAGMA secure_delete=ON')
    await convertLog(database, () => {})
  } catch (error) {
    await database.close()
    throw error
  }
  return {
    plan: (onProgress) => planRepair(database.db, onProgress),
    async apply(plan) {
      if (plan.streams.length === 0) return
      onStep('planned')
      // A database goes before its WAL, which is nothing without it.
      for (const name of readdirSync(folder)
        .filter((one) => DERIVED.test(one))
        .sort()) {
        rmSync(join(folder, name), { force: true })
        onStep(`removed ${name}`)
      }
      // After a power cut they must not be there beside a repaired log.
      syncFolder(folder)
      await applyRows(database, plan, onStep)
      onStep('repaired')
    },
    close: () => database.close(),
  }
}

/**
 * Writes the plan's rows and notes them in `renumbered`, in one transaction. Purges, because a row of another size may
 * be moved: its copy would keep text that is erased later.
 */
function applyRows(
  { db, write }: DurableDatabase,
  { rows }: RepairPlan,
  onStep: (step: string) => void,
): Promise<void> {
  return write(() => {
    db.exec(RENUMBERED_SCHEMA)
    const { repair } = db.prepare('SELECT coalesce(max(repair), 0) + 1 AS repair FROM renumbered').get() as {
      repair: number
    }
    const update = db.prepare('UPDATE events SET revision = ?, data = coalesce(?, data) WHERE position = ?')
    const note = db.prepare('INSERT INTO renumbered (repair, position, before) VALUES (?, ?, ?)')
    for (const { sequence, before, revision, data } of rows) {
      update.run(revision, data, sequence)
      if (revision !== before) note.run(repair, sequence, before)
    }
    onStep('written')
  }, 'purge')
}
