// A real server with the MongoDB protocol for tests: FerretDB, on a random loopback port with a folder of its own. It
// can be killed, restarted on the same port and data, and frozen.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { freePort } from '../free-port.ts'
import { builtFerretdb } from './ferretdb/build.ts'

export { BUILD_TIMEOUT_MS } from './ferretdb/build.ts'

/** Retries, because another process may take the port first. */
const TRIES = 5

/** It allocates much short-lived memory: less frequent garbage collection saves a fifth of its work. */
const COLLECTING = { GOGC: '400', GOMEMLIMIT: '1GiB' }

export interface MongoServer {
  /** `mongodb://127.0.0.1:<port>/`, without a database. */
  readonly url: string
  /** Ends it, and removes its folder. */
  stop(): Promise<void>
  /** Kills it at once. Its folder stays. */
  kill(): Promise<void>
  /** Starts it again on the same port and folder. */
  restart(): Promise<void>
  /** Stops answering, with open connections, until `thaw`. */
  freeze(): void
  thaw(): void
}

export interface MongoServerOptions {
  /** It reports itself as a replica set, so that the driver and the adapter use the features of one. */
  readonly replicaSet?: boolean
}

export async function startMongo({ replicaSet = false }: MongoServerOptions = {}): Promise<MongoServer> {
  const binary = await builtFerretdb()
  const folder = await mkdtemp(join(tmpdir(), 'scorebook-ferretdb-'))
  // If the tests end without `stop`, the server ends by itself.
  const clear = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', clear)
  let address = ''
  let launched: ChildProcess | null = null
  for (let tries = 1; launched === null; tries++) {
    address = `127.0.0.1:${await freePort()}`
    launched = await launch(binary, address, folder, replicaSet).catch((failure: Error) => {
      if (tries < TRIES && failure.message.includes('address already in use')) return null
      throw failure
    })
  }
  let child = launched

  async function end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill(signal)
    // A frozen process handles signals when it continues.
    child.kill('SIGCONT')
    await exited
  }

  return {
    url: `mongodb://${address}/`,
    stop: async () => {
      await end('SIGKILL')
      process.off('exit', clear)
      await rm(folder, { recursive: true, force: true })
    },
    kill: () => end('SIGKILL'),
    restart: async () => {
      await end('SIGTERM')
      child = await launch(binary, address, folder, replicaSet)
    },
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
  }
}

/** Resolves when the server accepts connections. */
async function launch(binary: string, address: string, folder: string, replicaSet: boolean): Promise<ChildProcess> {
  const env = { ...COLLECTING, ...process.env, REPLICA_SET: replicaSet ? 'rs0' : '' }
  const child = spawn(binary, [address, folder], { stdio: ['pipe', 'pipe', 'pipe'], env })
  let output = ''
  child.stderr.on('data', (bytes: Buffer) => {
    output = `${output}${bytes}`.slice(-4_000)
  })
  const lines = createInterface({ input: child.stdout })
  const started = once(lines, 'line').then(() => true)
  const ended = once(child, 'exit').then(() => false)
  if (!(await Promise.race([started, ended]))) throw new Error(`FerretDB did not start on ${address}: ${output}`)
  return child
}
