// The three servers of a measurement, each a separate process: those in the environment, or those of the tests. Servers
// in the environment must be empty.

import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { withDatabase } from '../../test/servers/ferretdb/database.ts'
import { startMongo } from '../../test/servers/ferretdb.ts'
import { startRedis } from '../../test/servers/redis.ts'
import { freshFolder } from './fresh-server.ts'

interface BenchServer {
  readonly url: string
  stop(): Promise<void>
}

const EVENT_STORE = fileURLToPath(new URL('../../test/servers/eventstoredb/main.ts', import.meta.url))
const NAMED_ONLY = async () => {}

/** Settings of one process of ours: an unused database and an unused Redis namespace. */
export interface BenchServers {
  readonly eventStoreUrl: string
  readonly mongoUrl: string
  readonly redisUrl: string
  readonly redisPrefix: string
  readonly environment: Readonly<Record<string, string>>
  stop(): Promise<void>
}

export async function startServers(): Promise<BenchServers> {
  const started: BenchServer[] = []
  const stop = async () => {
    await Promise.all(started.map((server) => server.stop()))
  }
  const one = async (starting: Promise<BenchServer>): Promise<string> => {
    const server = await starting
    started.push(server)
    return server.url
  }
  try {
    const eventStoreUrl = await one(eventStoreServer())
    const mongoUrl = withDatabase(await one(mongoServer()), `bench-${unused()}`)
    const redisUrl = await one(redisServer())
    const redisPrefix = `bench-${unused()}:`
    const environment = {
      EVENTSTORE_URL: eventStoreUrl,
      MONGODB_URL: mongoUrl,
      REDIS_URL: redisUrl,
      REDIS_PREFIX: redisPrefix,
    }
    return { eventStoreUrl, mongoUrl, redisUrl, redisPrefix, environment, stop }
  } catch (failure) {
    await stop()
    throw failure
  }
}

/** Returns an unused name suffix. */
export const unused = (): string => randomBytes(8).toString('hex')

async function eventStoreServer(): Promise<BenchServer> {
  return named('EVENTSTORE_URL') ?? (await ownEventStore())
}

async function mongoServer(): Promise<BenchServer> {
  return named('MONGODB_URL') ?? (await startMongo())
}

export async function redisServer(): Promise<BenchServer> {
  return named('REDIS_URL') ?? (await startRedis())
}

function named(variable: string): BenchServer | null {
  const url = process.env[variable]
  return url === undefined || url === '' ? null : { url, stop: NAMED_ONLY }
}

/** Syncs every commit to disk before answering, like a real server. */
async function ownEventStore(): Promise<BenchServer> {
  const folder = await freshFolder()
  const args = ['--import', 'tsx', EVENT_STORE, '--data', join(folder, 'log')]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const orphaned = () => void child.kill('SIGKILL')
  process.once('exit', orphaned)
  const stop = async () => {
    process.off('exit', orphaned)
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    await rm(folder, { recursive: true })
  }
  const exited = once(child, 'exit').then(() => null)
  const url = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), exited])
  if (url === null) {
    await stop()
    throw new Error('the EventStoreDB of the tests did not start')
  }
  return { url: String(url[0]), stop }
}
