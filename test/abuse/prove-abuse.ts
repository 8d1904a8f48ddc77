// Runs one attack after another on a server with a 512 MiB heap and the default limits: the server survives, a
// bystander notices little, and the memory is released afterwards. Needs two cores and `taskset`.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { percentile } from '../../bench/support/measure.ts'
import { type AttackedGame, type AttackedGameSize, makeAttackedGame } from './attacked-game.ts'
import { ATTACKS } from './attacks/all.ts'
import type { Watched } from './bystander.ts'
import { startTarget, type Target } from './target.ts'

export interface AbuseOptions {
  readonly forMs: number
  /** How long the bystander alone is measured before each attack. */
  readonly quietMs: number
  readonly size: AttackedGameSize
  /** Only attacks whose names contain one of these, separated by commas. */
  readonly only?: string
  onProgress(line: string): void
}

export interface Suffered {
  readonly attack: string
  readonly sentMib: number
  readonly peakMib: number
  readonly p99: { readonly before: number; readonly during: number }
  /** Live MiB before the attack, and after it at the end of the wait. */
  readonly live: { readonly before: number; readonly after: number }
  /** Seconds until the memory was back within 50 MiB. */
  readonly recoveredS: number | null
  readonly calls: number
  readonly failures: readonly string[]
  readonly survived: boolean
}

const RETURNED_MIB = 50
const RECOVERY_MS = 90_000
const RECOVERY_POLL_MS = 2_000
const LOWEST_PRIORITY = 19
const CHILD = (file: string) => fileURLToPath(new URL(file, import.meta.url))

/** A child process on core 1. */
function child(file: string) {
  const options = { execPath: 'taskset', execArgv: ['-c', '1', process.execPath, '--import', 'tsx'] }
  return fork(CHILD(file), options)
}

async function request<T>(worker: ReturnType<typeof fork>, order: object): Promise<T> {
  worker.send(order)
  return messageOf(worker)
}

/** The next message of a child process. Rejects if the process ends before it. */
async function messageOf<T>(worker: ReturnType<typeof fork>): Promise<T> {
  const waiting = new AbortController()
  const { signal } = waiting
  const ended = once(worker, 'exit', { signal }).then(() => Promise.reject(new Error('the process has ended')))
  const [message] = await Promise.race([once(worker, 'message'), ended])
  waiting.abort()
  return message as T
}

const p99Of = (times: readonly number[]) => Number(percentile([...times], 0.99).toFixed(1))

interface Attacked {
  readonly target: Target
  readonly game: AttackedGame
  readonly bystander: ReturnType<typeof fork>
}

async function suffer(
  { target, game: attackedGame, bystander }: Attacked,
  attack: string,
  options: AbuseOptions,
): Promise<Suffered> {
  const { port } = target
  const attacker = child('attacker.ts')
  const ready = messageOf(attacker)
  setPriority(attacker.pid ?? 0, LOWEST_PRIORITY)
  await ready
  const quiet = await request<Watched>(bystander, { port, attackedGame, forMs: options.quietMs })
  const before = (await target.liveMib()) ?? 0
  await target.resetPeak()
  // An attacker that ends by itself has sent an unknown number of bytes.
  const sending = request<number>(attacker, { attack, port, attackedGame, forMs: options.forMs }).catch(() => 0)
  const watched = await request<Watched>(bystander, { port, attackedGame, forMs: options.forMs })
  const bytes = await Promise.race([sending, pause(30_000, 0)])
  const peakMib = await target.peakMib()
  attacker.kill('SIGKILL')
  const { after, recoveredS } = await recovery(target, before)
  return {
    attack,
    sentMib: Number((bytes / 1_048_576).toFixed(2)),
    peakMib,
    p99: { before: p99Of(quiet.times), during: p99Of(watched.times) },
    live: { before, after },
    recoveredS,
    calls: watched.times.length,
    failures: [...quiet.failures, ...watched.failures],
    survived: target.isAlive(),
  }
}

async function recovery(target: Target, before: number): Promise<{ after: number; recoveredS: number | null }> {
  const began = performance.now()
  for (;;) {
    const after = (await target.liveMib()) ?? Number.POSITIVE_INFINITY
    const tookMs = performance.now() - began
    if (after <= before + RETURNED_MIB) return { after, recoveredS: Math.round(tookMs / 1_000) }
    if (tookMs > RECOVERY_MS || !target.isAlive()) return { after, recoveredS: null }
    await pause(RECOVERY_POLL_MS)
  }
}

/** Runs each attack separately on one server, which is restarted if an attack ended it. */
export async function proveAbuse(options: AbuseOptions): Promise<Suffered[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'scorebook-abuse-'))
  const making = await startTarget(dataDir, { RATE_LIMITS: 'off' })
  const game = await makeAttackedGame(making.port, dataDir, options.size)
  await making.stop()
  let target = await startTarget(dataDir)
  const bystander = child('bystander.ts')
  const suffered: Suffered[] = []
  try {
    for (const { name } of ATTACKS) {
      if (options.only?.split(',').some((part) => name.includes(part)) === false) continue
      if (!target.isAlive()) target = await startTarget(dataDir)
      const one = await suffer({ target, game, bystander }, name, options)
      suffered.push(one)
      options.onProgress(lineOf(one))
    }
  } finally {
    bystander.kill('SIGKILL')
    await target.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  return suffered
}

/** One line of the report. */
export function lineOf({
  attack,
  sentMib,
  peakMib,
  p99,
  live,
  recoveredS,
  calls,
  failures,
  survived,
}: Suffered): string {
  const end = survived
    ? `back to ${live.after} MiB live (${live.before} before) in ${recoveredS ?? '> 90'} s`
    : 'THE PROCESS ENDED'
  const bystanderLine = `bystander p99 ${p99.before} → ${p99.during} ms over ${calls} calls, ${failures.length} failed`
  return `${attack}: ${sentMib} MiB sent, peak ${peakMib} MiB resident, ${bystanderLine}, ${end}`
}

/** One line for each broken promise. `ratio` bounds the bystander’s p99 over the quiet one; null skips that check. */
export function broken(suffered: readonly Suffered[], ratio: number | null): string[] {
  return suffered.flatMap((one) => {
    const { attack, p99, live, failures, survived } = one
    const faults: string[] = []
    if (!survived) faults.push(`${attack}: the process ended`)
    if (failures.length > 0)
      faults.push(`${attack}: the bystander was refused ${failures.length} times: ${failures[0]}`)
    if (live.after > live.before + RETURNED_MIB) faults.push(`${attack}: ${live.after} MiB live, ${live.before} before`)
    if (ratio !== null && p99.during > ratio * p99.before)
      faults.push(`${attack}: p99 ${p99.before} → ${p99.during} ms`)
    return faults
  })
}
