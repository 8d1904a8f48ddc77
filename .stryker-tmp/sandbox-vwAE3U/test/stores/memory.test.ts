// The in-memory stores that simulations use pass the same contracts as the real ones.

import { historyChecks, withOwnHistory } from '../contracts/history.ts'
import { logChecks } from '../contracts/log.ts'
import { sign } from '../contracts/sign.ts'
import { vaultChecks } from '../contracts/vault.ts'
import { vaultStoreChecks } from '../contracts/vault-store.ts'
import { viewsChecks } from '../contracts/views.ts'
import { createMemoryLog } from '../memory/log.ts'
import { createMemoryVault } from '../memory/vault.ts'
import { createMemoryViews } from '../memory/views.ts'

sign('the log in memory', logChecks, async () => createMemoryLog())
sign('the history in memory', historyChecks, async () => withOwnHistory(createMemoryLog()))
sign('the read models in memory', viewsChecks, async () => createMemoryViews())
sign('the vault in memory', vaultChecks, async () => createMemoryVault())
sign('the store of secrets in memory', vaultStoreChecks, async () => createMemoryVault())
