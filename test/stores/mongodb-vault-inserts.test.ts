// Secrets that concurrent calls put into MongoDB share one command; each caller gets what is stored.

import { expect } from 'chai'
import { type Binary, type Db, MongoBulkWriteError } from 'mongodb'
import { openVault } from '../../stores/mongodb/vault.ts'

interface Row {
  readonly _id: string
  readonly value: Binary
}

/** One collection of secrets in memory. A bulk write is answered after a turn of the event loop. */
function fakeSecrets() {
  const stored = new Map<string, Row>()
  const commands: string[][] = []
  const bulkWrite = async (operations: readonly { readonly insertOne: { readonly document: Row } }[]) => {
    const rows = operations.map(({ insertOne }) => insertOne.document)
    commands.push(rows.map(({ _id }) => _id))
    await new Promise((resolve) => setImmediate(resolve))
    const writeErrors = rows.flatMap((row, index) => {
      if (stored.has(row._id)) return [{ code: 11000, index }]
      stored.set(row._id, row)
      return []
    })
    const result = { insertedCount: rows.length - writeErrors.length, matchedCount: 0, upsertedCount: 0 }
    if (writeErrors.length === 0) return result
    const refused = Object.create(MongoBulkWriteError.prototype)
    throw Object.assign(refused, { writeErrors, result: { ...result, getWriteConcernError: () => undefined } })
  }
  const find = ({ _id }: { readonly _id: { readonly $in: readonly string[] } }) => ({
    toArray: async () => _id.$in.flatMap((id) => stored.get(id) ?? []),
  })
  const db = { collection: () => ({ bulkWrite, find }) } as unknown as Db
  return { commands, vault: openVault(db, { version: '7.0', isReplicated: false, answerMs: 10_000 }) }
}

describe('putting secrets into MongoDB', () => {
  it('sends those of concurrent calls in one command while another one is under way', async () => {
    const { commands, vault } = fakeSecrets()
    const put = (id: string) => vault.putIfAbsent('guest-token', id, Uint8Array.of(1))
    await Promise.all(['a', 'b', 'c', 'd'].map(put))
    expect(commands).to.deep.equal([['guest-token/a'], ['guest-token/b', 'guest-token/c', 'guest-token/d']])
  })

  it('returns to each caller the secret that is stored, also if several put one in the same command', async () => {
    const { commands, vault } = fakeSecrets()
    const put = async (id: string, byte: number) => [
      ...(await vault.putIfAbsent('player-key', id, Uint8Array.of(byte))),
    ]
    const values = [put('a', 1), put('b', 2), put('b', 3), put('a', 4), put('c', 5)]
    expect(await Promise.all(values)).to.deep.equal([[1], [2], [2], [1], [5]])
    expect(commands.length).to.equal(2)
  })
})
