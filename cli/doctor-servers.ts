// Checks each configured server separately, so that all faults are reported at once: reachability, credentials, and
// suitable settings.

import { STREAM_PREFIXES } from '../domain/streams.ts'
import type { Config } from '../server/config.ts'
import { DEVELOPMENT } from '../server/open-stores.ts'
import { StoresFault } from '../stores/contract/faults.ts'
import { checkEventStore } from '../stores/eventstoredb/check.ts'
import { checkMongo } from '../stores/mongodb/open.ts'
import { openRedis } from '../stores/redis/open.ts'
import type { Finding } from './doctor-finding.ts'

const FIX = 'Fix it there, or give the address of another server.'

/** Empty for embedded stores and files. `now`: Unix milliseconds. */
export async function checkServers(config: Config, now: () => number = Date.now): Promise<Finding[]> {
  const { servers, s3Url } = config
  const ofStores =
    servers === null
      ? []
      : [
          checkServer('EventStoreDB', () => eventStore(servers.eventStoreUrl, config)),
          checkServer('MongoDB', () => mongo(servers.mongoUrl, config)),
          checkServer('Redis', () => redis(servers.redisUrl, config, now)),
        ]
  const ofFiles = s3Url === null ? [] : [checkServer('S3', () => s3(s3Url, config, now))]
  const found = await Promise.all([...ofStores, ...ofFiles])
  return found.flat()
}

async function checkServer(name: string, check: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await check()
  } catch (failure) {
    // Only the adapters' own messages are known to contain no password.
    const detail = failure instanceof StoresFault ? failure.message : `it cannot be used (${(failure as Error).name})`
    return [{ name, state: 'fail', detail, fix: FIX }]
  }
}

async function eventStore(url: string, { production }: Config): Promise<Finding[]> {
  const name = 'EventStoreDB'
  const { version, warnings } = await checkEventStore({ url, prefixes: STREAM_PREFIXES, production })
  if (warnings.length === 0) return [{ name, state: 'ok', detail: `version ${version}, the log` }]
  return warnings.map(({ detail, advice }) => ({
    name,
    state: 'warn',
    detail: `version ${version}: ${detail}`,
    fix: advice,
  }))
}

async function mongo(url: string, { production }: Config): Promise<Finding[]> {
  const name = 'MongoDB'
  const { version, isReplicated } = await checkMongo({ url, production })
  if (isReplicated) return [{ name, state: 'ok', detail: `version ${version}, a replica set: views and vault` }]
  const detail = `version ${version} is a single server: it can lose what it acknowledged`
  return [{ name, state: 'warn', detail, fix: `Make it a replica set (mongod --replSet). ${DEVELOPMENT}` }]
}

async function redis(url: string, { production }: Config, now: () => number): Promise<Finding[]> {
  const name = 'Redis'
  const { faults, close } = await openRedis({ url })
  try {
    const found = await faults(now)
    if (found.length === 0) return [{ name, state: 'ok', detail: 'append-only, keeps every key: rankings and secrets' }]
    const state = production ? 'fail' : 'warn'
    const fix = production ? FIX : DEVELOPMENT
    return found.map(({ message }) => ({ name, state, detail: message, fix }))
  } finally {
    await close()
  }
}

async function s3(url: string, { production }: Config, now: () => number): Promise<Finding[]> {
  const name = 'S3'
  const { checkS3 } = await import('../stores/s3/open.ts')
  const { shown, areChecked, faults, warnings } = await checkS3({ url, now })
  const bad = faults.map((detail): Finding => ({ name, state: production ? 'fail' : 'warn', detail, fix: FIX }))
  const warned = warnings.map(
    (detail): Finding => ({ name, state: 'warn', detail, fix: 'docs/servers.md has the rule.' }),
  )
  if (bad.length + warned.length > 0) return [...bad, ...warned]
  const checks = areChecked ? 'it checks checksums itself' : 'it checks no checksums: files are read to check them'
  return [{ name, state: 'ok', detail: `${shown}: files; ${checks}` }]
}
