// A log of any size taken along: exported, verified, imported elsewhere, verified there against its views, and a sample of reads
// compared; with how fast each goes, beside raw reading and raw writing of the same events.

import { execFileSync } from 'node:child_process'
import { access, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PERSONAL_FIELDS } from '../../domain/personal.ts'
import { wholeLog } from '../../queries/whole-log.ts'
import { openLog } from '../../stores/embedded/log.ts'
import { openEmbeddedDocuments } from '../../stores/embedded/open.ts'
import { sealLog } from '../../stores/sealing/log.ts'
import { sealVault } from '../../stores/sealing/vault.ts'
import { command, type Env, openService, type Said, type Service } from '../cli/service.ts'
import { bulk, keys, MASTER } from './bulk.ts'
import { differencesOf, keyIn, type Read, type Reads, readerWith } from './crawl.ts'
import { paint, type Scenery } from './scenery.ts'

export interface ExportProof {
  readonly tried: readonly string[]
  readonly faults: readonly string[]
}

interface Size {
  readonly events: number
  readonly reads: number
  readonly seed: number
  told(line: string): void
}

export async function proveExport({ events, reads, seed, told }: Size): Promise<ExportProof> {
  const folder = await mkdtemp(join(tmpdir(), 'scorebook-proof-export-'))
  const tried: string[] = []
  const faults: string[] = []
  const env: Env = { MASTER_KEY: MASTER.toString('base64'), DATA_DIR: join(folder, 'from') }
  const there: Env = { ...env, DATA_DIR: join(folder, 'to') }
  const out = join(folder, 'all')
  const rate = (what: string, ms: number) => {
    const line = `${what}: ${Math.round(events / (ms / 1_000)).toLocaleString('en-US')} events/s`
    tried.push(line)
    told(line)
  }
  const must = (said: Said, what: string) => {
    if (said.code !== 0) faults.push(`${what} exited ${said.code}: ${said.err}`)
    return said
  }
  try {
    await mkdir(env.DATA_DIR ?? '', { mode: 0o700 })
    const painted = await openService(env)
    const scenery = await paint(painted)
    await painted.stop()
    const players = await bulk(env.DATA_DIR ?? '', scenery, events, told)
    const before = await withService(env, (service) => sample(service, env, scenery, players, reads, seed))
    rate('raw reading', await rawRead(env.DATA_DIR ?? ''))
    rate(
      'exported',
      await timed(async () =>
        must(await run(env, 'export', '--all', '--out', out, '--vault', `${out}.vault`), 'export'),
      ),
    )
    rate('verified', await timed(async () => must(await run({}, 'verify', out), 'verify')))
    for (const format of ['csv', 'parquet']) {
      const path = join(folder, format)
      rate(
        `exported as ${format}`,
        await timed(async () => must(await run(env, 'export', '--all', '--out', path, '--format', format), format)),
      )
      must(await run({}, 'verify', path), `verify ${format}`)
    }
    rate('raw writing', await rawWrite(env.DATA_DIR ?? '', join(folder, 'raw.sqlite')))
    rate(
      'imported',
      await timed(async () => must(await run(there, 'import', out, '--vault', `${out}.vault`), 'import')),
    )
    await withService(there, async (service) => {
      const after = await sample(service, env, scenery, players, reads, seed)
      faults.push(...differencesOf(before, after))
      const verified = await service.run('verify')
      told(verified.out)
      if (!verified.out.startsWith('equal')) faults.push(verified.out)
    })
    tried.push(`${before.size} GETs compared; verify equal`)
    const full = await fullDisk(env, folder)
    tried.push(full.tried)
    faults.push(...full.faults)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return { tried, faults }
}

const run = (env: Env, ...words: string[]): Promise<Said> => command(env, 'history', ...words)

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
  { game, board }: Scenery,
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

/** The same events, sealed as they are, appended to a log that is empty. */
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

/** An export onto a disk that is too small: nothing under its name. Mounting takes root. */
async function fullDisk(env: Env, folder: string): Promise<{ tried: string; faults: string[] }> {
  const disk = join(folder, 'disk')
  await mkdir(disk)
  const faults: string[] = []
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k,mode=700', 'tmpfs', disk], { stdio: 'ignore' })
  } catch {
    return { tried: 'no full disk: mounting one takes root', faults }
  }
  try {
    for (const format of ['ndjson', 'csv', 'parquet']) {
      const said = await run(env, 'export', '--all', '--out', join(disk, 'all'), '--format', format)
      if (said.code !== 1 || !said.err.includes('is full')) faults.push(`a full disk: ${said.code} ${said.err}`)
      if ((await readdir(disk)).length > 0) faults.push(`a full disk keeps ${await readdir(disk)}`)
      await access(join(disk, 'all')).then(
        () => faults.push('half an export stands under its name'),
        () => {},
      )
    }
  } finally {
    execFileSync('umount', [disk])
  }
  return { tried: 'full disks of 64 KiB: refused, nothing left, in each format', faults }
}
