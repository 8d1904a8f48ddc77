// The marker of an unfinished import. It stays in the vault until all events and an operator's key are stored; no
// process serves from these stores meanwhile.

import { randomBytes, randomUUID } from 'node:crypto'
import { StoresFault } from '../../stores/contract/faults.ts'
import type { Leases } from '../../stores/contract/leases.ts'
import type { Vault } from '../../stores/contract/vault.ts'
import { IMPORTED } from '../../stores/log-decorators/sealing/open.ts'

const MARKER = { kind: 'installation', id: 'importing' } as const

/** Suffix after the chain once all events are in the log. */
const COMPLETE_SUFFIX = ' whole'
const IMPORT_ID_BYTES = 6

export interface ImportMarker {
  /** Chain hash of the export. */
  readonly chain: string
  /** Whether all events are in the log; later events are not from the import. */
  readonly isComplete: boolean
}

/** The unfinished import, or null. `vault` must decrypt its values. */
export async function readImportMarker(vault: Pick<Vault, 'get'>): Promise<ImportMarker | null> {
  const marker = await vault.get(MARKER.kind, MARKER.id)
  if (marker === null) return null
  const text = Buffer.from(marker).toString()
  const isComplete = text.endsWith(COMPLETE_SUFFIX)
  return { chain: isComplete ? text.slice(0, -COMPLETE_SUFFIX.length) : text, isComplete }
}

export async function writeImportMarker(vault: Vault, chain: string): Promise<void> {
  await vault.destroy(MARKER.kind, MARKER.id)
  await vault.putIfAbsent(MARKER.kind, MARKER.id, Buffer.from(chain))
}

/** Records that all events are in the log. Atomic: without a marker the import could not be resumed. */
export async function markComplete(vault: Vault, chain: string): Promise<void> {
  await vault.replace(MARKER.kind, MARKER.id, Buffer.from(chain + COMPLETE_SUFFIX))
}

/**
 * Gives the stores an import id. With the vault they have the keys of the installation that was exported, and this id
 * alone tells the two apart.
 */
export async function writeImportId(vault: Vault): Promise<void> {
  // The vault of the export may have one.
  await vault.destroy(IMPORTED.kind, IMPORTED.id)
  await vault.putIfAbsent(IMPORTED.kind, IMPORTED.id, Buffer.from(randomBytes(IMPORT_ID_BYTES).toString('hex')))
}

export const deleteImportMarker = (vault: Vault): Promise<void> => vault.destroy(MARKER.kind, MARKER.id)

/** Throws StoresFault if there is an unfinished import. */
export async function refuseUnfinishedImport(vault: Pick<Vault, 'get'>): Promise<void> {
  if ((await readImportMarker(vault)) === null) return
  throw new StoresFault(
    'An import or a restore into these stores was not finished. Run `scorebook history import` with ' +
      'the same export again, which resumes it; or start again with empty stores. A restore starts with an empty data folder.',
  )
}

/** Whether a process uses the stores of these leases, or did within the last seconds. */
export async function areNodesRunning(leases: Leases): Promise<boolean> {
  const id = `import-${randomUUID()}`
  const { used } = await leases.heartbeat({ id, group: null, uses: [] })
  await leases.leave(id)
  return used.length > 0
}
