// The rows of an embedded vault, as they are in the file: sealed under the master key.

import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'

export interface Row {
  readonly kind: string
  readonly id: string
  readonly value: Uint8Array
}

/** What the vault of a running server holds, read from a copy of its files: `<kind> <id>` -> row. */
export function vaultRows(dataDir: string): Map<string, Row> {
  const folder = mkdtempSync(join(tmpdir(), 'scorebook-vault-'))
  try {
    // The WAL first: what moves from it into the file meanwhile is then there twice, and not missed.
    for (const name of ['vault.sqlite-wal', 'vault.sqlite']) {
      if (readdirSync(dataDir).includes(name)) copyFileSync(join(dataDir, name), join(folder, name))
    }
    const db = new DatabaseSync(join(folder, 'vault.sqlite'))
    const rows: Row[] = db.prepare('SELECT kind, id, value FROM secrets').all()
    db.close()
    return new Map(rows.map((row) => [`${row.kind} ${row.id}`, row]))
  } finally {
    rmSync(folder, { recursive: true })
  }
}
