// Makes a new installation of stores whose log and vault were restored by other means, such as backups of database
// servers. It leaves them as a restore of `scorebook backup` does: what was issued before is refused, and views are
// rebuilt.

import { workingKeys } from '../../credentials/master.ts'
import type { Position, StoredEvent } from '../../domain/event.ts'
import { PERSONAL_FIELDS } from '../../domain/personal.ts'
import { StoresFault } from '../../stores/contract/faults.ts'
import type { OpenedStores } from '../../stores/contract/stores.ts'
import { SESSION_KINDS } from '../../stores/contract/vault.ts'
import { openSealed, RESTORED, type RootedKey } from '../../stores/log-decorators/sealing/open.ts'
import type { MasterKeys } from '../../stores/log-decorators/sealing/row.ts'
import { vaultPages } from '../../stores/log-decorators/sealing/vault.ts'
import { areNodesRunning, refuseUnfinishedImport } from '../import/import-marker.ts'
import { collectKnownSecrets, type KnownSecrets } from './known-secrets.ts'
import { newRestoreId } from './restore.ts'

/** Events or secrets per read. */
const PAGE = 500
/** Up to where deletions were checked against the vault: without it the next start checks all of them again. */
const PROGRESS = { kind: 'installation', id: 'deletions' } as const

interface Renewed {
  readonly installation: string
  readonly sessions: number
  /** Further secrets that were destroyed: no player, login or key of the log has them. */
  readonly unknownSecrets: number
  readonly views: number
}

/**
 * Can be repeated after an interruption. No process may run on the stores: throws StoresFault if one does, if the log
 * is empty or is not the log of this vault, or if the master key does not open the vault.
 */
export async function renewInstallation(
  opened: OpenedStores,
  keys: MasterKeys<RootedKey>,
  onProgress: (events: number, last: Position, head: Position) => void,
): Promise<Renewed> {
  const head = await opened.log.head()
  if (head === null) throw new StoresFault('The log is empty: restore it first.')
  const { stores, root } = await openSealed(opened, keys, PERSONAL_FIELDS)
  await refuseUnfinishedImport(stores.vault)
  await refuseRunning(opened)
  const known = await secretsOfLog(opened.log, (events, last) => onProgress(events, last, head))
  await refuseOtherLog(opened, known)
  const views = await opened.views.list()
  for (const view of views) await opened.views.drop(view)
  const destroyed = await destroyUnknownSecrets(opened, known)
  await stores.vault.destroy(PROGRESS.kind, PROGRESS.id)
  const restoreId = newRestoreId()
  const value = Buffer.from(restoreId)
  // The last step, and never without an id in between: until then the old one, or none, is in force.
  const isReplaced = await stores.vault.replace(RESTORED.kind, RESTORED.id, value)
  if (!isReplaced) await stores.vault.putIfAbsent(RESTORED.kind, RESTORED.id, value)
  return { installation: workingKeys(root, restoreId).installation, ...destroyed, views: views.length }
}

async function refuseRunning({ leases }: OpenedStores): Promise<void> {
  if (!(await areNodesRunning(leases))) return
  throw new StoresFault(
    'A process of this installation is running, or ended within the last seconds. Stop all of them, and run this again.',
  )
}

async function secretsOfLog(
  log: OpenedStores['log'],
  onProgress: (events: number, last: Position) => void,
): Promise<KnownSecrets> {
  const known = collectKnownSecrets()
  let events = 0
  for (let after: Position | null = null; ; ) {
    const page: readonly StoredEvent[] = await log.readAll(after, PAGE)
    const last = page.at(-1)
    if (last === undefined) return known
    for (const event of page) known.add(event)
    events += page.length
    after = last.position
    onProgress(events, after)
  }
}

/**
 * Throws StoresFault if the log names none of the keys and people of the vault: it is another log, and all of them
 * would be destroyed. A log that was copied before the first of them looks the same.
 */
async function refuseOtherLog({ vault }: OpenedStores, known: KnownSecrets): Promise<void> {
  let strangers = 0
  for await (const page of vaultPages(vault, PAGE)) {
    // Secrets of sessions and of the installation do not show whether the log and the vault belong together.
    const lasting = page.filter(({ kind }) => kind !== 'installation' && !SESSION_KINDS.includes(kind))
    if (lasting.some((secret) => known.has(secret))) return
    strangers += lasting.length
  }
  if (strangers === 0) return
  throw new StoresFault(
    `The log names none of the ${strangers} keys and people of the vault, so it is not the log of this vault. Nothing was changed. ` +
      'Check which log and which database the settings name.',
  )
}

/** Also those of sessions. */
async function destroyUnknownSecrets(
  { vault }: OpenedStores,
  known: KnownSecrets,
): Promise<Pick<Renewed, 'sessions' | 'unknownSecrets'>> {
  let [sessions, unknownSecrets] = [0, 0]
  for await (const page of vaultPages(vault, PAGE)) {
    const unknown = page.filter((secret) => !known.has(secret))
    await Promise.all(unknown.map(({ kind, id }) => vault.destroy(kind, id)))
    sessions += unknown.filter(({ kind }) => kind === 'refresh-token').length
    unknownSecrets += unknown.filter(({ kind }) => !SESSION_KINDS.includes(kind)).length
  }
  return { sessions, unknownSecrets }
}
