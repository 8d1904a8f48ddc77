// The stores as the program uses them: what is secret or personal in them sealed, under the very master key that they were
// begun with.

import type { Log } from '../contract/log.ts'
import { StoreAway, type Stores, StoresFault } from '../contract/stores.ts'
import type { Vault } from '../contract/vault.ts'
import { sealHistory, sealLog } from './log.ts'
import { type MasterKey, sealVault } from './vault.ts'

/** Throws StoresFault for another master key than the vault's, and for a log whose vault is lost. */
export async function openSealed(
  opened: Stores,
  seal: MasterKey,
  personalFields: Readonly<Record<string, readonly string[]>>,
): Promise<Stores> {
  const vault = sealVault(opened.vault, { current: seal, previous: [] })
  await checkMasterKey(vault, opened.log)
  const history = opened.history === null ? null : sealHistory(opened.history, vault, personalFields)
  return { ...opened, vault, log: sealLog(opened.log, vault, personalFields), history }
}

const MARK = 'begun'

/** A value sealed at the beginning opens only under the key of the beginning. */
async function checkMasterKey(vault: Vault, log: Log): Promise<void> {
  const mark = await vault.get('installation', MARK).catch((cause: unknown) => {
    if (cause instanceof StoreAway) throw new StoresFault(cause.message)
    throw Object.assign(
      new StoresFault('The master key is not the one that this installation was begun with. Give that one.'),
      { cause },
    )
  })
  if (mark !== null) return
  if ((await log.head()) !== null) {
    throw new StoresFault(
      'The log is not empty, and its vault is: restore the vault, else nobody can prove who they are.',
    )
  }
  await vault.putIfAbsent('installation', MARK, new Uint8Array([1]))
}
