// Soak test: exports and imports on disks that are too small leave nothing under the final name and give a clear
// error; an import continues when there is space. Uses small in-memory file systems, which only root may mount.

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CommandResult, command, type Env } from '../../cli/service.ts'
import { builtProgram } from '../../crash/build.ts'
import { differencesFrom } from './prove-import.ts'

export interface FullDisks {
  readonly tried: string
  readonly faults: readonly string[]
}

/** Free bytes at first. More space is freed once the import has failed. */
const SMALL = { export: '64k', import: ['1m', '3m'], room: '4g' } as const

/** `env`: stores without a running server; `out`: their export, with the vault file next to it. */
export async function proveFullDisks(env: Env, out: string): Promise<FullDisks> {
  const folder = await mkdtemp(join(tmpdir(), 'scorebook-full-'))
  const disk = join(folder, 'disk')
  const faults: string[] = []
  await mkdir(disk)
  try {
    mounted(disk, SMALL.export)
  } catch {
    await rm(folder, { recursive: true })
    return { tried: 'no full disk: mounting one takes root', faults }
  }
  try {
    faults.push(...(await exportsOnto(disk, env)))
    unmounted(disk)
    for (const size of SMALL.import) {
      mounted(disk, size)
      faults.push(...(await importOnto(disk, env, out)).map((fault) => `a disk of ${size}: ${fault}`))
      unmounted(disk)
    }
  } catch (error) {
    unmounted(disk)
    throw error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  const sizes = SMALL.import.join(' and ')
  return {
    tried: `exports in each format and the vault onto full disks, imports onto ones of ${sizes}: resumed`,
    faults,
  }
}

function mounted(disk: string, size: string): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=700`, 'tmpfs', disk], { stdio: 'ignore' })
}

async function exportsOnto(disk: string, env: Env): Promise<string[]> {
  const faults: string[] = []
  const all = ['history', 'export', '--all', '--out']
  const refused = (result: CommandResult, what: string) => {
    if (result.code !== 1 || !result.err.includes('is full')) faults.push(`${what}: ${result.code} ${result.err}`)
  }
  for (const format of ['ndjson', 'csv', 'parquet']) {
    refused(await command(env, ...all, join(disk, 'all'), '--format', format), format)
    const left = await readdir(disk)
    if (left.length > 0) faults.push(`a full disk keeps ${left.join(', ')}`)
  }
  execFileSync('dd', ['if=/dev/zero', `of=${join(disk, 'ballast')}`, 'bs=1k', 'count=64'], { stdio: 'ignore' })
  const beside = join(disk, '..', 'beside')
  refused(await command(env, ...all, beside, '--vault', join(disk, 'vault')), 'the vault')
  const left = await readdir(disk)
  if (left.join() !== 'ballast') faults.push(`a full disk keeps ${left.join(', ')} of a vault`)
  await rm(beside, { recursive: true, force: true })
  return faults
}

/** Retries the unmount: SQLite closes its file only after its statements were garbage collected. */
const unmounted = (disk: string) => void execFileSync('umount', ['-l', disk])

function apart(env: Env, ...words: string[]): { readonly code: number | null; readonly err: string } {
  const { status, stderr } = spawnSync(process.execPath, [builtProgram(), ...words], { env: { ...env } })
  return { code: status, err: stderr.toString() }
}

async function importOnto(disk: string, from: Env, out: string): Promise<string[]> {
  const faults: string[] = []
  const env = { ...from, DATA_DIR: join(disk, 'to') }
  const words = ['history', 'import', out, '--vault', `${out}.vault`]
  // Runs in child processes: SQLite holds the lock of a database that it could not close until the process ends.
  const full = apart(env, ...words)
  if (full.code !== 1 || !/full|no space/i.test(full.err)) faults.push(`${full.code} ${full.err}`)
  const shown = apart(env, 'verify')
  if (shown.code !== 1) faults.push(`a part was shown: ${shown.code}`)
  execFileSync('mount', ['-o', `remount,size=${SMALL.room}`, disk], { stdio: 'ignore' })
  const half = apart(env, 'verify')
  if (!half.err.includes('was not finished')) faults.push(`with room, a part was shown: ${half.err}`)
  const again = apart(env, ...words)
  if (again.code !== 0) faults.push(`with room: ${again.code} ${again.err}`)
  return [...faults, ...(await differencesFrom(out, env))]
}
