// Rooms in Redis: registers nodes, and lists rooms.

import { ROOMS_DEAD_MS, type Rooms } from '../contract/rooms.ts'
import { listOf, type Reply, script, textOf } from './client.ts'
import { connectRedis, type Redis } from './redis.ts'
import { COMMON, roomsBase } from './rooms-common.ts'
import { listRooms, listWholeRooms } from './rooms-list.ts'
import { RedisRoomsNode } from './rooms-node.ts'

interface RedisRoomsOptions {
  /** Opens the separate connection on which each node waits for its inbox. */
  readonly url: string
  readonly namespace: string
  /** Milliseconds without a heartbeat after which a node is dead, equal on all nodes. */
  readonly deadMs?: number | undefined
}

interface OpenRooms extends Rooms {
  /** Ends the nodes of this process that are still open. */
  close(): void
}

export function createRedisRooms(redis: Redis, options: RedisRoomsOptions): OpenRooms {
  const { url, namespace, deadMs = ROOMS_DEAD_MS } = options
  const nodes = new Set<RedisRoomsNode>()
  return {
    async enter(hearing) {
      const node = new RedisRoomsNode({ redis, connect: () => connectRedis(url), namespace, deadMs, hearing })
      nodes.add(node)
      try {
        await node.heartbeat()
        return node
      } catch (failure) {
        nodes.delete(node)
        node.abandon()
        throw failure
      }
    },

    list: (asked) => listRooms(redis, namespace, asked),
    listWhole: (asked) => listWholeRooms(redis, namespace, asked),
    forget: (game) => forgetRooms(redis, namespace, game),

    close() {
      for (const node of nodes) node.abandon()
    },
  }
}

// Removes the fixed rooms of a deleted game from Redis: they are empty, and their messages would otherwise stay for
// an hour.

/** Empty rooms scanned and removed per command. */
const SCANNED_AT_ONCE = 500

/** KEYS: the base. ARGV: an empty incarnation, then refs. Removes those that are still empty. */
const FINISH = script(`${COMMON}
for n = 2, #ARGV do
  if redis.call('ZSCORE', base .. 'empty', ARGV[n]) then finish(ARGV[n]) end
end
return 1`)

async function forgetRooms(redis: Redis, namespace: string, game: string): Promise<void> {
  let cursor = '0'
  do {
    cursor = await redis.use(async ({ epoch, send, run }) => {
      const base = roomsBase(namespace, epoch)
      const scan = ['ZSCAN', `${base}empty`, cursor, 'MATCH', `${game}/*`, 'COUNT', String(SCANNED_AT_ONCE)]
      const [next, rows] = listOf(await send(scan))
      // ZSCAN returns each member with its score.
      const refs = listOf(rows as Reply).filter((_, n) => n % 2 === 0)
      if (refs.length > 0) await run(FINISH, [base], ['', ...refs.map(textOf)])
      return textOf(next)
    })
  } while (cursor !== '0')
}
