// A rolling upgrade under load: the next version of the program runs beside the present one, each with its own version
// of a view, until the present one is stopped.

import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { builtProgram } from '../crash/build.ts'
import { atRest } from '../crash/ledger.ts'
import { type LoadRun, type Node, newestToken, openLoadRun, submitUntilOver } from '../crash/load-run.ts'
import { checkShown, checkStored } from '../crash/load-run-check.ts'
import { readUntilOver, untilReadBack } from '../crash/load-run-reads.ts'
import { withStores } from '../crash/stores-of.ts'
import { Random } from '../random.ts'
import { pause } from '../until.ts'
import { openSideBySide, type SideBySide } from './side-by-side.ts'

const GAMES = 4
const CALLERS = 4
const PACE_MS = 20

/** Time between two steps of an upgrade, under load. */
const LOADED_MS = 1_500

const ALL = 1_000_000_000
const CHECK_EVERY_MS = 500

interface UpgradeProof {
  readonly acknowledged: number
  readonly read: number
  /** From the start of the new projector until its views were built. */
  readonly builtMs: number
  /** Versions of the view during the upgrade, and at the end if the test waits for it. */
  readonly sideBySide: readonly string[]
  readonly leftMs: number | null
  /** One line for each event that is lost, duplicated or wrong, and each answer that differs between the versions. */
  readonly faults: readonly string[]
}

/** `untilDropped`: maximum milliseconds to wait until the old version of the view is dropped. */
export async function proveUpgrade(proof: {
  readonly seed: number
  readonly untilDropped: number | null
}): Promise<UpgradeProof> {
  const next = nextVersion()
  const nodes = await openSideBySide({ apis: 1, projectors: 1 })
  try {
    const [oldApi] = nodes.apis as [SideBySide['apis'][number]]
    const [oldProjector] = nodes.projectors as [SideBySide['projectors'][number]]
    const answering: Node[] = [oldApi]
    const loadRun = await openLoadRun(answering, { games: GAMES, paceMs: PACE_MS, random: new Random(proof.seed) })
    const first = load(loadRun, 'before')
    await pause(LOADED_MS)
    const startedMs = performance.now()
    await nodes.startProjector(next.program)
    const builtMs = Math.round(performance.now() - startedMs)
    const newApi = await nodes.startApi({}, next.program)
    answering.push(newApi)
    await pause(LOADED_MS)
    let read = await first.end()

    await untilReadBack(loadRun, 'the upgrade began', performance.now())
    const faults = [
      ...(await checkShown(loadRun)),
      ...(await answeredAlike(loadRun)),
      ...(await heldAlike(nodes, next)),
      ...(await checkStored(nodes, [loadRun])),
    ]
    const sideBySide = await versions(nodes, next)

    const second = load(loadRun, 'after')
    answering.splice(answering.indexOf(oldApi), 1)
    const exits = [(await oldApi.stop()).code]
    oldProjector.signal('SIGTERM')
    nodes.projectors.splice(nodes.projectors.indexOf(oldProjector), 1)
    exits.push((await oldProjector.exited).code)
    if (exits.some((code) => code !== 0)) faults.push(`the old version's processes exited with ${exits.join(', ')}`)
    await pause(LOADED_MS)
    read += await second.end()
    await untilReadBack(loadRun, 'the upgrade ended', performance.now())
    const leftMs = proof.untilDropped === null ? null : await untilDropped(nodes, next, proof.untilDropped)
    faults.push(...loadRun.faults, ...(await checkShown(loadRun)))
    const acknowledged = loadRun.loadedGames.reduce((sum, loadedGame) => sum + loadedGame.acknowledged.length, 0)
    return { acknowledged, read, builtMs, sideBySide, leftMs, faults }
  } finally {
    await nodes.close()
  }
}

/** Starts callers and a reader; `end` returns how many reads were answered and compared. */
function load(loadRun: LoadRun, name: string): { end(): Promise<number> } {
  loadRun.isOver = false
  const callers = Array.from({ length: CALLERS }, (_, caller) => submitUntilOver(loadRun, `${name}-${caller}`))
  const all = Promise.all([readUntilOver(loadRun), ...callers])
  all.catch(() => {})
  return {
    end: async () => {
      loadRun.isOver = true
      const [{ answered }] = await all
      return answered
    },
  }
}

/** Compares each board over all nodes, byte for byte. */
async function answeredAlike({ nodes, loadedGames }: LoadRun): Promise<string[]> {
  const faults: string[] = []
  for (const loadedGame of loadedGames) {
    for (const board of loadedGame.boards) {
      const ask = { token: loadedGame.token, headers: newestToken(loadedGame) }
      const path = `/api/lb/${board}/score/?limit=100`
      const answers = await Promise.all(nodes.map(({ world }) => atRest(() => world.call('GET', path, ask))))
      const texts = new Set(answers.map(({ text }) => text))
      if (texts.size > 1) faults.push(`${board} is answered by the versions as ${[...texts].join(' and as ')}`)
    }
  }
  return faults
}

/** Compares each document of the view in both versions, byte for byte. */
function heldAlike(nodes: SideBySide, { before, after }: NextVersion): Promise<string[]> {
  return withStores(nodes, async ({ views }) => {
    const [old, young] = await Promise.all([before, after].map((key) => views.scan(key, 'entries', null, ALL)))
    return JSON.stringify(old) === JSON.stringify(young)
      ? []
      : [`${before} holds ${old?.length} documents and ${after} ${young?.length}, and they are not the same`]
  })
}

const versions = (nodes: SideBySide, { before, after }: NextVersion): Promise<string[]> =>
  withStores(nodes, async ({ views }) => (await views.list()).filter((key) => key === before || key === after).sort())

async function untilDropped(nodes: SideBySide, next: NextVersion, withinMs: number): Promise<number> {
  const startedMs = performance.now()
  while ((await versions(nodes, next)).includes(next.before)) {
    if (performance.now() - startedMs > withinMs) throw new Error(`${next.before} is still there after ${withinMs} ms`)
    await pause(CHECK_EVERY_MS)
  }
  return Math.round(performance.now() - startedMs)
}

export interface NextVersion {
  /** Its command line. */
  readonly program: string
  /** The view's keys in the built program and in this one. */
  readonly before: string
  readonly after: string
}

const VIEW = 'entries'
/** As the bundle has it: the name of the view, then its version. */
const VERSION = new RegExp(`(name: "${VIEW}",\\s+version: )(\\d+)`, 'g')

export function nextVersion(): NextVersion {
  const built = dirname(dirname(builtProgram()))
  const folder = mkdtempSync(join(tmpdir(), 'scorebook-next-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const modules = join(built, 'node_modules')
  cpSync(built, folder, { recursive: true, filter: (path) => path !== modules })
  const { path, text, version } = versionIn(folder)
  writeFileSync(path, text.replace(VERSION, `$1${version + 1}`))
  symlinkSync(modules, join(folder, 'node_modules'))
  return { program: join(folder, 'cli/main.js'), before: `${VIEW}@${version}`, after: `${VIEW}@${version + 1}` }
}

/** The file of a built program that has the version of the view. Throws unless there is exactly one such place. */
function versionIn(folder: string): { readonly path: string; readonly text: string; readonly version: number } {
  const places = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'))
    .map((name) => join(folder, name))
    .flatMap((path) => {
      const text = readFileSync(path, 'utf8')
      return [...text.matchAll(VERSION)].map(([, , version]) => ({ path, text, version: Number(version) }))
    })
  const [place] = places
  if (place === undefined || places.length > 1) {
    throw new Error(`the built program has ${places.length} places that match ${VERSION}, and should have one`)
  }
  return place
}
