// A server in the demo's own process, on a data folder that is still empty, with a clock that the demo moves: the log takes
// the time of each event from the server, so that scores of the past can be recorded by no other.

import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { pino } from 'pino'
import { readConfig } from '../config.ts'
import { start } from '../main.ts'
import { UsageFault } from './failure.ts'
import { type GlobalOptions, localUrl, type Place } from './place.ts'
import type { Terminal } from './terminal.ts'

const HOST = '127.0.0.1'

interface DemoServer {
  readonly url: string
  stop(): Promise<void>
}

/** Throws UsageFault where data of the past would mix with data that is there, and ConfigFault. */
export async function startDemoServer(
  { env }: Terminal,
  { dataDir }: Place,
  options: GlobalOptions,
  now: () => number,
): Promise<DemoServer> {
  if (options.url !== undefined) {
    throw new UsageFault(
      '--days starts a server of its own, on an empty data folder: leave out --url, or leave out --days.',
    )
  }
  if (existsSync(join(dataDir, 'log.sqlite'))) {
    throw new UsageFault(
      `${dataDir} is in use already, and --days needs an empty data folder: DATA_DIR=./demo-data npx scorebook demo --days 30`,
    )
  }
  // Known before the start, as tickets to the rooms name it.
  const own = await freePort()
  const url = localUrl(HOST, own)
  const here = { HOST, PORT: `${own}`, ADMIN_PORT: '0', PUBLIC_URL: url, REALTIME_URL: '', RATE_LIMITS: 'off' }
  const config = readConfig({ ...env, ...here })
  if (config.production || config.eventStoreUrl !== null || config.mongoUrl !== null || config.redisUrl !== null) {
    throw new UsageFault(
      '--days works on a data folder alone, for trying things out: unset NODE_ENV, EVENTSTORE_URL, MONGODB_URL and REDIS_URL.',
    )
  }
  const { port, stop } = await start(config, pino({ level: 'fatal' }, process.stderr), now)
  if (port === null) {
    await stop()
    throw new UsageFault('--days needs all roles in one process: unset ROLES.')
  }
  return { url, stop }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, HOST)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
