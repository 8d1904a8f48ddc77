// The vault in MongoDB. What lies here is sealed under the master key, which no server of MongoDB knows: its journal, its
// operation log and its free pages hold a destroyed secret's sealed bytes until they are written over, so that "gone for
// good" is also a matter of the key.

import { Binary, type Db, MongoServerError } from 'mongodb'
import type { SecretKind, Vault } from '../contract/vault.ts'
import { DUPLICATE_KEY, type Server } from './check.ts'
import { patience } from './patience.ts'

interface Secret {
  /** `<kind>/<id>`; no kind holds a slash. */
  readonly _id: string
  readonly value: Binary
}

const HALF_PAIR = /\p{Surrogate}/u
const ATTEMPTS = 100
const PAUSE_MS = 50

export function openVault(db: Db, { answerMs }: Server): Omit<Vault, 'close'> {
  const inTime = patience(answerMs)
  const secrets = db.collection<Secret>('secrets')

  async function get(kind: SecretKind, id: string): Promise<Uint8Array | null> {
    const found = await inTime(secrets.findOne({ _id: keyOf(kind, id) }))
    return found === null ? null : new Uint8Array(found.value.value())
  }

  async function putIfAbsent(kind: SecretKind, id: string, value: Uint8Array): Promise<Uint8Array> {
    const _id = keyOf(kind, id)
    const bytes = new Uint8Array(value)
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      if (await inserted({ _id, value: new Binary(bytes) })) return bytes
      const standing = await get(kind, id)
      if (standing !== null) return standing
      // The one that was first is destroyed again, or no majority has it yet.
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
    throw new Error(`A secret of kind ${kind} is there and cannot be read: no majority of MongoDB has acknowledged it`)
  }

  async function inserted(secret: Secret): Promise<boolean> {
    try {
      await inTime(secrets.insertOne(secret))
      return true
    } catch (failure) {
      if (failure instanceof MongoServerError && failure.code === DUPLICATE_KEY) return false
      throw failure
    }
  }

  async function replace(kind: SecretKind, id: string, value: Uint8Array): Promise<boolean> {
    const bytes = new Binary(new Uint8Array(value))
    const { matchedCount } = await inTime(secrets.updateOne({ _id: keyOf(kind, id) }, { $set: { value: bytes } }))
    return matchedCount > 0
  }

  async function destroy(kind: SecretKind, id: string): Promise<void> {
    await inTime(secrets.deleteOne({ _id: keyOf(kind, id) }))
  }

  return { putIfAbsent, get, replace, destroy }
}

/** Throws a TypeError for an id with half a surrogate pair: MongoDB would take all of those for one. */
function keyOf(kind: SecretKind, id: string): string {
  if (typeof id !== 'string' || HALF_PAIR.test(id)) throw new TypeError('The id of a secret must be well-formed text')
  return `${kind}/${id}`
}
