// The restore drill: a server takes submissions while backups of it are killed at random moments. All backups that
// ended stay whole, and a restore of the last one has every submission that was acknowledged before it began.

import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { builtProgram } from '../../crash/build.ts'
import { readBoard } from '../../crash/ledger.ts'
import { type Submission, submitMuch } from '../../crash/load.ts'
import { openProcessWorld, type ProcessWorld } from '../../crash/process-world.ts'
import { type MadeGame, makeBoard, makeGame, makePlayer } from '../../front-door/game-fixtures.ts'
import { tokenOf } from '../../front-door/world.ts'
import { Random } from '../../random.ts'

const CALLERS = 4
const PLAYERS = 5
const ENV = { MASTER_KEY: Buffer.alloc(32, 7).toString('base64') }
/** A kill comes up to this share of the time that a backup takes. */
const KILL_SPAN = 1.1

export interface Drill {
  readonly kills: number
  /** Backups that ended before their kill, or were not to be killed. */
  readonly ended: number
  readonly acknowledged: number
  /** Acknowledged before the restored backup began. */
  readonly promised: number
  readonly faults: readonly string[]
}

interface Ended {
  readonly code: number | null
  readonly text: string
  readonly tookMs: number
}

/** Runs the built command line; `killAfterMs`: kill -9 after that time. */
export async function run(
  env: Readonly<Record<string, string>>,
  args: readonly string[],
  killAfterMs?: number,
): Promise<Ended> {
  const began = performance.now()
  const child = spawn(process.execPath, [builtProgram(), ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (text += bytes.toString()))
  const timer = killAfterMs === undefined ? null : setTimeout(() => child.kill('SIGKILL'), killAfterMs)
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  if (timer !== null) clearTimeout(timer)
  return { code, text, tookMs: performance.now() - began }
}

export async function proveBackups({ kills, seed }: { readonly kills: number; readonly seed: number }): Promise<Drill> {
  const random = new Random(seed)
  const folder = await mkdtemp(join(tmpdir(), 'scorebook-drill-'))
  const world = await openProcessWorld(ENV)
  let isStopped = false
  try {
    const game = await makeGame(world)
    const board = await makeBoard(world, game, { unique: false })
    const players = await Promise.all(Array.from({ length: PLAYERS }, (_, n) => makePlayer(world, game, `player ${n}`)))
    const answered: number[] = Array.from({ length: CALLERS }, () => 0)
    const load = {
      callers: CALLERS,
      name: 'drill',
      random: () => random.next(),
      stopped: () => isStopped,
      answered: (caller: number) => {
        answered[caller] = (answered[caller] ?? 0) + 1
      },
    }
    const submitting = submitMuch(world, { token: game.token, boards: [board], players }, load)
    const destination = join(folder, 'destination')
    const env = { ...ENV, DATA_DIR: world.dataDir, PORT: String(world.port) }
    const faults: string[] = []
    let ended = 0
    let tookMs = 1_000
    const backUp = async (killAfterMs?: number) => {
      const result = await run(env, ['backup', '--to', destination], killAfterMs)
      if (result.code === 0) {
        ended++
        tookMs = result.tookMs
      } else if (result.code !== null) faults.push(`a backup failed: ${result.text}`)
    }
    await backUp()
    for (let kill = 0; kill < kills; kill++) await backUp(random.next() * tookMs * KILL_SPAN)
    const before = [...answered]
    await backUp()
    isStopped = true
    const submissions = await submitting
    const promised = submissions.filter((one) => isAmong(one, before))
    const restored = join(folder, 'restored')
    for (const args of [
      ['backup', 'verify', destination],
      ['restore', '--from', destination, '--to', restored],
    ]) {
      const { code, text } = await run(ENV, args)
      if (code !== 0) faults.push(`${args[0]} exited with ${code}: ${text}`)
    }
    if (faults.length === 0)
      faults.push(...(await checkRestored(world, restored, { game, board, promised, submissions })))
    const acknowledged = submissions.filter(({ answer }) => answer !== null).length
    return { kills, ended, acknowledged, promised: promised.length, faults }
  } finally {
    isStopped = true
    await world.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Whether it was one of the first answered calls of its caller. */
function isAmong({ key }: Submission, answered: readonly number[]): boolean {
  const [, caller = 0, n = 0] = key.split('-').map(Number)
  return n < (answered[caller] ?? 0)
}

interface Expected {
  readonly game: MadeGame
  readonly board: string
  readonly promised: readonly Submission[]
  readonly submissions: readonly Submission[]
}

async function checkRestored(
  { storeUrls }: ProcessWorld,
  dataDir: string,
  { game, board, promised, submissions }: Expected,
): Promise<string[]> {
  const world = await openProcessWorld(ENV, { dataDir, storeUrls })
  try {
    const rows = await readBoard(world, await tokenOf(world, game.server), board)
    const shown = new Map(rows.map((row) => [row.id, row]))
    const faults = promised
      .filter(({ answer, player, score }) => {
        const row = shown.get(answer?.body.submitted)
        return row?.player !== player || row.score !== score
      })
      .map(({ key }) => `${key} was acknowledged before the backup began and is lost`)
    const sent = new Set(submissions.map(({ answer }) => answer?.body.submitted))
    faults.push(...rows.filter(({ id }) => !sent.has(id)).map(({ id }) => `nobody submitted ${id}`))
    const verified = await run({ ...ENV, DATA_DIR: dataDir, PORT: String(world.port) }, ['verify'])
    return verified.code === 0 ? faults : [...faults, `verify: ${verified.text}`]
  } finally {
    await world.close()
  }
}
