// Detects a file that SQLite cannot read, and replaces SQLite's errors, which do not name the file.

import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite'
import { StoresFault } from '../contract/faults.ts'
import { extendedCode, primaryCode, SQLITE_CORRUPT, SQLITE_NOTADB } from './sqlite-error.ts'

/** IOERR_READ, IOERR_SHORT_READ, IOERR_DATA and IOERR_CORRUPTFS: the disk cannot read a part of the file. */
const UNREADABLE = [266, 522, 8_202, 8_458]
/** SQLite's texts of CORRUPT and NOTADB, for errors without a code. */
const TEXTS = ['database disk image is malformed', 'file is not a database']

/**
 * A file that is built from the log is not as it was written. The message says what is wrong, without the name of the
 * file.
 */
export class NotAsWritten extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'NotAsWritten'
  }
}

/** Whether SQLite reports that the file is damaged, or is no database, or its pages do not have their checksums. */
export function isDamaged(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof NotAsWritten) return true
  const extended = extendedCode(error)
  if (extended === null) return TEXTS.includes(error.message)
  const primary = primaryCode(error)
  return primary === SQLITE_CORRUPT || primary === SQLITE_NOTADB || UNREADABLE.includes(extended)
}

/** The error for a damaged log or vault, which only a backup can restore. `what`: without texts of callers. */
export function damageError(path: string, what: string, cause: unknown): StoresFault {
  return new StoresFault(
    `${path} is damaged (${what}). Stop the server and restore the data folder from a backup.`,
    cause,
  )
}

/** For `replaceErrors`, of a log or a vault: names the file in errors of damage. */
export const nameDamagedFile =
  (path: string) =>
  (error: unknown): unknown =>
    isDamaged(error) ? damageError(path, String((error as Error).message), error) : error

/**
 * From now on this connection and the statements that it prepares throw `replaced(error)` in place of SQLite's errors.
 * Costs some 20 ns a call.
 */
export function replaceErrors(db: DatabaseSyncInstance, replaced: (error: unknown) => unknown): void {
  function guarded<Args extends readonly unknown[], Result>(call: (...args: Args) => Result) {
    return (...args: Args): Result => {
      try {
        return call(...args)
      } catch (error) {
        throw replaced(error)
      }
    }
  }

  const replacing = (value: unknown): PropertyDescriptor => ({ value, configurable: true })
  const prepare = db.prepare.bind(db)
  function prepareGuarded(...args: Parameters<typeof prepare>): StatementSyncInstance {
    const statement = prepare(...args)
    const { get, all, run, iterate } = statement
    function* iterateGuarded(...params: Parameters<typeof iterate>): ReturnType<typeof iterate> {
      try {
        yield* iterate.apply(statement, params)
      } catch (error) {
        throw replaced(error)
      }
    }
    return Object.defineProperties(statement, {
      get: replacing(guarded(get.bind(statement))),
      all: replacing(guarded(all.bind(statement))),
      run: replacing(guarded(run.bind(statement))),
      iterate: replacing(iterateGuarded),
    })
  }

  Object.defineProperties(db, {
    prepare: replacing(guarded(prepareGuarded)),
    exec: replacing(guarded(db.exec.bind(db))),
  })
}
