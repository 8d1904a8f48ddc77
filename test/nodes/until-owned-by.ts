// Waits until the projectors own all partitions, according to their heartbeats in Redis.

import { createClient } from 'redis'
import { PARTITIONS } from '../../domain/partition.ts'
import { RETRY_EVERY_MS } from '../crash/load-run.ts'
import type { ServerUrls } from '../servers/store-urls.ts'
import { pause } from '../until.ts'

/** Waits until exactly this many projectors are live and together own all partitions. Rejects while Redis is down. */
export async function untilOwnedBy(
  { servers: { redisUrl }, redisPrefix }: ServerUrls,
  projectors: number,
): Promise<void> {
  const client = createClient({ url: redisUrl })
  await client.connect()
  try {
    for (;;) {
      const nodes = Object.values(await client.hGetAll(`${redisPrefix}nodes`)).map(livePartitions)
      const held = nodes.flatMap((partitions) => partitions ?? [])
      if (nodes.filter((one) => one !== null).length === projectors && new Set(held).size === PARTITIONS) return
      await pause(RETRY_EVERY_MS)
    }
  } finally {
    client.destroy()
  }
}

/** The partitions of a live projector; else null. Lines of a heartbeat: expiry and partitions, group, used views. */
function livePartitions(heartbeat: string): readonly string[] | null {
  const [lease = '', group = ''] = heartbeat.split('\n')
  const [ends = '', held = ''] = lease.split(' ')
  if (group === 'null' || Number(ends) <= Date.now()) return null
  return held === '' ? [] : held.split(',')
}
