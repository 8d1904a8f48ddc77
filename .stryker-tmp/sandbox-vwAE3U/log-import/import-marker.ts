// The marker of an unfinished import. It stays in the vault until all events and an operator's key are stored; no
// process serves from these stores meanwhile.

import { StoresFault } from '../stores/contract/faults.ts'
import type { Vault } from '../stores/contract/vault.ts'

const MARK = { kind: 'installation', id: 'importing' } as const

/** Suffix after the chain once all events are in the log. */
const WHOLE = ' whole'

export interface ImportBegun {
  /** Chain hash of the export. */
  readonly chain: string
  /** Whether all events are in the log; later events are not from the import. */
  readonly isWhole: boolean
}

/** The unfinished import, or null. `vault` must decrypt its values. */
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

/** Records that all events are in the log. Atomic: without a marker the import could not be resumed. */
export async function markWhole(vault: Vault, chain: string): Promise<void> {
  await vault.replace(MARK.kind, MARK.id, Buffer.from(chain + WHOLE))
}

export const importEnded = (vault: Vault): Promise<void> => vault.destroy(MARK.kind, MARK.id)

/** Throws StoresFault if there is an unfinished import. */
export async function refuseUnfinishedImport(vault: Pick<Vault, 'get'>): Promise<void> {
  if ((await importBegun(vault)) === null) return
  throw new StoresFault(
    'An import into these stores was begun and not finished. Run `scorebook history import` with ' +
      'the same export again, which goes on where it ended; or start again with empty stores.',
  )
}
