// The read models and the vault in MongoDB pass their contracts: on a single server, and on a replica set, where the
// adapter reads by majority and from snapshots.

import { expect } from 'chai'
import { type CommandStartedEvent, MongoClient } from 'mongodb'
import { MAX_BATCH } from '../../stores/mongodb/document-rows.ts'
import { openVault } from '../../stores/mongodb/vault.ts'
import { testContract } from '../contracts/test-contract.ts'
import { vaultChecks } from '../contracts/vault.suite.ts'
import { vaultStoreChecks } from '../contracts/vault-store.suite.ts'
import { viewsChecks } from '../contracts/views.suite.ts'
import { type Databases, databases, GIVEN_URL } from '../servers/ferretdb/database.ts'
import { BUILD_TIMEOUT_MS } from '../servers/ferretdb.ts'

for (const replicaSet of GIVEN_URL === undefined ? [false, true] : [false]) {
  describe(
    GIVEN_URL === undefined ? `on FerretDB${replicaSet ? ' as a replica set' : ''}` : 'on the MongoDB given',
    () => {
      let servers: Databases
      before(async function () {
        this.timeout(BUILD_TIMEOUT_MS)
        servers = await databases({ replicaSet })
      })
      after(() => servers.end())

      testContract('the read models in MongoDB', viewsChecks, async () => (await servers.open()).views)
      testContract('the vault in MongoDB', vaultChecks, async () => (await servers.open()).vault)
      testContract('the store of secrets in MongoDB', vaultStoreChecks, async () => (await servers.open()).vault)
    },
  )
}

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
