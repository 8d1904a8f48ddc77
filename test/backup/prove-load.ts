// Measures submissions at a fixed rate with and without a backup of a large log beside them, in turn, and then how long the
// commands take. Means something on a quiet machine alone.

import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { largeBoard } from '../../bench/support/large-board.ts'
import { median, percentile } from '../../bench/support/measure.ts'
import { startOurs } from '../../bench/support/processes.ts'
import { call, handshake } from '../../bench/support/test-game.ts'
import { timedCommand } from './timed-command.ts'

const PER_SECOND = 200
const PLAYERS = 50
const WARM_UP_MS = 5_000
const QUIET_MS = 20_000
const MIN_ROUNDS = 2
const MAX_ROUNDS = 5
/** Of the whole measurement, the board included: 10 minutes. No round begins after the rounds' share of it. */
const LIMIT_MS = 600_000
const ROUNDS_END_MS = 300_000

export interface LoadProof {
  readonly events: number
  readonly rounds: number
  /** Of all submissions of the quiet parts, and of those beside a backup. */
  readonly quietP99: number
  readonly duringP99: number
  /** Median of the ratios of the rounds. */
  readonly ratio: number
  /** Beside a backup. */
  readonly submissions: number
  /** Seconds of the commands; of `backup` the median. */
  readonly seconds: Readonly<Record<'backup' | 'second' | 'verify' | 'restore', number>>
  readonly faults: readonly string[]
}

interface Submitting {
  /** Milliseconds of each answered call. */
  readonly waits: readonly number[]
  /** Waits for what is sent, and returns what failed. */
  end(): Promise<readonly string[]>
}

/** Submits at a fixed rate, each counted from when it was due, so that a server that stalls is charged for all that wait. */
function submittingAt(submit: (n: number) => Promise<unknown>): Submitting {
  const waits: number[] = []
  const faults: string[] = []
  const running = new Set<Promise<unknown>>()
  const began = performance.now()
  let sent = 0
  const timer = setInterval(() => {
    for (; sent < ((performance.now() - began) / 1_000) * PER_SECOND; sent++) {
      const due = began + (sent / PER_SECOND) * 1_000
      const one = submit(sent)
        .then(() => void waits.push(performance.now() - due))
        .catch((failure: unknown) => void faults.push(String(failure)))
        .finally(() => running.delete(one))
      running.add(one)
    }
  }, 2)
  return {
    waits,
    end: async () => {
      clearInterval(timer)
      await Promise.all(running)
      return faults
    },
  }
}

const p99 = (waits: readonly number[]): number => percentile(waits, 0.99)

interface Round {
  readonly quiet: readonly number[]
  readonly during: readonly number[]
  readonly seconds: number
  readonly events: number
}

export async function proveBackupLoad(entries: number, report: (line: string) => void): Promise<LoadProof> {
  const ending = AbortSignal.timeout(LIMIT_MS)
  const began = performance.now()
  const { dataDir, world } = await largeBoard(entries)
  const folder = await mkdtemp(join(tmpdir(), 'scorebook-backup-load-'))
  const server = await startOurs(dataDir, { LOG_LEVEL: 'warn' })
  try {
    const token = await handshake(server.port, world.key)
    const players: { readonly id: string }[] = await Promise.all(
      Array.from({ length: PLAYERS }, () =>
        call<{ id: string }>(server.port, 'POST', `/api/gm/${world.game}/players/`, { token, body: { name: 'load' } }),
      ),
    )
    const submit = (n: number) =>
      call(server.port, 'POST', `/api/lb/${world.board}/score/`, {
        token,
        body: { score: `${n}.5`, player: players[n % players.length]?.id },
      })
    const faults: string[] = []
    const submitDuring = async <Result>(work: () => Promise<Result>) => {
      const load = submittingAt(submit)
      try {
        return { result: await work(), waits: load.waits }
      } finally {
        faults.push(...(await load.end()))
      }
    }
    const env = { DATA_DIR: dataDir, PORT: String(server.port) }
    const place = (n: number) => join(folder, `place-${n}`)
    await submitDuring(() => pause(WARM_UP_MS))
    const rounds: Round[] = []
    const isEnough = () => rounds.length >= MIN_ROUNDS && performance.now() - began > ROUNDS_END_MS
    while (rounds.length < MAX_ROUNDS && !isEnough()) {
      const n = rounds.length
      const quiet = await submitDuring(() => pause(QUIET_MS))
      const loaded = await submitDuring(() => timedCommand(env, ending, 'backup', '--to', place(n)))
      const [before, during] = [p99(quiet.waits), p99(loaded.waits)]
      const { seconds, events } = loaded.result
      rounds.push({ quiet: quiet.waits, during: loaded.waits, seconds, events })
      const figures = `p99 ${before.toFixed(1)} ms before, ${during.toFixed(1)} ms during`
      report(
        `round ${n + 1}: ${events} events in ${seconds.toFixed(1)} s; ${figures}, ${(during / before).toFixed(2)} ×`,
      )
      if (n > 0) await rm(place(n), { recursive: true })
    }
    const second = await timedCommand(env, ending, 'backup', '--to', place(0))
    const verify = await timedCommand(env, ending, 'backup', 'verify', place(0))
    const { masterKey } = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8'))
    const MASTER_KEY = Buffer.from(masterKey, 'base64url').toString('base64')
    const to = join(folder, 'restored')
    const restore = await timedCommand({ MASTER_KEY }, ending, 'restore', '--from', place(0), '--to', to)
    const seconds = { second: second.seconds, verify: verify.seconds, restore: restore.seconds }
    return { ...figuresOf(rounds), seconds: { backup: median(rounds.map((one) => one.seconds)), ...seconds }, faults }
  } finally {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

function figuresOf(rounds: readonly Round[]) {
  const during = rounds.flatMap((round) => round.during)
  return {
    events: rounds[0]?.events ?? 0,
    rounds: rounds.length,
    quietP99: p99(rounds.flatMap(({ quiet }) => quiet)),
    duringP99: p99(during),
    ratio: median(rounds.map((round) => p99(round.during) / p99(round.quiet))),
    submissions: during.length,
  }
}
