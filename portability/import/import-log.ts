// Loads an export into empty stores. Besides the command handlers it is the only writer of the log. A marker in the
// vault exists from before the first event until after the last, and no process serves from the stores meanwhile.

import { createHash } from 'node:crypto'
import { type WorkingKeys, workingKeys } from '../../credentials/master.ts'
import type { StoredEvent } from '../../domain/event.ts'
import { PERSONAL_FIELDS } from '../../domain/personal.ts'
import { wholeLog } from '../../queries/whole-log.ts'
import { StoresFault } from '../../stores/contract/faults.ts'
import type { OpenedStores, Stores } from '../../stores/contract/stores.ts'
import type { Vault } from '../../stores/contract/vault.ts'
import { openSealed, type RootedKey } from '../../stores/log-decorators/sealing/open.ts'
import type { MasterKeys } from '../../stores/log-decorators/sealing/row.ts'
import { sealVault } from '../../stores/log-decorators/sealing/vault.ts'
import { eventText, restOf, restText } from '../export/event-line.ts'
import type { Manifest } from '../export/manifest.ts'
import { eventsAgain } from '../export/read.ts'
import { appending } from './import-append.ts'
import {
  areNodesRunning,
  deleteImportMarker,
  type ImportMarker,
  markComplete,
  readImportMarker,
  writeImportId,
  writeImportMarker,
} from './import-marker.ts'
import { readVaultFile } from './vault-file.ts'

interface Import {
  /** A verified export folder, and its manifest. */
  readonly folder: string
  readonly manifest: Manifest
  readonly vaultFile: string | null
  /** Progress callback, while events are written and read back. */
  onProgress(phase: 'importing' | 'reading back', done: number): void
  /** Runs when all events are stored, before anything is served; runs again if it was interrupted. */
  finish?(stores: Stores, keys: WorkingKeys): Promise<void>
}

/**
 * Throws StoresFault if the stores are not empty or do not fit the export, with nothing imported; and if the import is
 * interrupted.
 */
export async function importLog(opened: OpenedStores, keys: MasterKeys<RootedKey>, load: Import): Promise<Stores> {
  const { manifest } = load
  const sealed = sealVault(opened.vault, keys)
  const isFresh = (await opened.vault.scan(null, 1)).length === 0
  // Open stores that are not fresh first: it gives the best error if the keys do not match.
  const before = isFresh ? null : await ownOrNone(opened, keys)
  const marker = isFresh ? null : await readImportMarker(before?.vault ?? sealed)
  await refuseLive(opened)
  await refuseUsed(opened, marker, manifest)
  if (load.vaultFile !== null) await takeVault(opened, keys, { isFresh, marker, load })
  else if (isFresh && manifest.keyed > 0) throw otherInstallation(manifest)
  const { stores, root, restoreId } = await openSealed(opened, keys, PERSONAL_FIELDS)
  const working = workingKeys(root, restoreId)
  if (manifest.keyed > 0 && working.installation !== manifest.installation) throw otherInstallation(manifest)
  await writeMarker(opened, stores.vault, marker, manifest.chain)
  if (marker?.chain !== manifest.chain || !marker.isComplete) {
    await writeEvents(opened, stores, load)
    await markComplete(stores.vault, manifest.chain)
  }
  await load.finish?.(stores, working)
  await writeImportId(stores.vault)
  await deleteImportMarker(stores.vault)
  return stores
}

/** The opened stores; null if their vault is only partly filled. */
async function ownOrNone(opened: OpenedStores, keys: MasterKeys<RootedKey>): Promise<Stores | null> {
  if ((await opened.vault.get('installation', 'begun')) === null) return null
  return (await openSealed(opened, keys, PERSONAL_FIELDS)).stores
}

async function refuseLive({ leases }: OpenedStores): Promise<void> {
  if (await areNodesRunning(leases))
    throw new StoresFault('Processes are running on these stores. Stop them all, then import.')
}

/**
 * Writes the marker. A node that starts meanwhile registers its lease before it checks for the marker, so one of the
 * two sees the other and gives up.
 */
async function writeMarker(
  opened: OpenedStores,
  vault: Vault,
  marker: ImportMarker | null,
  chain: string,
): Promise<void> {
  if ((await readImportMarker(vault))?.chain === chain) return
  await writeImportMarker(vault, chain)
  await refuseLive(opened).catch(async (failure: unknown) => {
    // Keep an older marker: its import may be partly stored.
    if (marker === null) await deleteImportMarker(vault)
    throw failure
  })
}

async function refuseUsed({ log, views }: OpenedStores, marker: ImportMarker | null, { chain }: Manifest) {
  if (marker?.chain === chain) return
  if ((await log.head()) !== null) {
    const unfinished = 'It holds part of another export, whose import was not finished. '
    throw new StoresFault(
      `The log is not empty, and an export is loaded into empty stores only. ${marker === null ? '' : unfinished}Nothing was ` +
        'imported. Name another folder with DATA_DIR, or other stores.',
    )
  }
  if ((await views.list()).length > 0) {
    throw new StoresFault(
      'The log is empty, and there are views of another one: empty MongoDB, or remove views.sqlite, and import then.',
    )
  }
}

interface Taking {
  readonly isFresh: boolean
  readonly marker: ImportMarker | null
  readonly load: Import
}

async function takeVault(opened: OpenedStores, keys: MasterKeys<RootedKey>, { isFresh, marker, load }: Taking) {
  const { vault } = opened
  const { vaultFile, manifest } = load
  // Leftovers of another import would mix with these secrets.
  if (!isFresh && marker?.chain !== manifest.chain) {
    throw new StoresFault(
      'The vault is not empty, and a vault can be imported only into an empty one. Nothing was imported.',
    )
  }
  const ids = new Set([keys.current, ...keys.previous].map(({ id }) => id))
  const { installation, secrets } = await readVaultFile(vaultFile ?? '', ids)
  if (manifest.installation !== null && installation !== manifest.installation) {
    throw new StoresFault(`${vaultFile} is the vault of another installation than the export. Nothing was imported.`)
  }
  // Write the marker first, so that an interrupted import is recognised.
  await writeMarker(opened, sealVault(vault, keys), marker, manifest.chain)
  for (let at = 0; at < secrets.length; at += 500) {
    const some = secrets.slice(at, at + 500)
    await Promise.all(some.map(({ kind, id, value }) => vault.putIfAbsent(kind, id, value)))
  }
}

async function writeEvents(opened: OpenedStores, stores: Stores, load: Import): Promise<void> {
  const { folder, manifest, onProgress } = load
  const missingOf = missingIn(stores)
  const append = appending(opened.log, stores.vault)
  const written = createHash('sha256')
  let [done, writing] = [0, Promise.resolve()]
  try {
    for await (const read of eventsAgain(folder, manifest)) {
      for (const { event, line } of read) written.update(restOf(line, event))
      const missing = await missingOf(read.map(({ event }) => event))
      // Read the next batch while this one is written.
      await writing
      onProgress('importing', done)
      writing = append(missing)
      writing.catch(() => {})
      done += read.length
    }
  } finally {
    await writing
  }
  onProgress('importing', done)
  const read = createHash('sha256')
  let count = 0
  for await (const events of wholeLog(stores.log, null, await stores.log.head())) {
    for (const event of events) read.update(restText(event))
    count += events.length
    onProgress('reading back', count)
  }
  const isSame = count === done && read.digest('hex') === written.digest('hex')
  if (!isSame && !(await isAlike(stores, load, count))) {
    throw new StoresFault(
      'The log differs from the export, or has another order: another process wrote to it, or an ' +
        'append between others was lost. No server starts on these stores: start again with empty ones.',
    )
  }
}

/** Compares event by event: another program may have formatted equal events differently. */
async function isAlike(stores: Stores, { folder, manifest }: Import, count: number): Promise<boolean> {
  const missingOf = missingIn(stores)
  let done = 0
  for await (const read of eventsAgain(folder, manifest)) {
    if ((await missingOf(read.map(({ event }) => event))).length > 0) return false
    done += read.length
  }
  return done === count
}

/** Returns which events are not in the log yet, after an interrupted import. Call it in log order. */
function missingIn({ log }: Stores): (events: readonly StoredEvent[]) => Promise<readonly StoredEvent[]> {
  const pages = wholeFrom(log)
  let page: readonly StoredEvent[] = []
  let at = 0
  let isOver = false
  return async (events) => {
    for (const [n, event] of events.entries()) {
      while (!isOver && at === page.length) {
        const { done, value } = await pages.next()
        isOver = done === true
        page = value ?? []
        at = 0
      }
      if (isOver) return events.slice(n)
      const found = page[at++]
      if (found === undefined || eventText(found) !== eventText(event)) throw anotherStands(event)
    }
    return []
  }
}

const anotherStands = ({ revision, stream }: StoredEvent): StoresFault =>
  new StoresFault(
    `Event ${revision} of ${stream} should come next in the log, but another event is there: what an import ` +
      'left here cannot be resumed. Start again with empty stores.',
  )

async function* wholeFrom(log: Stores['log']): AsyncGenerator<readonly StoredEvent[], undefined> {
  for await (const events of wholeLog(log, null, await log.head())) yield events
  return undefined
}

function otherInstallation({ installation, keyed }: Manifest): StoresFault {
  return new StoresFault(
    `The export is of installation ${installation ?? 'unknown'}, and these stores are of another: ${keyed} of its events are in ` +
      'streams named by digests under its root secret (logins, e-mail addresses, external ids, paths of files), which would not ' +
      'be found. Take its vault along: `history export --all --vault <file>` there, `history import --vault <file>` here, with ' +
      'the same MASTER_KEY. Nothing was imported.',
  )
}
