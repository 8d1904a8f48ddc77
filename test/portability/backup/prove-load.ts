// Measures submissions at a fixed rate with and without a backup of a large log beside them, in turn, and then how long
// the commands take. Means something on a quiet machine alone.

import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { largeBoard } from '../../../bench/support/large-board.ts'
import { median, percentile } from '../../../bench/support/measure.ts'
import { startOurs } from '../../../bench/support/processes.ts'
import { call, handshake, type World } from '../../../bench/support/test-game.ts'
import { createHttpClient, type HttpClient } from '../../front-door/http-client.ts'

const PER_SECOND = 200
const PLAYERS = 50
const WARM_UP_MS = 5_000
const QUIET_MS = 20_000
const MIN_ROUNDS = 2
const MAX_ROUNDS = 5

/** From when the board is made: with it some 10 minutes. No round begins after the rounds' share of it. */
const LIMIT_MS = 480_000

const ROUNDS_END_MS = 240_000

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

/**
 * Submits at a fixed rate, each counted from when it was due, so that a server that stalls is charged for all that
 * wait.
 */
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
  const { dataDir, world } = await largeBoard(entries)
  const ending = AbortSignal.timeout(LIMIT_MS)
  const folder = await mkdtemp(join(tmpdir(), 'scorebook-backup-load-'))
  const server = await startOurs(dataDir, { LOG_LEVEL: 'warn' })
  const client = createHttpClient(server.port)
  const rounds: Round[] = []
  const faults: string[] = []
  const seconds = { second: Number.NaN, verify: Number.NaN, restore: Number.NaN }
  const run = async (env: NodeJS.ProcessEnv, ...args: string[]) => (await timedCommand(env, ending, ...args)).seconds
  try {
    const env = { DATA_DIR: dataDir, PORT: String(server.port) }
    const submit = await submittingTo(server.port, client, world)
    await measureRounds({ rounds, faults, submit, report }, (n) =>
      timedCommand(env, ending, 'backup', '--to', join(folder, `destination-${n}`)),
    )
    const destination = join(folder, 'destination-0')
    seconds.second = await run(env, 'backup', '--to', destination)
    seconds.verify = await run(env, 'backup', 'verify', destination)
    const { masterKey } = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8'))
    const MASTER_KEY = Buffer.from(masterKey, 'base64url').toString('base64')
    seconds.restore = await run({ MASTER_KEY }, 'restore', '--from', destination, '--to', join(folder, 'restored'))
  } catch (failure) {
    if (!ending.aborted) throw failure
    faults.push(`not done after ${LIMIT_MS / 1_000} s: the machine is too slow, or something hangs`)
  } finally {
    client.close()
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
  return { ...figuresOf(rounds), seconds: { backup: median(rounds.map((one) => one.seconds)), ...seconds }, faults }
}

type Submit = (n: number) => Promise<void>

async function submittingTo(port: number, client: HttpClient, { game, board, key }: World): Promise<Submit> {
  const token = await handshake(port, key)
  const path = `/api/gm/${game}/players/`
  const players = await Promise.all(
    Array.from({ length: PLAYERS }, () => call<{ id: string }>(port, 'POST', path, { token, body: { name: 'load' } })),
  )
  return async (n) => {
    const body = { score: `${n}.5`, player: players[n % PLAYERS]?.id }
    const { status, text } = await client.call('POST', `/api/lb/${board}/score/`, { token, body })
    if (status >= 300) throw new Error(`a submission was answered ${status}: ${text}`)
  }
}

interface Measured {
  readonly rounds: Round[]
  readonly faults: string[]
  readonly submit: Submit
  report(line: string): void
}

/** Each round first without a backup, then beside a whole one. */
async function measureRounds(
  { rounds, faults, submit, report }: Measured,
  backUp: (n: number) => Promise<{ readonly seconds: number; readonly events: number }>,
): Promise<void> {
  const submitDuring = async <Result>(work: () => Promise<Result>) => {
    const load = submittingAt(submit)
    try {
      return { result: await work(), waits: load.waits }
    } finally {
      faults.push(...(await load.end()))
    }
  }
  const began = performance.now()
  await submitDuring(() => pause(WARM_UP_MS))
  while (rounds.length < MAX_ROUNDS) {
    if (rounds.length >= MIN_ROUNDS && performance.now() - began > ROUNDS_END_MS) return
    const quiet = await submitDuring(() => pause(QUIET_MS))
    const { result, waits } = await submitDuring(() => backUp(rounds.length))
    rounds.push({ quiet: quiet.waits, during: waits, ...result })
    const [before, during] = [p99(quiet.waits), p99(waits)]
    const figures = `p99 ${before.toFixed(1)} ms before, ${during.toFixed(1)} ms during, ${(during / before).toFixed(2)} ×`
    report(`round ${rounds.length}: ${result.events} events in ${result.seconds.toFixed(1)} s; ${figures}`)
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

const PROGRAM = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url))

/** Returns the seconds it took and the events in its --json. Rejects if it fails; `ending` kills it. */
export async function timedCommand(env: NodeJS.ProcessEnv, ending: AbortSignal, ...args: string[]) {
  const began = performance.now()
  const options = { env, signal: ending, killSignal: 'SIGKILL' as const }
  const child = spawn(process.execPath, [PROGRAM, ...args, '--json'], { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  const texts = { out: '', err: '' }
  child.stdout.on('data', (bytes: Buffer) => {
    texts.out += bytes.toString()
  })
  child.stderr.on('data', (bytes: Buffer) => {
    texts.err += bytes.toString()
  })
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (code !== 0) throw new Error(`${args[0]} exited with ${code}: ${texts.err}`)
  const json: { readonly events: number } = JSON.parse(texts.out)
  return { seconds: (performance.now() - began) / 1_000, events: json.events }
}
