// The vault in MongoDB limits the batch size of its queries, and still returns everything that was requested.

import { expect } from 'chai'
import { type CommandStartedEvent, MongoClient } from 'mongodb'
import { MAX_BATCH } from '../../stores/mongodb/document-rows.ts'
import { openVault } from '../../stores/mongodb/vault.ts'
import { type Databases, databases } from '../servers/ferretdb/database.ts'
import { BUILD_TIMEOUT_MS } from '../servers/ferretdb.ts'

const SECRETS = 5

describe('a scan of the vault in MongoDB', () => {
  let servers: Databases
  before(async function () {
    this.timeout(BUILD_TIMEOUT_MS)
    servers = await databases()
  })
  after(() => servers.end())

  it('uses batches of bounded size, and returns everything', async () => {
    const client = new MongoClient(servers.fresh(), { monitorCommands: true })
    try {
      const vault = openVault(client.db(), { version: '7.0', isReplicated: false, answerMs: 10_000 })
      for (let n = 0; n < SECRETS; n++) await vault.putIfAbsent('player-key', `p-${n}`, new Uint8Array([n]))
      const asked: number[] = []
      client.on('commandStarted', ({ commandName, command }: CommandStartedEvent) => {
        if (commandName === 'find') asked.push(Number(command.batchSize))
      })
      for (const limit of [2, SECRETS, Number.MAX_SAFE_INTEGER]) {
        const found = await vault.scan(null, limit)
        expect(found.map(({ id }) => id)).to.deep.equal(
          Array.from({ length: Math.min(limit, SECRETS) }, (_, n) => `p-${n}`),
        )
      }
      expect(asked).to.deep.equal([3, SECRETS + 1, MAX_BATCH + 1])
    } finally {
      await client.close()
    }
  })
})
