// Measures submissions at a fixed rate while a large log is backed up, verified and restored. Means something on a quiet
// machine alone.

import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { largeBoard } from '../../bench/support/large-board.ts'
import { startOurs } from '../../bench/support/processes.ts'
import { call, handshake } from '../../bench/support/test-game.ts'

const PER_SECOND = 200
const QUIET_MS = 15_000
const PROGRAM = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

export interface LoadProof {
  readonly events: number
  readonly quietP99: number
  readonly duringP99: number
  readonly submissions: number
  /** Seconds of the commands. */
  readonly seconds: Readonly<Record<'backup' | 'second' | 'verify' | 'restore', number>>
  readonly faults: readonly string[]
}

interface Submitted {
  readonly waits: readonly number[]
  readonly faults: readonly string[]
}

/** Submits at a fixed rate, each counted from when it was due, so that a server that stalls is charged for all that wait. */
function submittingAt(submit: (n: number) => Promise<unknown>): { end(): Promise<Submitted> } {
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
  }, 5)
  return {
    end: async () => {
      clearInterval(timer)
      await Promise.all(running)
      return { waits, faults }
    },
  }
}

const p99 = (waits: readonly number[]): number =>
  waits.toSorted((a, b) => a - b)[Math.floor(waits.length * 0.99)] ?? Number.NaN

/** Runs the built command line, and returns its seconds and its --json. Rejects if it fails. */
async function command(env: NodeJS.ProcessEnv, ...args: string[]) {
  const began = performance.now()
  const child = spawn(process.execPath, [PROGRAM, ...args, '--json'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const texts = { out: '', err: '' }
  child.stdout.on('data', (bytes: Buffer) => {
    texts.out += bytes.toString()
  })
  child.stderr.on('data', (bytes: Buffer) => {
    texts.err += bytes.toString()
  })
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`${args[0]} exited with ${code}: ${texts.err}`)
  const json: { readonly events: number } = JSON.parse(texts.out)
  return { seconds: (performance.now() - began) / 1_000, events: json.events }
}

export async function proveBackupLoad(entries: number, report: (line: string) => void): Promise<LoadProof> {
  const { dataDir, world } = await largeBoard(entries)
  const folder = await mkdtemp(join(tmpdir(), 'scorebook-backup-load-'))
  const server = await startOurs(dataDir, { LOG_LEVEL: 'warn' })
  try {
    const token = await handshake(server.port, world.key)
    const players = await Promise.all(
      Array.from({ length: 50 }, () =>
        call<{ id: string }>(server.port, 'POST', `/api/gm/${world.game}/players/`, { token, body: { name: 'load' } }),
      ),
    )
    const submit = (n: number) =>
      call(server.port, 'POST', `/api/lb/${world.board}/score/`, {
        token,
        body: { score: `${n}.5`, player: players[n % players.length]?.id },
      })
    const quiet = submittingAt(submit)
    await new Promise((later) => setTimeout(later, QUIET_MS))
    const before = await quiet.end()
    report(`p99 ${p99(before.waits).toFixed(1)} ms without a backup`)
    const env = { DATA_DIR: dataDir, PORT: String(server.port) }
    const place = join(folder, 'place')
    const loaded = submittingAt(submit)
    const backup = await command(env, 'backup', '--to', place)
    const during = await loaded.end()
    report(`${backup.events} events in ${backup.seconds.toFixed(1)} s, p99 ${p99(during.waits).toFixed(1)} ms`)
    const second = await command(env, 'backup', '--to', place)
    const verify = await command(env, 'backup', 'verify', place)
    const key = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8'))
    const MASTER_KEY = Buffer.from(key.masterKey, 'base64url').toString('base64')
    const restore = await command({ MASTER_KEY }, 'restore', '--from', place, '--to', join(folder, 'restored'))
    return {
      events: backup.events,
      quietP99: p99(before.waits),
      duringP99: p99(during.waits),
      submissions: during.waits.length,
      seconds: {
        backup: backup.seconds,
        second: second.seconds,
        verify: verify.seconds,
        restore: restore.seconds,
      },
      faults: [...before.faults, ...during.faults],
    }
  } finally {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
