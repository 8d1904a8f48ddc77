// Starts the processes of a measurement, each on its own port: our server as shipped, the limits, and the load
// generator.

import { type ChildProcess, execFile, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from '../../test/free-port.ts'
import type { Load, Loaded } from './load-generator.ts'
import { cpuSecondsOf } from './measure.ts'

/** The folder of this checkout. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** Long enough for a start that builds views of millions of events. */
const START_TIMEOUT_MS = 1_800_000
const POLL_MS = 20
/** A process is idle if it uses at most this much processor time in this interval. */
const IDLE_OF_MS = 1_000
const MAX_IDLE_S = 0.1
/** `npm start` without the program: its options of Node apply to all measurements. */
const START = /^(?:exec )?node (?<options>.*?) ?dist\/cli\/main\.js serve$/

/** Running child processes. */
const running = new Set<ChildProcess>()

export interface Server {
  readonly port: number
  readonly adminPort: number
  readonly pid: number
  stop(): Promise<void>
}

/** Bundles the program into dist/. */
export async function build(): Promise<void> {
  await promisify(execFile)(process.execPath, [join(ROOT, 'tools/bundle.mjs'), 'dist'], { cwd: ROOT })
}

/**
 * Starts our server on a data folder and discards its log. Resolves when the server is ready. `checkout`: the folder
 * whose dist/ runs.
 */
export function startOurs(dataDir: string, env: NodeJS.ProcessEnv = {}, checkout = ROOT): Promise<Server> {
  const settings = { DATA_DIR: dataDir, RATE_LIMITS: 'off', LOG_LEVEL: 'info', ...env }
  return started([...nodeOptions(checkout), join(checkout, 'dist/cli/main.js'), 'serve'], settings, '/health/ready')
}

/** The options of a checkout's `npm start`; to compare others, BENCH_NODE_OPTIONS. */
function nodeOptions(checkout: string): string[] {
  const { scripts } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as { scripts: { start: string } }
  const options = process.env.BENCH_NODE_OPTIONS ?? START.exec(scripts.start)?.groups?.options
  if (options === undefined) throw new Error(`package.json starts the server by another command: ${scripts.start}`)
  return options.split(' ').filter((option) => option !== '')
}

/** Starts a projector process beside others on the same servers. It answers on its administration port only. */
export async function startProjector(dataDir: string, env: NodeJS.ProcessEnv): Promise<Pick<Server, 'pid' | 'stop'>> {
  const settings = {
    DATA_DIR: dataDir,
    ADMIN_PORT: String(await freePort()),
    HOST: '127.0.0.1',
    ...env,
    ROLES: 'projector',
  }
  const args = [...nodeOptions(ROOT), join(ROOT, 'dist/cli/main.js'), 'serve']
  return startProgram(process.execPath, args, settings, { port: Number(settings.ADMIN_PORT), path: '/health/ready' })
}

/** Koa answering `page` to GET and a record like `record` to POST. */
export function startLimit(answers: { readonly page?: unknown; readonly record?: unknown }): Promise<Server> {
  const env = { PAGE: JSON.stringify(answers.page ?? {}), RECORD: JSON.stringify(answers.record ?? {}) }
  return started(['--import', 'tsx', join(ROOT, 'bench/limits/koa.ts')], { ...env, NODE_ENV: 'production' }, '/')
}

/** Plain Socket.IO. */
export function startRoomsLimit(): Promise<Server> {
  return started(['--import', 'tsx', join(ROOT, 'bench/limits/socket-io.ts')], { NODE_ENV: 'production' }, '/')
}

/** A program of plain JavaScript, without a loader that would count. */
export function startPlain(path: string): Promise<Server> {
  return started([path], { NODE_ENV: 'production' }, '/')
}

/** Node discarding request bytes. */
export function startDiscard(): Promise<Server> {
  return started(['--import', 'tsx', join(ROOT, 'bench/limits/discard.ts')], { NODE_ENV: 'production' }, '/')
}

async function started(args: readonly string[], env: NodeJS.ProcessEnv, path: string): Promise<Server> {
  const [port, adminPort] = [await freePort(), await freePort()]
  const ports = { PORT: String(port), ADMIN_PORT: String(adminPort), HOST: '127.0.0.1' }
  const program = await startProgram(process.execPath, args, { ...env, ...ports }, { port, path })
  return { port, adminPort, ...program }
}

/** Resolves when it answers at a path of a port. */
export async function startProgram(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  ready: { readonly port: number; readonly path: string },
): Promise<Pick<Server, 'pid' | 'stop'>> {
  const child = spawn(program, args, {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  noted(child)
  let output = ''
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk
  })
  const deadline = Date.now() + START_TIMEOUT_MS
  const failed = new Promise<Error>((resolve) => child.once('error', resolve))
  while (!(await answers(ready.port, ready.path))) {
    const failure = await Promise.race([failed, null])
    if (failure !== null) throw new Error(`${program} cannot be started: ${failure.message}`)
    if (child.exitCode !== null || Date.now() > deadline) {
      await ended(child)
      throw new Error(`${program} ${args.join(' ')} does not start: ${output}`)
    }
    await pause(POLL_MS)
  }
  return { pid: child.pid ?? 0, stop: () => ended(child) }
}

async function answers(port: number, path: string): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => null)
  await answer?.arrayBuffer()
  return answer?.ok === true
}

/**
 * Waits until the server is idle: background reads of the log continue after a start and would distort measurements.
 */
export async function untilIdle({ pid }: Pick<Server, 'pid'>): Promise<void> {
  for (let before = cpuSecondsOf(pid); ; ) {
    await pause(IDLE_OF_MS)
    const now = cpuSecondsOf(pid)
    if (now - before <= MAX_IDLE_S) return
    before = now
  }
}

/** Ends processes that a failed measurement has left. */
export async function stopAll(): Promise<void> {
  await Promise.all([...running].map(ended))
}

function noted(child: ChildProcess): void {
  running.add(child)
  child.once('exit', () => running.delete(child))
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}

export interface Loader {
  /** Sends the requests, some of which may be refused. */
  tried(load: Load): Promise<Loaded>
  /** Sends the requests; throws if an answer is not 2xx. */
  load(load: Load): Promise<Loaded>
  /** The same; returns the server's processor seconds per request. */
  cost(server: Server, connections: number, requests: readonly string[]): Promise<number>
  stop(): Promise<void>
}

export function startLoader(): Loader {
  const child = fork(join(ROOT, 'bench/support/load-generator.ts'), { execArgv: ['--import', 'tsx'] })
  noted(child)

  async function tried(request: Load): Promise<Loaded> {
    child.send(request)
    const [reply]: { loaded?: Loaded; failure?: string }[] = await once(child, 'message')
    if (reply?.loaded === undefined) throw new Error(`the load broke off: ${reply?.failure}`)
    return reply.loaded
  }

  async function load(request: Load): Promise<Loaded> {
    const loaded = await tried(request)
    if (loaded.refused > 0) throw new Error(`${loaded.refused} refused, first: ${loaded.refusal}`)
    return loaded
  }

  async function cost(server: Server, connections: number, requests: readonly string[]): Promise<number> {
    const before = cpuSecondsOf(server.pid)
    await load({ port: server.port, connections, requests })
    return (cpuSecondsOf(server.pid) - before) / requests.length
  }

  return { tried, load, cost, stop: () => ended(child) }
}
