// Configuration problems of a reachable Redis; production refuses to start on any of them.

import { readInfo } from './client.ts'
import type { Redis } from './redis.ts'

export type RedisFaultKind = 'version' | 'cluster' | 'replica' | 'append-only' | 'eviction' | 'clock'

export interface RedisFault {
  readonly kind: RedisFaultKind
  /** The fault and its fix. */
  readonly message: string
}

const CLOCK_OFF_MAX_MS = 5_000
/** The first version with GETDEL. */
const OLDEST = [6, 2] as const

/** `clock` returns Unix milliseconds. */
export async function redisFaults(redis: Redis, clock: () => number): Promise<RedisFault[]> {
  const [info, offMs] = await redis.use(async ({ send }) => {
    const before = clock()
    const [seconds, micros] = (await send(['TIME'])) as [string, string]
    const theirs = Number(seconds) * 1_000 + Number(micros) / 1_000
    return [await readInfo(send), Math.round((before + clock()) / 2 - theirs)] as const
  })
  const faults: RedisFault[] = []
  const add = (kind: RedisFaultKind, message: string) =>
    faults.push({ kind, message: `Redis at ${redis.shown} ${message}` })

  const version = info.get('redis_version') ?? ''
  if (isOlder(version)) {
    add('version', `is version ${version}, and at least ${OLDEST.join('.')} is needed. Install a newer one.`)
  }
  if (info.get('redis_mode') === 'cluster') {
    add('cluster', 'is a node of a cluster, whose keys cannot be changed together. Give a single server.')
  }
  if (info.get('role') !== 'master') {
    add('replica', 'is a replica, which takes no writes. Give the address of its primary.')
  }
  if (info.get('aof_enabled') !== '1') {
    add(
      'append-only',
      'keeps no append-only file: after a crash, used one-time secrets would be valid again. Set "appendonly yes" in its ' +
        'configuration.',
    )
  }
  const policy = info.get('maxmemory_policy') ?? ''
  if (policy !== 'noeviction') {
    add(
      'eviction',
      `drops keys when its memory is full (maxmemory-policy ${policy}): rankings would lose entries unseen. Set ` +
        '"maxmemory-policy noeviction".',
    )
  }
  if (Math.abs(offMs) > CLOCK_OFF_MAX_MS) {
    const direction = offMs > 0 ? 'behind' : 'ahead of'
    add(
      'clock',
      `has a clock ${(Math.abs(offMs) / 1_000).toFixed(1)} s ${direction} ours; ${CLOCK_OFF_MAX_MS / 1_000} s are allowed. Set ` +
        'both machines right (NTP).',
    )
  }
  return faults
}

function isOlder(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])
}
