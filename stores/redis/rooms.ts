// Rooms in Redis: registers nodes, and lists rooms.

import { ROOMS_DEAD_MS, type Rooms } from '../contract/rooms.ts'
import { connectRedis, type Redis } from './redis.ts'
import { forgetRooms } from './rooms-forget.ts'
import { listRooms } from './rooms-list.ts'
import { RedisRoomsNode } from './rooms-node.ts'
import { listWholeRooms } from './rooms-whole.ts'

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
