// Soak test: a log of any size is exported, verified, imported elsewhere, and verified there against its views and a
// sample of reads; reports the speed of each step, compared with raw reads and writes of the same events.

import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommandLine } from '../../../cli/program.ts'
import { PERSONAL_FIELDS } from '../../../domain/personal.ts'
import { wholeLog } from '../../../queries/whole-log.ts'
import { openLog } from '../../../stores/embedded/log.ts'
import { openEmbeddedDocuments } from '../../../stores/embedded/open.ts'
import { sealLog } from '../../../stores/log-decorators/sealing/open.ts'
import { sealVault } from '../../../stores/log-decorators/sealing/vault.ts'
import { type Env, openService, type Service } from '../../cli/service.ts'
import { differencesOf, keyIn, type Read, type Reads, readerWith } from './crawl.ts'
import { fillLog, keys, MASTER } from './fill-log.ts'
import { proveFullDisks } from './prove-full-disks.ts'
import { proveImport } from './prove-import.ts'
import { createTestGame, type TestGame } from './test-game.ts'

export interface ExportProof {
  readonly tried: readonly string[]
  readonly faults: readonly string[]
}

interface Size {
  readonly events: number
  readonly reads: number
  readonly seed: number
  report(line: string): void
}

export async function proveExport({ events, reads, seed, report }: Size): Promise<ExportProof> {
  const folder = await mkdtemp(join(tmpdir(), 'scorebook-proof-export-'))
  const tried: string[] = []
  const faults: string[] = []
  const env: Env = { MASTER_KEY: MASTER.toString('base64'), DATA_DIR: join(folder, 'from') }
  const there: Env = { ...env, DATA_DIR: join(folder, 'to') }
  const out = join(folder, 'all')
  const raw = { reading: 0, writing: 0 }
  const rate = (what: string, ms: number, of: keyof typeof raw | null = null) => {
    const ratio = of === null ? '' : `, ${(raw[of] / ms).toFixed(2)} of raw ${of}`
    const line = `${what}: ${Math.round(events / (ms / 1_000)).toLocaleString('en-US')} events/s${ratio}`
    tried.push(line)
    report(line)
  }
  /** A command with a progress bar; returns how long it took (ms). */
  const ran = async (what: string, env: Env, ...words: string[]) => {
    const err: string[] = []
    const redraw = (text: string) => (text === '' ? undefined : report(text))
    const terminal = { env, out: () => {}, err: (line: string) => void err.push(line), columns: 100, redraw }
    const ms = await timed(async () => {
      const code = await runCommandLine(['history', ...words], terminal)
      if (code !== 0) faults.push(`${what} exited ${code}: ${err.join('\n')}`)
    })
    return ms
  }
  try {
    await mkdir(env.DATA_DIR ?? '', { mode: 0o700 })
    const painted = await openService(env)
    const testGame = await createTestGame(painted)
    await painted.stop()
    const players = await fillLog(env.DATA_DIR ?? '', testGame, events, report)
    const before = await withService(env, (service) => sample(service, env, testGame, players, reads, seed))
    raw.reading = await rawRead(env.DATA_DIR ?? '')
    rate('raw reading', raw.reading)
    const all = ['export', '--all', '--out']
    rate('exported', await ran('export', env, ...all, out, '--vault', `${out}.vault`), 'reading')
    rate('verified', await ran('verify', {}, 'verify', out), 'reading')
    for (const format of ['csv', 'parquet']) {
      const path = join(folder, format)
      rate(`exported as ${format}`, await ran(format, env, ...all, path, '--format', format), 'reading')
      rate(`verified as ${format}`, await ran(`verify ${format}`, {}, 'verify', path), 'reading')
    }
    raw.writing = await rawWrite(env.DATA_DIR ?? '', join(folder, 'raw.sqlite'))
    rate('raw writing', raw.writing)
    rate('imported', await ran('import', there, 'import', out, '--vault', `${out}.vault`), 'writing')
    await withService(there, async (service) => {
      const after = await sample(service, env, testGame, players, reads, seed)
      faults.push(...differencesOf(before, after))
      const verified = await service.run('verify')
      report(verified.out)
      if (!verified.out.startsWith('equal')) faults.push(verified.out)
    })
    tried.push(`${before.size} GETs compared; verify equal`)
    const killed = await proveImport({ events: Math.min(events, KILLED_EVENTS), kills: KILLS, seed, report })
    tried.push(`${killed.kills} imports killed at random places, ${killed.halves} of them in a part; resumed and equal`)
    faults.push(...killed.faults)
    const full = await proveFullDisks(env, out)
    tried.push(full.tried)
    faults.push(...full.faults)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return { tried, faults }
}

/** Maximum events of the imports that are killed. Each import resumes the one before. */
const KILLED_EVENTS = 20_000
const KILLS = 20

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

async function withService<T>(env: Env, use: (service: Service) => Promise<T>): Promise<T> {
  const service = await openService(env)
  try {
    return await use(service)
  } finally {
    await service.stop()
  }
}

async function sample(
  service: Service,
  from: Env,
  { game, board }: TestGame,
  players: readonly string[],
  reads: number,
  seed: number,
): Promise<Reads> {
  const read = await readerWith(service.url, await keyIn(from.DATA_DIR ?? '', game))
  const found = new Map<string, Read>()
  for (let n = 0; found.size < Math.min(reads, players.length); n++) {
    const player = players[(n * 7919 + seed) % players.length] ?? ''
    const offset = (n * 104_729 + seed) % players.length
    const paths = [
      `/api/gm/${game}/players/${player}/`,
      `/api/lb/${board}/score/?around=${player}&limit=5`,
      `/api/lb/${board}/score/?limit=20&offset=${offset}`,
      `/api/lb/${board}/score/?player=${player}`,
    ]
    for (const path of paths) found.set(path, await read(path))
  }
  return found
}

async function rawRead(dataDir: string): Promise<number> {
  const log = await openLog(join(dataDir, 'log.sqlite'))
  const documents = await openEmbeddedDocuments(dataDir, { onFailure: () => {} })
  const sealed = sealLog(log, sealVault(documents.vault, keys), PERSONAL_FIELDS)
  const ms = await timed(async () => {
    for await (const _ of wholeLog(sealed, null, await log.head())) void _
  })
  await log.close()
  await documents.close()
  return ms
}

/** Appends the same encrypted events to an empty log. */
async function rawWrite(dataDir: string, path: string): Promise<number> {
  const [from, to] = [await openLog(join(dataDir, 'log.sqlite')), await openLog(path)]
  let ms = 0
  for await (const events of wholeLog(from, null, await from.head())) {
    ms += await timed(() =>
      Promise.all(
        events.map(({ stream, revision, ...event }) =>
          to.append(stream, revision === 0 ? 'none' : revision - 1, [event]),
        ),
      ),
    )
  }
  await from.close()
  await to.close()
  return ms
}
