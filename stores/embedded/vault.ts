// The vault in a SQLite file of its own. `destroy` overwrites a secret in the file and removes copies of its page
// from the WAL: once it resolves, the bytes are in no file of the store.

import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite'
import type { Purge } from '../contract/erasure.ts'
import { NOT_SECRET, type Secret, type SecretKind, type SecretReference, type VaultStore } from '../contract/vault.ts'
import { hasNul } from '../support/storable.ts'
import { type DurableOptions, openDurable } from './durable-database.ts'

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS secrets (
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    value BLOB NOT NULL,
    PRIMARY KEY (kind, id)
  ) WITHOUT ROWID;
`

type VaultOptions = Omit<DurableOptions, 'onGroup'>

/** Opens or creates the vault. `onFailure` is called once if the disk failed: the process should stop then. */
export async function openVault(path: string, options: VaultOptions = {}): Promise<VaultStore & Purge> {
  const database = await openDurable(path, SCHEMA, options)
  database.db.exec('PRAGMA secure_delete=ON')
  const { insert, empty, select, update, exchange, page, ids, remove } = prepareStatements(database.db)

  function read(kind: SecretKind, id: string): Uint8Array | null {
    if (hasNul(id)) return null
    const row: Pick<Secret, 'value'> | undefined = select.get(kind, id)
    return row === undefined ? null : new Uint8Array(row.value)
  }

  async function putIfAbsent(kind: SecretKind, id: string, value: Uint8Array): Promise<Uint8Array> {
    checkId(id)
    const bytes = new Uint8Array(value)
    return database.write(() => (insert.run(kind, id, bytes).changes > 0 ? bytes : (read(kind, id) ?? bytes)))
  }

  async function get(kind: SecretKind, id: string): Promise<Uint8Array | null> {
    // Do not use a secret that is not durable yet: a power cut could lose it with everything encrypted under it.
    await database.settled()
    return read(kind, id)
  }

  async function replace(kind: SecretKind, id: string, value: Uint8Array): Promise<boolean> {
    checkId(id)
    const bytes = new Uint8Array(value)
    return database.write(() => Number(update.run(bytes, kind, id).changes) > 0, residueOf(kind))
  }

  const scrubbing = (statement: StatementSyncInstance) => async (kind: SecretKind, id: string) => {
    checkId(id)
    await database.write(() => statement.run(kind, id), residueOf(kind))
  }

  async function idsOf(kind: SecretKind, after: string | null, limit: number): Promise<readonly string[]> {
    await database.settled()
    return (ids.all(kind, after ?? '', limit) as Pick<Secret, 'id'>[]).map(({ id }) => id)
  }

  async function scan(after: SecretReference | null, limit: number): Promise<readonly Secret[]> {
    await database.settled()
    // No kind is empty, so this sorts before the first.
    const { kind, id } = after ?? { kind: '', id: '' }
    return (page.all(kind, id, limit) as Secret[]).map(copied)
  }

  function swap({ kind, id }: SecretReference, before: Uint8Array, after: Uint8Array): Promise<boolean> {
    const [old, bytes] = [new Uint8Array(before), new Uint8Array(after)]
    return database.write(() => Number(exchange.run(bytes, kind, id, old).changes) > 0, 'scrub')
  }

  const [destroy, destroyForGood] = [scrubbing(remove), scrubbing(empty)]
  const purge = () => database.write(() => {}, 'purge')
  return { putIfAbsent, get, replace, destroy, destroyForGood, idsOf, scan, swap, purge, close: database.close }
}

function prepareStatements(db: DatabaseSyncInstance) {
  const one = 'WHERE kind = ? AND id = ?'
  return {
    insert: db.prepare('INSERT INTO secrets (kind, id, value) VALUES (?, ?, ?) ON CONFLICT DO NOTHING'),
    empty: db.prepare("INSERT INTO secrets (kind, id, value) VALUES (?, ?, x'') ON CONFLICT DO UPDATE SET value = x''"),
    select: db.prepare(`SELECT value FROM secrets ${one}`),
    update: db.prepare(`UPDATE secrets SET value = ? ${one}`),
    exchange: db.prepare(`UPDATE secrets SET value = ? ${one} AND value = ?`),
    page: db.prepare('SELECT kind, id, value FROM secrets WHERE (kind, id) > (?, ?) ORDER BY kind, id LIMIT ?'),
    ids: db.prepare('SELECT id FROM secrets WHERE kind = ? AND id > ? ORDER BY id LIMIT ?'),
    remove: db.prepare(`DELETE FROM secrets ${one}`),
  }
}

/** What is no secret may stay in old copies of its page: to scrub them takes a millisecond. */
const residueOf = (kind: SecretKind) => (NOT_SECRET.has(kind) ? 'keep' : 'scrub')

const copied = (row: Secret): Secret => ({ ...row, value: new Uint8Array(row.value) })

function checkId(id: string): void {
  if (hasNul(id)) throw new TypeError(`The id of a secret must not hold NUL characters: ${JSON.stringify(id)}`)
}
