// The rows of a vault as they are stored, encrypted with the master key.

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { type Binary, MongoClient } from 'mongodb'
import type { World } from './world.ts'

export interface Row {
  readonly kind: string
  readonly id: string
  readonly value: Uint8Array
}

/** The rows of the vault of a running server, in its data folder or in MongoDB: `<kind> <id>` -> row. */
export async function vaultRowsOf({
  dataDir,
  storeUrls: { servers },
}: Pick<World, 'dataDir' | 'storeUrls'>): Promise<Map<string, Row>> {
  return servers === null ? vaultRows(dataDir) : mongoRows(servers.mongoUrl)
}

async function mongoRows(url: string): Promise<Map<string, Row>> {
  const client = new MongoClient(url)
  try {
    const found = await client.db().collection<{ _id: string; value: Binary }>('secrets').find().toArray()
    const rows = found.map(({ _id, value }): Row => {
      const slash = _id.indexOf('/')
      return { kind: _id.slice(0, slash), id: _id.slice(slash + 1), value: new Uint8Array(value.value()) }
    })
    return new Map(rows.map((row) => [`${row.kind} ${row.id}`, row]))
  } finally {
    await client.close()
  }
}

/** The rows of an embedded vault, read from a copy of its files: `<kind> <id>` -> row. */
export function vaultRows(dataDir: string): Map<string, Row> {
  const folder = mkdtempSync(join(tmpdir(), 'scorebook-vault-'))
  try {
    // Reads the files, because `copyFileSync` never ends if a file is truncated meanwhile. The WAL comes first: what
    // moves from it into the file meanwhile is then copied twice, not missed.
    for (const name of ['vault.sqlite-wal', 'vault.sqlite']) {
      if (readdirSync(dataDir).includes(name)) writeFileSync(join(folder, name), readFileSync(join(dataDir, name)))
    }
    const db = new DatabaseSync(join(folder, 'vault.sqlite'))
    const rows: Row[] = db.prepare('SELECT kind, id, value FROM secrets').all()
    db.close()
    return new Map(rows.map((row) => [`${row.kind} ${row.id}`, row]))
  } finally {
    rmSync(folder, { recursive: true })
  }
}
