// The read models and the vault in MongoDB pass their contracts: on a single server, and on a replica set, where the
// adapter reads by majority and from snapshots.

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
