// A real Redis for tests: redis-server on a port of its own, with an append-only file in a folder of its own. It can be
// stopped, killed, suspended and restarted with its data.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { freePort } from '../free-port.ts'

export interface RedisServerOptions {
  /** When the append-only file is synced: each second or before each answer; or there is no file. */
  readonly fsync?: 'everysec' | 'always' | 'no-file'
  readonly password?: string
  /** Further arguments for the command line: `--maxmemory`, `4mb`. */
  readonly config?: readonly string[]
}

export interface RedisServer {
  readonly url: string
  /** The folder of its file; it contains nothing else. */
  readonly folder: string
  /** Stops it in an orderly way, with all data kept. */
  shutDown(): Promise<void>
  /** kill -9. */
  kill(): Promise<void>
  /** Starts it again on the same port and folder. */
  start(): Promise<void>
  /** Stops it in an orderly way, and starts it again. */
  restart(): Promise<void>
  /** Suspends the process: connections stay open, and nothing is answered. */
  suspend(): void
  resume(): void
  /** Ends it and removes its folder. */
  stop(): Promise<void>
}

const STARTED_WITHIN_MS = 30_000
const PORT_TAKEN = /Address already in use|Failed listening/

/** Rejects with advice if `redis-server` is missing. */
export async function startRedis(options: RedisServerOptions = {}): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), 'scorebook-redis-'))
  let port = 0
  let running: ChildProcess | null = null
  for (let tries = 1; running === null; tries++) {
    port = await freePort()
    running = await launch(port, folder, options).catch((failure: Error) => {
      if (tries < 5 && PORT_TAKEN.test(failure.message)) return null
      throw failure
    })
  }

  const end = async (signal: NodeJS.Signals) => {
    const ended = running
    running = null
    if (ended === null || ended.exitCode !== null || ended.signalCode !== null) return
    const exited = once(ended, 'exit')
    ended.kill('SIGCONT')
    ended.kill(signal)
    await exited
  }
  const start = async () => {
    running = await launch(port, folder, options)
  }
  const secret = options.password === undefined ? '' : `:${encodeURIComponent(options.password)}@`
  return {
    url: `redis://${secret}127.0.0.1:${port}`,
    folder,
    shutDown: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    start,
    async restart() {
      await end('SIGTERM')
      await start()
    },
    suspend: () => void running?.kill('SIGSTOP'),
    resume: () => void running?.kill('SIGCONT'),
    async stop() {
      await end('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function launch(port: number, folder: string, options: RedisServerOptions): Promise<ChildProcess> {
  const { fsync = 'everysec', password, config = [] } = options
  const file = fsync === 'no-file' ? ['--appendonly', 'no'] : ['--appendonly', 'yes', '--appendfsync', fsync]
  const args = ['--bind', '127.0.0.1', '--port', String(port), '--dir', folder, '--save', '']
  const secret = password === undefined ? [] : ['--requirepass', password]
  const server = spawn('redis-server', [...args, ...file, ...secret, ...config], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const output: string[] = []
  const orphaned = () => void server.kill('SIGKILL')
  process.once('exit', orphaned)
  server.once('exit', () => process.off('exit', orphaned))
  await new Promise<void>((resolve, reject) => {
    const failed = (reason: string) => {
      server.kill('SIGKILL')
      reject(new Error(reason))
    }
    const timer = setTimeout(() => failed(`redis-server did not start: ${output.join('\n')}`), STARTED_WITHIN_MS)
    server.once('error', (failure: NodeJS.ErrnoException) => {
      clearTimeout(timer)
      failed(
        failure.code === 'ENOENT'
          ? 'There is no redis-server on this machine. Install it: apt-get install redis-server'
          : failure.message,
      )
    })
    server.once('exit', (code) => {
      clearTimeout(timer)
      failed(`redis-server ended with ${code}: ${output.join('\n')}`)
    })
    // Read until the end: a full pipe would block the process.
    createInterface({ input: server.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      if (output.length < 100) output.push(line)
      if (!line.includes('Ready to accept connections')) return
      clearTimeout(timer)
      resolve()
    })
  })
  return server
}
