// The mark of an import that was begun: it lies in the vault until all of it is there. Nothing is served from half a log.

import { StoresFault } from '../stores/contract/faults.ts'
import type { Vault } from '../stores/contract/vault.ts'

const MARK = { kind: 'installation', id: 'importing' } as const

/** The chain of the export whose import was begun and not finished; null where none was. `vault` opens what is sealed in it. */
export async function importBegun(vault: Pick<Vault, 'get'>): Promise<string | null> {
  const mark = await vault.get(MARK.kind, MARK.id)
  return mark === null ? null : Buffer.from(mark).toString()
}

export async function markImport(vault: Vault, chain: string): Promise<void> {
  await vault.destroy(MARK.kind, MARK.id)
  await vault.putIfAbsent(MARK.kind, MARK.id, Buffer.from(chain))
}

export const importEnded = (vault: Vault): Promise<void> => vault.destroy(MARK.kind, MARK.id)

/** Throws StoresFault where an import was begun and not finished. */
export async function refuseHalfImport(vault: Pick<Vault, 'get'>): Promise<void> {
  if ((await importBegun(vault)) === null) return
  throw new StoresFault(
    'An import into these stores was begun and not finished: part of the log is missing. Run `scorebook history import` with ' +
      'the same export again, which goes on where it ended; or begin anew with empty stores.',
  )
}
