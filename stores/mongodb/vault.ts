// The vault in MongoDB. Values are encrypted under the master key, which no MongoDB server knows: the journal, oplog
// and free pages keep the encrypted bytes of a destroyed secret until they are overwritten, so deleting a secret for
// good also relies on the key.

import { Binary, type Collection, type Db } from 'mongodb'
import type { Secret, SecretKind, SecretReference, VaultStore } from '../contract/vault.ts'
import { hasNul } from '../support/storable.ts'
import { batching } from './batching.ts'
import { type CallTimeout, createCallTimeout } from './call-timeout.ts'
import type { Server } from './check.ts'
import { MAX_BATCH } from './document-rows.ts'
import { insertRows } from './insert-rows.ts'
import { insertNew, insertOrRead } from './register.ts'

interface Row {
  /** `<kind>/<id>`; kinds contain no slash. */
  readonly _id: string
  readonly value: Binary
}

const HALF_PAIR = /\p{Surrogate}/u

export function openVault(db: Db, { answerMs }: Server): Omit<VaultStore, 'close'> {
  const withCallTimeout = createCallTimeout(answerMs)
  const secrets = db.collection<Row>('secrets')
  const lookup = createSecretLookup(secrets, withCallTimeout)
  /** Concurrent inserts share one command. Resolves to those whose ids exist. */
  const insert = batching((rows: readonly Row[]) => insertRows(secrets, rows, withCallTimeout))
  const page = createPages(secrets, withCallTimeout)

  async function get(kind: SecretKind, id: string): Promise<Uint8Array | null> {
    if (hasNul(id)) return null
    const key = keyOf(kind, id)
    return (await lookup([key])).get(key) ?? null
  }

  async function putIfAbsent(kind: SecretKind, id: string, value: Uint8Array): Promise<Uint8Array> {
    const _id = keyOf(kind, id)
    const bytes = new Uint8Array(value)
    const row = { _id, value: new Binary(bytes) }
    return insertOrRead(
      `A secret of kind ${kind}`,
      bytes,
      async () => !(await insert([row])).has(row),
      () => get(kind, id),
    )
  }

  const replace: VaultStore['replace'] = async (kind, id, value) =>
    replaced(keyOf(kind, id), new Binary(new Uint8Array(value)))

  async function destroy(kind: SecretKind, id: string): Promise<void> {
    await withCallTimeout(secrets.deleteOne({ _id: keyOf(kind, id) }))
  }

  async function destroyForGood(kind: SecretKind, id: string): Promise<void> {
    const _id = keyOf(kind, id)
    const value = new Binary(new Uint8Array(0))
    // If another process inserts the row in between, replace it.
    if (await replaced(_id, value)) return
    if (!(await insertNew(secrets, withCallTimeout, { _id, value }))) await replaced(_id, value)
  }

  async function replaced(_id: string, value: Binary): Promise<boolean> {
    return (await withCallTimeout(secrets.updateOne({ _id }, { $set: { value } }))).matchedCount > 0
  }

  async function idsOf(kind: SecretKind, after: string | null, limit: number): Promise<readonly string[]> {
    // `0` is the character after the slash.
    const ofKind = { $gt: keyOf(kind, after ?? ''), $lt: `${kind}0` }
    return (await page(ofKind, limit)).map(({ _id }) => referenceOf(_id).id)
  }

  async function scan(after: SecretReference | null, limit: number): Promise<readonly Secret[]> {
    return (await page({ $gt: after === null ? '' : keyOf(after.kind, after.id) }, limit)).map(secretOf)
  }

  async function swap({ kind, id }: SecretReference, before: Uint8Array, after: Uint8Array): Promise<boolean> {
    const found = { _id: keyOf(kind, id), value: new Binary(new Uint8Array(before)) }
    const change = { $set: { value: new Binary(new Uint8Array(after)) } }
    return (await withCallTimeout(secrets.updateOne(found, change))).matchedCount > 0
  }

  return { putIfAbsent, get, replace, destroy, destroyForGood, idsOf, scan, swap }
}

/**
 * Combines concurrent reads of secrets into one command. A page of the log may contain names of thousands of players,
 * each encrypted under its own key; single reads would time out waiting for a connection.
 */
function createSecretLookup(secrets: Collection<Row>, withCallTimeout: CallTimeout) {
  return batching(async (keys: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> => {
    const page = secrets.find({ _id: { $in: [...keys] } }, { batchSize: keys.length + 1 })
    return new Map(
      (await withCallTimeout(page.toArray())).map(({ _id, value }) => [_id, new Uint8Array(value.value())]),
    )
  })
}

/** Rows whose `_id` is in a range, by `_id`. */
function createPages(secrets: Collection<Row>, withCallTimeout: CallTimeout) {
  return (range: { readonly $gt: string; readonly $lt?: string }, limit: number): Promise<Row[]> => {
    const found = secrets
      .find({ _id: range }, { batchSize: Math.min(limit, MAX_BATCH) + 1 })
      .sort({ _id: 1 })
      .limit(limit)
    return withCallTimeout(found.toArray())
  }
}

/** Throws a TypeError for an id with a lone surrogate, because MongoDB does not distinguish those. */
function keyOf(kind: SecretKind, id: string): string {
  if (typeof id !== 'string' || HALF_PAIR.test(id)) throw new TypeError('The id of a secret must be well-formed text')
  if (hasNul(id)) throw new TypeError(`The id of a secret must not hold NUL characters: ${JSON.stringify(id)}`)
  return `${kind}/${id}`
}

const secretOf = ({ _id, value }: Row): Secret => ({ ...referenceOf(_id), value: new Uint8Array(value.value()) })

function referenceOf(key: string): SecretReference {
  const slash = key.indexOf('/')
  return { kind: key.slice(0, slash) as SecretKind, id: key.slice(slash + 1) }
}
