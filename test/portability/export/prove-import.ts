// Soak test: an import is killed at random points, repeatedly on the same stores. Nothing is served meanwhile, and in
// the end every event is stored once, in order.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PERSONAL_FIELDS } from '../../../domain/personal.ts'
import { eventText } from '../../../portability/export/event-line.ts'
import { readManifest } from '../../../portability/export/manifest.ts'
import { checkedEvents } from '../../../portability/export/read.ts'
import { readImportMarker } from '../../../portability/import/import-marker.ts'
import { wholeLog } from '../../../queries/whole-log.ts'
import { openStores } from '../../../server/open-stores.ts'
import type { Stores } from '../../../stores/contract/stores.ts'
import { openSealed } from '../../../stores/log-decorators/sealing/open.ts'
import { BASE_CONFIG } from '../../base-config.ts'
import { command, type Env, openService } from '../../cli/service.ts'
import { builtProgram } from '../../crash/build.ts'
import { Random } from '../../random.ts'
import { fillLog, keys, MASTER } from './fill-log.ts'

export interface ImportProof {
  readonly kills: number
  /** Kills after which the log was incomplete. */
  readonly halves: number
  readonly faults: readonly string[]
}

interface Setting {
  readonly events: number
  readonly kills: number
  readonly seed: number
  report?(line: string): void
}

/** Approximate number of fsyncs of an import. It can be killed at each. */
const EVENTS_A_SYNC = 1_000

const SYNCS_BESIDE = 6

export async function proveImport({ events, kills, seed, report = () => {} }: Setting): Promise<ImportProof> {
  const folder = await mkdtemp(join(tmpdir(), 'scorebook-proof-import-'))
  const from: Env = { MASTER_KEY: MASTER.toString('base64'), DATA_DIR: join(folder, 'from') }
  let folders = 0
  const fresh = (): Env => ({ ...from, DATA_DIR: join(folder, `to-${folders++}`) })
  let to = fresh()
  const out = join(folder, 'all')
  const random = new Random(seed)
  const faults: string[] = []
  let [killed, halves] = [0, 0]
  try {
    await made(from, out, events)
    const words = ['history', 'import', out, '--vault', `${out}.vault`]
    while (killed < kills && faults.length === 0) {
      const at = 1 + random.below(SYNCS_BESIDE + Math.ceil(events / EVENTS_A_SYNC))
      const { code, err } = await killedImport({ ...to, ...killedAtSync(at) }, words)
      if (code !== null) {
        // The import finished before the kill: start again with empty stores.
        if (code !== 0) faults.push(`an import that was killed before exited with ${code}: ${err}`)
        faults.push(...(await differencesFrom(out, to)))
        to = fresh()
        continue
      }
      killed++
      const left = await leftBy(out, to)
      if (left.isHalf) halves++
      // The log was complete when the import was killed: start again with empty stores.
      if (left.isComplete) to = fresh()
      faults.push(...left.faults.map((fault) => `killed at sync ${at}: ${fault}`))
      report(`${killed} imports killed, ${halves} left a part`)
    }
    const result = await command(to, ...words)
    if (result.code !== 0) faults.push(`the last import exited with ${result.code}: ${result.err}`)
    faults.push(...(await differencesFrom(out, to)))
    const service = await openService(to)
    const verified = await service.run('verify')
    if (!verified.out.startsWith('equal: ')) faults.push(verified.out + verified.err)
    await service.stop()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return { kills: killed, halves, faults }
}

async function made(env: Env, out: string, events: number): Promise<void> {
  const service = await openService(env)
  const { game } = await service.json<{ game: { id: string } }>('game', 'create', 'Quest')
  const board = await service.json<{ id: string }>('board', 'create', 'High scores')
  await service.stop()
  await fillLog(service.dataDir, { game: game.id, board: board.id }, events)
  const result = await command(env, 'history', 'export', '--all', '--out', out, '--vault', `${out}.vault`)
  if (result.code !== 0) throw new Error(result.err)
}

/** The exit code (null after a kill) and the output. */
async function killedImport(env: Env, words: readonly string[]): Promise<{ code: number | null; err: string }> {
  const child = spawn(process.execPath, [builtProgram(), ...words], {
    env: { ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let err = ''
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk
  })
  const [code] = await once(child, 'close')
  return { code, err }
}

/** Checks that every command rejects a partial import; without the import marker, the log is empty or complete. */
async function leftBy(out: string, env: Env): Promise<{ isHalf: boolean; isComplete: boolean; faults: string[] }> {
  // Check this first: opening empty stores creates an installation, which rejects imports.
  if (await isEmpty(env)) return { isHalf: false, isComplete: false, faults: [] }
  const { isHalf, head } = await withStores(env, async ({ vault, log }) => {
    return { isHalf: (await readImportMarker(vault)) !== null, head: await log.head() }
  })
  const isComplete = !isHalf && head !== null
  if (!isHalf) return { isHalf, isComplete, faults: isComplete ? await differencesFrom(out, env) : [] }
  const verified = await command(env, 'verify')
  const started = await openService(env).then(
    (service) => service.stop().then(() => 'it started'),
    (error: Error) => error.message,
  )
  const unrefused = [verified.err, started].filter((text) => !text.includes('was not finished'))
  return { isHalf, isComplete, faults: unrefused.map((text) => `a part was served: ${text}`) }
}

async function isEmpty({ DATA_DIR: dataDir = '' }: Env): Promise<boolean> {
  const opened = await openStores({ ...BASE_CONFIG, dataDir }, HOOKS)
  const [secret, head] = [await opened.vault.scan(null, 1), await opened.log.head()]
  await opened.close()
  return secret.length === 0 && head === null
}

const HOOKS = { onFailure: () => {}, warn: () => {}, now: Date.now }

async function withStores<T>({ DATA_DIR: dataDir = '' }: Env, use: (stores: Stores) => Promise<T>): Promise<T> {
  const opened = await openStores({ ...BASE_CONFIG, dataDir }, HOOKS)
  try {
    return await use((await openSealed(opened, keys, PERSONAL_FIELDS)).stores)
  } finally {
    await opened.close()
  }
}

/** Compares the log with the export. The log may have one more event: the operator key that the import issues. */
export async function differencesFrom(out: string, env: Env): Promise<string[]> {
  const manifest = await readManifest(out)
  const due: string[] = []
  for await (const some of checkedEvents(out, manifest)) due.push(...some.map(eventText))
  const found = await withStores(env, async ({ log }) => {
    const texts: string[] = []
    for await (const some of wholeLog(log, null, await log.head())) texts.push(...some.map(eventText))
    return texts
  })
  const wrong = due.findIndex((text, n) => found[n] !== text)
  const more = found.length - due.length
  return [
    ...(wrong < 0 ? [] : [`event ${wrong + 1} of the export is not the one in the log`]),
    ...(more === 0 || more === 1 ? [] : [`the log holds ${more} events more than the export`]),
  ]
}

/** NODE_OPTIONS for the process; `n` counts from 1. */
export function killedAtSync(n: number): Env {
  const program = `import fs from 'node:fs'

import { syncBuiltinESMExports } from 'node:module'
const { fdatasync } = fs
let left = ${n}

fs.fdatasync = (...call) => {
  if (--left === 0) process.kill(process.pid, 'SIGKILL')
  else fdatasync(...call)
}

syncBuiltinESMExports()`
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(program)}` }
}
