// Rooms in Redis: what is listed of them, and entering as a node.

import { foldedName, ROOMS_DEAD_MS, type RoomRecord, type Rooms, type RoomsAsked } from '../contract/rooms.ts'
import type { Reply } from './client.ts'
import { connectRedis, type Redis } from './connection.ts'
import { roomsBase } from './rooms-epochs.ts'
import { RedisRoomsNode } from './rooms-node.ts'
import { LIST } from './rooms-scripts.ts'

export interface RedisRoomsOptions {
  /** For a connection of each node's own, on which it waits for what it is told. */
  readonly url: string
  readonly namespace: string
  /** After how long a silent node is dead: the same for all nodes. */
  readonly deadMs?: number | undefined
}

export interface OpenRooms extends Rooms {
  /** Ends, in this process, the nodes that were not closed. */
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
        await node.beat()
        return node
      } catch (failure) {
        nodes.delete(node)
        node.abandon()
        throw failure
      }
    },

    async list({ game, search, limit, offset, fixed }: RoomsAsked) {
      const part = foldedName(search)
      const standing = fixed.filter(({ listed, name }) => listed && foldedName(name).includes(part))
      const shown = standing.slice(offset, offset + limit)
      const skip = Math.max(0, offset - standing.length)
      const words = ['', game, part, String(skip), String(limit - shown.length), ...shown.map(({ id }) => id)]
      const reply = await redis.use(({ epoch, run }) => run(LIST, [roomsBase(namespace, epoch)], words))
      const [count, ...rest] = reply as readonly Reply[]
      const rooms: RoomRecord[] = shown.map(({ id, name, max_members }, n) => {
        return { id, name, members: Number(rest[n]), max_members, fixed: true }
      })
      for (const row of rest.slice(shown.length)) {
        const [id, name, max_members, members] = row as readonly [string, string, number, number]
        rooms.push({ id, name, members, max_members, fixed: false })
      }
      return { rooms, count: standing.length + Number(count) }
    },

    close() {
      for (const node of nodes) node.abandon()
    },
  }
}
