// Checks that the stores open under this master key and belong together. If they are in use, names the program.

import { existsSync } from 'node:fs'
import { readdir, readFile, readlink, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { type MasterSecrets, sealingKeys, workingKeys } from '../credentials/master.ts'
import { PERSONAL_FIELDS } from '../domain/personal.ts'
import { readImportMarker } from '../portability/import/import-marker.ts'
import { messageOf } from '../runtime/repeated-failures.ts'
import type { Config } from '../server/config.ts'
import { type FilesClaim, filesClaimOf } from '../server/installation.ts'
import { newestTimeOf, timeOfHead } from '../server/node-clock.ts'
import { openFilesOwner, storesNamed } from '../server/open-stores.ts'
import { operatorFile } from '../server/operator.ts'
import { FolderInUse, StoresFault, StoreUnavailable } from '../stores/contract/faults.ts'
import type { OpenedStores } from '../stores/contract/stores.ts'
import { masterKeysOf } from '../stores/embedded/data-folder.ts'
import { DerivedDamaged } from '../stores/embedded/derived-database.ts'
import { NoAccess } from '../stores/embedded/no-access.ts'
import { openSealed } from '../stores/log-decorators/sealing/open.ts'
import type { MasterKeys } from '../stores/log-decorators/sealing/row.ts'
import { sealVault } from '../stores/log-decorators/sealing/vault.ts'
import { ADOPT, ownerIn, ownerText } from '../stores/owned/ownership.ts'
import { type CheckedLog, checkRevisions } from '../stores/support/check-revisions.ts'
import type { Finding } from './doctor-finding.ts'
import { checkServers } from './doctor-servers.ts'
import { readKeyFile } from './key-files.ts'
import { openQuietly } from './own-stores.ts'
import { faultLines, faultsCounted, repairAdvice } from './revision-faults.ts'
import type { Terminal } from './terminal.ts'

const NAME = 'stores'

interface StoresFound {
  readonly findings: readonly Finding[]
  /** The latest time of all events; null if there is none or the log cannot be read. */
  readonly newest: string | null
}

/** `served`: a server of this configuration is ready and has the stores open. */
export async function checkStores(
  config: Config,
  served: boolean,
  url: string,
  terminal: Terminal,
): Promise<StoresFound> {
  const { dataDir } = config
  const servers = await checkServers(config)
  if (servers.some(({ state }) => state === 'fail')) return { findings: servers, newest: null }
  const file = embeddedFile(config)
  const isBegun = file !== null && existsSync(file)
  // Opening a missing store would create it.
  if (file !== null && !isBegun) {
    const detail = 'not there yet: the first start makes them'
    return { findings: [...servers, { name: NAME, state: 'ok', detail }], newest: null }
  }
  let unreadable: NoAccess | null = null
  const master = await masterKeysOf(dataDir, config).catch((failure: unknown) => {
    if (failure instanceof NoAccess) unreadable = failure
    return null
  })
  if (unreadable !== null) return { findings: [...servers, notAccessible(unreadable)], newest: null }
  if (master === null && isBegun) return { findings: [...servers, keyLost(dataDir)], newest: null }
  const failed = async (failure: unknown): Promise<StoresFound> => ({
    findings: [...servers, await heldOrBroken(file, failure, served, url)],
    newest: null,
  })
  let stores: OpenedStores
  try {
    stores = await openQuietly(config, terminal)
  } catch (failure) {
    return failed(failure)
  }
  try {
    const checked = await examineStores(stores, master, config)
    const more = served && config.servers === null ? [elsewhere(url)] : []
    return { ...checked, findings: [...servers, ...checked.findings, ...more] }
  } catch (failure) {
    // A damaged page is found by the first read of it.
    if (!(failure instanceof StoresFault || failure instanceof DerivedDamaged)) throw failure
    return failed(failure)
  } finally {
    await stores.close()
  }
}

/** A file that only one process can have open; null if the stores are on servers. */
const embeddedFile = ({ dataDir, servers }: Config): string | null =>
  servers === null ? join(dataDir, 'log.sqlite') : null

const keyLost = (dataDir: string): Finding => ({
  name: 'master key',
  state: 'fail',
  detail: `${join(dataDir, 'secrets.json')} is missing or contains no master key, but there is a log`,
  fix: 'Restore it, or set MASTER_KEY: without it no secret can be decrypted.',
})

const notAccessible = ({ what, todo }: NoAccess): Finding => ({ name: NAME, state: 'fail', detail: what, fix: todo })

async function heldOrBroken(file: string | null, failure: unknown, served: boolean, url: string): Promise<Finding> {
  const holder = file === null ? null : await currentClaim(file)
  const text = messageOf(failure)
  if (failure instanceof NoAccess) return notAccessible(failure)
  if (holder === null && !(failure instanceof FolderInUse)) {
    return { name: NAME, state: 'fail', detail: text, fix: fixOfFiles(file, failure) }
  }
  const who = holder ?? 'another program'
  if (served) {
    const detail = `open in the running server: ${who}; \`npx scorebook verify\` checks what is in them`
    return { name: NAME, state: 'ok', detail }
  }
  const fix = `It does not answer at ${url}. Stop it, or set PORT to where it serves.`
  return { name: NAME, state: 'fail', detail: `held by ${who}`, fix }
}

/**
 * Damage of a file that is built from the log is no reason to restore a backup, which has fewer events than the log.
 */
function fixOfFiles(file: string | null, failure: unknown): string {
  if (failure instanceof DerivedDamaged) return 'Start the server: it builds the file from the log. Check the disk.'
  return file === null ? 'Run doctor again.' : 'Restore the data folder from a backup.'
}

/** The stores could be opened, so the server at that address uses others. */
function elsewhere(url: string): Finding {
  const detail = `what serves at ${url} has another data folder than this`
  return { name: 'data folder', state: 'warn', detail, fix: 'Set DATA_DIR to the value that server has.' }
}

async function examineStores(stores: OpenedStores, master: MasterSecrets | null, config: Config): Promise<StoresFound> {
  const last = await timeOfHead(stores.log)
  const newest = await newestTimeOf(stores, new Date().toISOString())
  const since = last === null ? 'the log is empty' : `last event ${last}`
  const ofLog = await checkLog(stores)
  const findings: Finding[] = [{ name: NAME, state: 'ok', detail: `${storesNamed(config)}: they open; ${since}` }]
  if (ofLog !== null) findings.push(ofLog)
  const checks = [await checkAnchors(stores, config)]
  if (master !== null) checks.push(...(await checkKeys(stores, master, config)))
  else if (last !== null) checks.push(keyLost(config.dataDir))
  return { findings: [...findings, ...checks.filter((check) => check !== null)], newest }
}

const UNFINISHED_IMPORT: Finding = {
  name: 'import',
  state: 'fail',
  detail: 'an import was not finished',
  fix: 'Run `scorebook history import` with the same export again to resume; or start again with empty stores.',
}

/** The checks of a server start, but without creating anything in new stores. */
async function checkKeys(
  stores: OpenedStores,
  master: MasterSecrets,
  config: Config,
): Promise<readonly (Finding | null)[]> {
  const keys = sealingKeys(master)
  const looking = { ...stores.vault, putIfAbsent: async (_kind: unknown, _id: unknown, value: Uint8Array) => value }
  let fileStore: Finding | null = null
  try {
    const { stores: own, root, ...origin } = await openSealed({ ...stores, vault: looking }, keys, PERSONAL_FIELDS)
    if ((await readImportMarker(own.vault)) !== null) return [UNFINISHED_IMPORT]
    const claim = filesClaimOf(workingKeys(root, origin.restoreId), origin)
    // Stores without an installation have a new id at each look.
    if ((await stores.vault.get('installation', 'begun')) !== null) fileStore = await checkFileStore(config, claim)
  } catch (failure) {
    if (!(failure instanceof StoresFault)) throw failure
    const fix = 'Set MASTER_KEY (or restore secrets.json) to the key that encrypts them, or restore their vault.'
    return [{ name: 'master key', state: 'fail', detail: failure.message, fix }]
  }
  return [await checkOperator(stores, keys, config), fileStore]
}

/** A view remembers the event at its checkpoint. A different event there means that the log was replaced. */
async function checkAnchors({ log, views }: OpenedStores, config: Config): Promise<Finding | null> {
  for (const view of await views.list()) {
    for (const { position, eventId } of (await views.checkpoints(view)).values()) {
      if ((await log.eventAt(position))?.id === eventId) continue
      const detail = `view ${view} was built from another log than this one`
      return { name: 'views', state: 'fail', detail, fix: fixOfViews(config) }
    }
  }
  return null
}

/**
 * Never suggests to delete the whole database: it also contains the vault, without which no secret can be decrypted.
 */
function fixOfViews({ servers, redisPrefix }: Config): string {
  const views =
    servers === null
      ? 'views.sqlite'
      : `in MongoDB the collections \`views\` and \`view.…\`, and never \`secrets\`; in Redis the keys that begin with ${redisPrefix}`
  return `With the server stopped, delete the views (${views}): the next start rebuilds them.`
}

async function checkOperator({ vault }: OpenedStores, keys: MasterKeys, config: Config): Promise<Finding> {
  const name = 'operator key'
  const file = operatorFile(config.dataDir)
  const command = `\`npx scorebook init --new-key\`${embeddedFile(config) === null ? '' : ' (with the server stopped)'}`
  const kept = await readKeyFile(file).catch(() => null)
  if (kept === null || kept.key.secret === undefined) {
    return { name, state: 'warn', detail: `none in ${file}`, fix: `${command} issues one.` }
  }
  const sealed = sealVault(vault, keys)
  const secret = await sealed.get('key-secret', kept.key.prefix)
  if (secret !== null && Buffer.from(secret).toString() === kept.key.secret) {
    return { name, state: 'ok', detail: `${kept.key.prefix}, in ${file}` }
  }
  return { name, state: 'fail', detail: `${file} is not a key of these stores`, fix: `${command} issues another one.` }
}

/** The program that has a file open, as `node (pid 17)`; null if there is none or the system does not report it. */
async function currentClaim(path: string): Promise<string | null> {
  const wanted = await realpath(path).catch(() => path)
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  for (const pid of pids) {
    if (Number(pid) === process.pid) continue
    for (const fd of await readdir(`/proc/${pid}/fd`).catch(() => [])) {
      if ((await readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')) !== wanted) continue
      const program = (await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')).trim()
      return `${program} (pid ${pid})`
    }
  }
  return null
}

const STREAMS_NAMED = 10

/** Null for a log on a server, which assigns the revisions itself. Reads the whole log. */
async function checkLog({ log, revisions }: CheckedLog): Promise<Finding | null> {
  if (revisions === undefined) return null
  const name = 'revisions'
  const checking = checkRevisions({ log, revisions })
  let step = await checking.next()
  while (step.done !== true) step = await checking.next()
  const found = step.value
  if (found.found === 0) return { name, state: 'ok', detail: 'no stream of the log has a gap or a duplicate' }
  const named = faultLines(found, STREAMS_NAMED).join('; ')
  const more = found.found > STREAMS_NAMED ? '; …' : ''
  return { name, state: 'fail', detail: `${faultsCounted(found)}: ${named}${more}`, fix: repairAdvice('npx scorebook') }
}

export const FILE_STORE = 'file store'

/** Only reads. Null if nothing is to be said: there is no store, or this installation marks it at its next start. */
async function checkFileStore(
  config: Config,
  { owner: installation, isRestored }: FilesClaim,
): Promise<Finding | null> {
  const marker = await openFilesOwner(config)
  if (marker === null) return null
  try {
    const owner = ownerIn(await marker.read(), installation)
    if (owner.kind === 'this')
      return { name: FILE_STORE, state: 'ok', detail: `belongs to this installation, ${installation}` }
    if (owner.kind === 'none' && !isRestored) return null
    const effects = 'uploads are 503 files_off, and nothing in it is deleted'
    const detail = `${ownerText(owner)}, and this installation is ${installation}: ${effects}`
    return { name: FILE_STORE, state: 'warn', detail, fix: ADOPT }
  } catch (failure) {
    if (!(failure instanceof StoreUnavailable)) throw failure
    return {
      name: FILE_STORE,
      state: 'fail',
      detail: failure.message,
      fix: 'Check FILES_DIR, or S3_URL and the store.',
    }
  } finally {
    marker.close()
  }
}
