// Which projectors hold partitions, as their heartbeats in Redis say.

import { createClient } from 'redis'
import { PARTITIONS } from '../../domain/partition.ts'
import { ASK_EVERY_MS } from '../crash/stage.ts'
import type { Places } from '../servers/places.ts'
import { pause } from '../until.ts'

/** Until just so many projectors live, and hold all partitions among themselves. Rejects while Redis is away. */
export async function untilHeldBy({ redisUrl, redisPrefix }: Places, projectors: number): Promise<void> {
  const client = createClient({ url: redisUrl ?? '' })
  await client.connect()
  try {
    for (;;) {
      const nodes = Object.values(await client.hGetAll(`${redisPrefix}nodes`)).map(liveHolder)
      const held = nodes.flatMap((partitions) => partitions ?? [])
      if (nodes.filter((one) => one !== null).length === projectors && new Set(held).size === PARTITIONS) return
      await pause(ASK_EVERY_MS)
    }
  } finally {
    client.destroy()
  }
}

/**
 * What it holds, of a projector that lives; else null. Its lines: until when and which partitions, group, views used.
 */
function liveHolder(said: string): readonly string[] | null {
  const [lease = '', group = ''] = said.split('\n')
  const [ends = '', held = ''] = lease.split(' ')
  if (group === 'null' || Number(ends) <= Date.now()) return null
  return held === '' ? [] : held.split(',')
}
