// Runs a server in the demo's own process, on an empty data folder, with a clock that the demo controls. The server
// sets the time of each event, so past scores can be recorded in no other way.

import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { pino } from 'pino'
import { readConfig } from '../server/config.ts'
import { start } from '../server/start.ts'
import { UsageFault } from './failure.ts'
import { type GlobalOptions, localUrl, type Target } from './target.ts'
import type { Terminal } from './terminal.ts'

const HOST = '127.0.0.1'

interface DemoServer {
  readonly url: string
  stop(): Promise<void>
}

/** Throws UsageFault if the data folder is not empty, and ConfigFault. */
export async function startDemoServer(
  { env }: Terminal,
  { dataDir }: Target,
  options: GlobalOptions,
  now: () => number,
): Promise<DemoServer> {
  if (options.url !== undefined) {
    throw new UsageFault('--days starts its own server on an empty data folder. Leave out --url or --days.')
  }
  if (existsSync(join(dataDir, 'log.sqlite'))) {
    throw new UsageFault(
      `${dataDir} already holds data, and --days needs an empty data folder. Name one that does not exist yet: ` +
        'DATA_DIR=<new folder> npx scorebook demo --days 30',
    )
  }
  // Needed before the start: tickets to the rooms contain the address.
  const own = await freePort()
  const url = localUrl(HOST, own)
  const here = { HOST, PORT: `${own}`, ADMIN_PORT: '0', PUBLIC_URL: url, REALTIME_URL: '', RATE_LIMITS: 'off' }
  const config = readConfig({ ...env, ...here })
  if (config.production || config.servers !== null) {
    throw new UsageFault(
      '--days works only in development with the embedded stores. Unset NODE_ENV, EVENTSTORE_URL, MONGODB_URL and REDIS_URL.',
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
