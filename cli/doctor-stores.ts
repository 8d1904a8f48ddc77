// Whether the stores open, under this master key, and fit each other; and where they do not open, which program has them.

import { existsSync } from 'node:fs'
import { readdir, readFile, readlink, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { workingKeys } from '../credentials/master.ts'
import { isEmbedded, openStores, storesNamed } from '../open-stores.ts'
import { operatorFile } from '../operator.ts'
import { type Stores, StoresFault } from '../stores/contract/stores.ts'
import { readJson, type Secrets } from '../stores/embedded/data-folder.ts'
import { sealVault } from '../stores/sealing/vault.ts'
import type { Finding } from './doctor-finding.ts'
import { readKeyFile } from './key-files.ts'

const NAME = 'stores'

export interface StoresFound {
  readonly findings: readonly Finding[]
  /** When the last event was recorded; null where there is none, or the log could not be looked into. */
  readonly lastEventMs: number | null
}

/** `served`: a server of this configuration is ready, and the stores are its. */
export async function checkStores(config: Config, served: boolean, url: string): Promise<StoresFound> {
  const { dataDir } = config
  const log = join(dataDir, 'log.sqlite')
  if (isEmbedded(config) && !existsSync(log))
    return only({ name: NAME, state: 'ok', detail: 'not there yet: the first start makes them' })
  const master = await masterKey(config)
  if (master === null) {
    const detail = `${join(dataDir, 'secrets.json')} is missing or holds no master key, and there is a log`
    return only({
      name: NAME,
      state: 'fail',
      detail,
      mend: 'Restore it, or set MASTER_KEY: without it no secret opens.',
    })
  }
  const warned: string[] = []
  let stores: Stores
  try {
    stores = await openStores(config, { onFailure: () => {}, warn: (message) => warned.push(message), now: Date.now })
  } catch (failure) {
    if (failure instanceof StoresFault && !isEmbedded(config)) return only(ofServers(failure))
    return only(await heldOrBroken(log, failure, served, url))
  }
  try {
    const looked = await lookInto(stores, master, config)
    const found = { ...looked, findings: [...warned.map(asWarning), ...looked.findings] }
    return served && isEmbedded(config) ? { ...found, findings: [...found.findings, elsewhere(url)] } : found
  } finally {
    await stores.close()
  }
}

const MEND_SERVER = 'Mend it there, or give the address of another server.'

const asWarning = (detail: string): Finding => ({ name: NAME, state: 'warn', detail, mend: MEND_SERVER })

const ofServers = ({ message: detail }: StoresFault): Finding => ({
  name: NAME,
  state: 'fail',
  detail,
  mend: MEND_SERVER,
})

async function heldOrBroken(log: string, failure: unknown, served: boolean, url: string): Promise<Finding> {
  const holder = await holderOf(log)
  const told = failure instanceof Error ? failure.message : String(failure)
  if (holder === null && !told.includes('is in use')) {
    return { name: NAME, state: 'fail', detail: told, mend: 'Restore the data folder from a backup.' }
  }
  const who = holder ?? 'another program'
  if (served) return { name: NAME, state: 'ok', detail: `open in the running server: ${who}` }
  const mend = `It does not answer at ${url}. Stop it, or set PORT to where it serves.`
  return { name: NAME, state: 'fail', detail: `held by ${who}`, mend }
}

/** They could be opened, so that whatever serves at that address has others. */
function elsewhere(url: string): Finding {
  const detail = `what serves at ${url} has another data folder than this`
  return { name: 'data folder', state: 'warn', detail, mend: 'Set DATA_DIR as it was set for that server.' }
}

const only = (finding: Finding): StoresFound => ({ findings: [finding], lastEventMs: null })

async function masterKey({ dataDir, masterKey: given }: Config): Promise<Uint8Array | null> {
  if (given !== null) return given
  const secrets = await readJson<Secrets>(join(dataDir, 'secrets.json')).catch(() => null)
  return secrets?.masterKey === undefined ? null : Buffer.from(secrets.masterKey, 'base64url')
}

async function lookInto(stores: Stores, master: Uint8Array, config: Config): Promise<StoresFound> {
  const head = await stores.log.head()
  const last = head === null ? null : await stores.log.eventAt(head)
  const lastEventMs = last === null ? null : Date.parse(last.meta.time)
  const since = last === null ? 'the log is empty' : `last event ${last.meta.time}`
  const findings: Finding[] = [{ name: NAME, state: 'ok', detail: `${storesNamed(config)}: they open; ${since}` }]
  for (const check of [await checkAnchors(stores), await checkOperator(stores, master, config.dataDir)]) {
    if (check !== null) findings.push(check)
  }
  return { findings, lastEventMs }
}

/** A view remembers the event it has come to: another one there means that the log was exchanged under it. */
async function checkAnchors({ log, views }: Stores): Promise<Finding | null> {
  for (const view of await views.list()) {
    for (const { position, eventId } of (await views.checkpoints(view)).values()) {
      if ((await log.eventAt(position))?.id === eventId) continue
      const detail = `view ${view} was built from another log than this one`
      return {
        name: 'views',
        state: 'fail',
        detail,
        mend: 'Delete the views (views.sqlite, or their database): the next start builds them anew.',
      }
    }
  }
  return null
}

/** The operator's key as the vault knows it: shows that the master key is the right one. */
async function checkOperator({ vault }: Stores, master: Uint8Array, dataDir: string): Promise<Finding | null> {
  const name = 'operator key'
  const file = operatorFile(dataDir)
  const kept = await readKeyFile(file).catch(() => null)
  if (kept === null || kept.key.secret === undefined) {
    const mend = '`npx scorebook init --new-key` (with the server stopped) issues one.'
    return { name, state: 'warn', detail: `none in ${file}`, mend }
  }
  const sealed = sealVault(vault, { current: workingKeys(master).seal, previous: [] })
  try {
    const secret = await sealed.get('key-secret', kept.key.prefix)
    if (secret !== null && Buffer.from(secret).toString() === kept.key.secret) {
      return { name, state: 'ok', detail: `${kept.key.prefix}, in ${file}` }
    }
  } catch (failure) {
    const mend = 'Set MASTER_KEY (or restore secrets.json) to the key that these stores were made with.'
    return { name: 'master key', state: 'fail', detail: (failure as Error).message, mend }
  }
  const mend = '`npx scorebook init --new-key` (with the server stopped) issues another one.'
  return { name, state: 'fail', detail: `${file} is not a key of these stores`, mend }
}

/** The program that has a file open, as `node (pid 17)`; null where nobody has, or this system does not tell. */
async function holderOf(path: string): Promise<string | null> {
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
