// A real Redis for tests: Debian's redis-server on a port of its own, with an append-only file in a folder of its own,
// that can be stopped, killed, held and started again with what it kept.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { freePort } from '../free-port.ts'

export interface RedisServerOptions {
  /** When the append-only file is written through: each second, before each answer, or there is none. */
  readonly fsync?: 'everysec' | 'always' | 'no-file'
  readonly password?: string
  /** Further words for the command line: `--maxmemory`, `4mb`. */
  readonly config?: readonly string[]
}

export interface RedisServer {
  readonly url: string
  /** Where it keeps its file; nothing else is there. */
  readonly folder: string
  /** In order, keeping all. */
  shutDown(): Promise<void>
  /** kill -9. */
  kill(): Promise<void>
  /** Starts it again after either, on the same port with the same folder. */
  start(): Promise<void>
  /** Shuts it down in order, and starts it again. */
  restart(): Promise<void>
  /** Holds the process: connections stay, and nothing is answered. */
  hold(): void
  resume(): void
  /** Ends it and removes its folder. */
  stop(): Promise<void>
}

const STARTED_WITHIN_MS = 30_000
const PORT_TAKEN = /Address already in use|Failed listening/

/** Rejects where there is no `redis-server`, with what to do. */
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
    hold: () => void running?.kill('SIGSTOP'),
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
  const place = ['--bind', '127.0.0.1', '--port', String(port), '--dir', folder, '--save', '']
  const secret = password === undefined ? [] : ['--requirepass', password]
  const server = spawn('redis-server', [...place, ...file, ...secret, ...config], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const said: string[] = []
  const orphaned = () => void server.kill('SIGKILL')
  process.once('exit', orphaned)
  server.once('exit', () => process.off('exit', orphaned))
  await new Promise<void>((resolve, reject) => {
    const failed = (why: string) => {
      server.kill('SIGKILL')
      reject(new Error(why))
    }
    const timer = setTimeout(() => failed(`redis-server did not start: ${said.join('\n')}`), STARTED_WITHIN_MS)
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
      failed(`redis-server ended with ${code}: ${said.join('\n')}`)
    })
    // Read to the end of its life: a full pipe would hold it.
    createInterface({ input: server.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      if (said.length < 100) said.push(line)
      if (!line.includes('Ready to accept connections')) return
      clearTimeout(timer)
      resolve()
    })
  })
  return server
}
