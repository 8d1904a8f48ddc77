// The marker of an unfinished import. It stays in the vault until all events and an operator's key are stored; no
// process serves from these stores meanwhile.

import { StoresFault } from '../stores/contract/faults.ts'
import type { Vault } from '../stores/contract/vault.ts'

const MARK = { kind: 'installation', id: 'importing' } as const

/** Behind the chain, once all events stand in the log. */
const WHOLE = ' whole'

export interface ImportBegun {
  /** Of the export. */
  readonly chain: string
  /** Whether all events were found to be there: what comes after them is not the import's. */
  readonly isWhole: boolean
}

/** The import that was begun and not finished; null where none was. `vault` opens what is sealed in it. */
export async function importBegun(vault: Pick<Vault, 'get'>): Promise<ImportBegun | null> {
  const mark = await vault.get(MARK.kind, MARK.id)
  if (mark === null) return null
  const text = Buffer.from(mark).toString()
  const isWhole = text.endsWith(WHOLE)
  return { chain: isWhole ? text.slice(0, -WHOLE.length) : text, isWhole }
}

export async function markImport(vault: Vault, chain: string): Promise<void> {
  await vault.destroy(MARK.kind, MARK.id)
  await vault.putIfAbsent(MARK.kind, MARK.id, Buffer.from(chain))
}

/** All events of the import stand in the log. In one step: without a mark, nobody could go on. */
export async function markWhole(vault: Vault, chain: string): Promise<void> {
  await vault.replace(MARK.kind, MARK.id, Buffer.from(chain + WHOLE))
}

export const importEnded = (vault: Vault): Promise<void> => vault.destroy(MARK.kind, MARK.id)

/** Throws StoresFault where an import was begun and not finished. */
export async function refuseHalfImport(vault: Pick<Vault, 'get'>): Promise<void> {
  if ((await importBegun(vault)) === null) return
  throw new StoresFault(
    'An import into these stores was begun and not finished. Run `scorebook history import` with ' +
      'the same export again, which goes on where it ended; or start again with empty stores.',
  )
}
