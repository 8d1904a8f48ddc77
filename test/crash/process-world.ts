// A server process with the interface that the tests of the HTTP API use, which can be killed.

import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { createHttpClient, type HttpClient } from '../front-door/http-client.ts'
import { hmacSigner, type World } from '../front-door/world.ts'
import { createMemoryFiles } from '../memory/files.ts'
import { environmentOf, freshStores, type StoreUrls } from '../servers/store-urls.ts'
import { builtProgram } from './build.ts'
import { type Exit, type ServerProcess, type Signal, startSupervised } from './server-process.ts'

export interface ProcessWorld extends World {
  /** The id of the current process. */
  readonly pid: number
  /** Its standard output, if that is a pipe to this process. */
  readonly stdout: Readable | null
  /** The output of all processes so far. */
  output(): string
  /** Sends the signal and waits for the end of the process. */
  end(signal?: 'SIGKILL' | 'SIGTERM'): Promise<Exit>
  /** Waits for the end of the process, after any signal. */
  ended(): Promise<Exit>
  /** Sends the signal and does not wait. */
  signal(name: Signal): void
  /** Starts a new process on the same folder after the previous one ended. */
  begin(): Promise<void>
  /** Stops the process and leaves the folder. */
  leave(): Promise<Exit>
}

/** An installation that other processes share, and that they remove. */
interface Shared {
  readonly dataDir: string
  readonly storeUrls: StoreUrls
  /** A built command line; by default the one of this source. */
  readonly program?: string
}

/**
 * On its own installation, or on a shared one. `stdout`: a file descriptor for its log, in place of a pipe. `now`: the
 * clock of the process, in Unix milliseconds.
 */
export async function openProcessWorld(
  given: Readonly<Record<string, string>> = {},
  shared: Shared | null = null,
  stdout: 'pipe' | number = 'pipe',
  now: () => number = Date.now,
): Promise<ProcessWorld> {
  const { storeUrls, end: endStores } =
    shared === null ? await freshStores() : { storeUrls: shared.storeUrls, end: async () => {} }
  const env = { ...environmentOf(storeUrls), ...given }
  const dataDir = shared?.dataDir ?? (await mkdtemp(join(tmpdir(), 'scorebook-crash-')))
  const program = shared?.program ?? builtProgram()
  let before = ''
  let server: ServerProcess = await startSupervised(dataDir, env, program, stdout)
  let client: HttpClient = createHttpClient(server.port)
  const { prefix, secret } = JSON.parse(await readFile(join(dataDir, 'operator.json'), 'utf8'))

  const output = () => before + server.output()
  const ended = () => server.exited
  const end = (signal: 'SIGKILL' | 'SIGTERM' = 'SIGTERM') => {
    server.signal(signal)
    return ended()
  }
  const begin = async () => {
    before = output()
    server = await startSupervised(dataDir, env, program, stdout)
    client = createHttpClient(server.port)
  }
  return {
    dataDir,
    storeUrls,
    clock: {
      get nowMs() {
        return now()
      },
    },
    lines: [],
    files: createMemoryFiles(now),
    get port() {
      return server.port
    },
    get pid() {
      return server.pid
    },
    get stdout() {
      return server.stdout
    },
    operator: hmacSigner(prefix, secret),
    call: (method, path, sent) => client.call(method, path, sent),
    output,
    end,
    ended,
    begin,
    signal: (name) => server.signal(name),
    restart: async () => {
      await end('SIGTERM')
      await begin()
    },
    leave: () => end('SIGTERM'),
    close: async () => {
      await end('SIGKILL')
      if (shared === null) await rm(dataDir, { recursive: true, force: true })
      await endStores()
    },
  }
}
