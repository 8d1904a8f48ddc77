// Every contract check must fail for a store that does nothing.

import { doNothingFiles } from '../contracts/do-nothing-files.ts'
import { doNothingLeases } from '../contracts/do-nothing-leases.ts'
import { doNothingLog } from '../contracts/do-nothing-log.ts'
import { doNothingRates } from '../contracts/do-nothing-rates.ts'
import { doNothingRevocations } from '../contracts/do-nothing-revocations.ts'
import { doNothingRooms } from '../contracts/do-nothing-rooms.ts'
import { doNothingTransient } from '../contracts/do-nothing-transient.ts'
import { doNothingVault } from '../contracts/do-nothing-vault.ts'
import { doNothingViews } from '../contracts/do-nothing-views.ts'
import { filesChecks } from '../contracts/files.ts'
import { historyChecks, withOwnHistory } from '../contracts/history.ts'
import { leasesChecks } from '../contracts/leases.ts'
import { logChecks } from '../contracts/log.ts'
import { ratesChecks } from '../contracts/rates.ts'
import { revocationsChecks } from '../contracts/revocations.ts'
import { roomsChecks } from '../contracts/rooms.ts'
import { failsOnNothing } from '../contracts/sign.ts'
import { transientChecks } from '../contracts/transient.ts'
import { vaultChecks } from '../contracts/vault.ts'
import { vaultStoreChecks } from '../contracts/vault-store.ts'
import { viewsChecks } from '../contracts/views.ts'

failsOnNothing('a log that does nothing', logChecks, doNothingLog)
failsOnNothing('a history that does nothing', historyChecks, async () => withOwnHistory(await doNothingLog()))
failsOnNothing('read models that do nothing', viewsChecks, doNothingViews)
failsOnNothing('a vault that does nothing', vaultChecks, doNothingVault)
failsOnNothing('a store of secrets that does nothing', vaultStoreChecks, doNothingVault)
failsOnNothing('short-lived things that nothing holds', transientChecks, doNothingTransient)
failsOnNothing('revocations that nobody hears of', revocationsChecks, doNothingRevocations)
failsOnNothing('token buckets that admit everybody', ratesChecks, doNothingRates)
failsOnNothing('leases that nobody gets', leasesChecks, async () => async (leaseMs) => doNothingLeases(leaseMs))
failsOnNothing('rooms where nobody sits', roomsChecks(3), async () => async () => doNothingRooms())
failsOnNothing('bytes that nobody keeps', filesChecks, doNothingFiles)
