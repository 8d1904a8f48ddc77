// The in-memory stores that simulations use pass the same contracts as the real ones.

import { historyChecks, withOwnHistory } from '../contracts/history.suite.ts'
import { logChecks } from '../contracts/log.suite.ts'
import { testContract } from '../contracts/test-contract.ts'
import { vaultChecks } from '../contracts/vault.suite.ts'
import { vaultStoreChecks } from '../contracts/vault-store.suite.ts'
import { viewsChecks } from '../contracts/views.suite.ts'
import { createMemoryLog } from '../memory/log.ts'
import { createMemoryVault } from '../memory/vault.ts'
import { createMemoryViews } from '../memory/views.ts'

testContract('the log in memory', logChecks, async () => createMemoryLog())
testContract('the history in memory', historyChecks, async () => withOwnHistory(createMemoryLog()))
testContract('the read models in memory', viewsChecks, async () => createMemoryViews())
testContract('the vault in memory', vaultChecks, async () => createMemoryVault())
testContract('the store of secrets in memory', vaultStoreChecks, async () => createMemoryVault())
