// The server under attack: the built program with a 512 MiB heap and the default limits, pinned to core 0 with the
// flags that docs/operations.md advises for one core. Measures live memory after a full collection, and the peak of
// resident memory.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../free-port.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const COLLECT = fileURLToPath(new URL('collect-on-signal.cjs', import.meta.url))
const HEAP_MIB = 512
/** Flags that docs/operations.md advises for one core. */
const ONE_CORE_FLAGS = ['--v8-pool-size=1']
const START_TIMEOUT_MS = 60_000
const MIB = 1_048_576

export interface Target {
  readonly port: number
  readonly pid: number
  readonly adminPort: number
  /** The output of the process is in this file. */
  readonly logPath: string
  isAlive(): boolean
  /** Heap, external memory and array buffers in MiB after a full collection; null if the process does not answer. */
  liveMib(): Promise<number | null>
  /** Resets the peak. */
  resetPeak(): Promise<void>
  peakMib(): Promise<number>
  stop(): Promise<void>
}

/** Pins to a core with `taskset`; `core` counts from 0. */
const pinned = (core: number, program: string, args: readonly string[]): [string, string[]] => [
  'taskset',
  ['-c', String(core), program, ...args],
]

/**
 * Starts the built program on a data folder. `env` overrides the default settings, `heapMib` is the limit of its heap.
 */
export async function startTarget(
  dataDir: string,
  env: NodeJS.ProcessEnv = {},
  heapMib: number = HEAP_MIB,
): Promise<Target> {
  const [port, adminPort] = [await freePort(), await freePort()]
  const logPath = join(dataDir, 'server.log')
  const log = openSync(logPath, 'a')
  const flags = [`--max-old-space-size=${heapMib}`, ...ONE_CORE_FLAGS, '--expose-gc', '--require', COLLECT]
  const [program, args] = pinned(0, process.execPath, [...flags, join(ROOT, 'dist/cli/main.js'), 'serve'])
  const settings = { DATA_DIR: dataDir, PORT: String(port), ADMIN_PORT: String(adminPort), HOST: '127.0.0.1' }
  const child = spawn(program, args, {
    env: { PATH: process.env.PATH, ...settings, ...env },
    stdio: ['ignore', log, log],
  })
  await ready(child, port, logPath)
  const pid = child.pid ?? 0
  const isAlive = () => child.exitCode === null && child.signalCode === null
  return {
    port,
    pid,
    adminPort,
    logPath,
    isAlive,
    liveMib: async () => {
      if (!isAlive()) return null
      child.kill('SIGUSR2')
      return liveMib(adminPort)
    },
    resetPeak: () => writeFile(`/proc/${pid}/clear_refs`, '5').catch(() => {}),
    peakMib: async () => {
      const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
      return Math.round(Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024)
    },
    stop: () => ended(child),
  }
}

async function ready(child: ChildProcess, port: number, logPath: string): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => null)
    await answer?.arrayBuffer()
    if (answer?.ok === true) return
    if (child.exitCode !== null || Date.now() > deadline) {
      throw new Error(`the server does not start:\n${await readFile(logPath, 'utf8')}`)
    }
    await pause(20)
  }
}

const GAUGES = ['nodejs_heap_size_used_bytes', 'nodejs_external_memory_bytes']

async function liveMib(adminPort: number): Promise<number | null> {
  const signal = AbortSignal.timeout(10_000)
  const answer = await fetch(`http://127.0.0.1:${adminPort}/metrics`, { signal }).catch(() => null)
  if (answer === null) return null
  const text = await answer.text()
  const bytes = GAUGES.map((name) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1] ?? 0))
  return Math.round(bytes.reduce((sum, one) => sum + one, 0) / MIB)
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  await exit
}
