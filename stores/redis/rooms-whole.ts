// Lists rooms with their members in Redis. Each room is read by a script of its own, so that a page with many members
// does not block other calls.

import type { RoomWithMembers, WholeRoomsPage, WholeRoomsQuery } from '../contract/rooms.ts'
import type { Redis } from './redis.ts'
import { listOf, numberOf, orNull, textOf, textsOf } from './replies.ts'
import { membersOf } from './rooms-entries.ts'
import { roomsBase } from './rooms-epochs.ts'
import { script } from './script.ts'

/** KEYS: the base. ARGV: game, first and last index. -> the number of rooms, and ids in the order of creation. */
const IDS = script(`local made = KEYS[1] .. 'made:' .. ARGV[1]
local found = {}
if tonumber(ARGV[3]) >= tonumber(ARGV[2]) then found = redis.call('ZRANGE', made, ARGV[2], ARGV[3]) end
return {redis.call('ZCARD', made), found}`)

/**
 * KEYS: the base. ARGV: the ref. -> name, limit, and alternating members and values; name and limit are false if there
 * is no such room.
 */
const ROOM = script(`local room = redis.call('HMGET', KEYS[1] .. 'room:' .. ARGV[1], 'name', 'max')
return {room[1], tonumber(room[2]) or false, redis.call('HGETALL', KEYS[1] .. 'members:' .. ARGV[1])}`)

export async function listWholeRooms(
  redis: Redis,
  namespace: string,
  { game, limit, offset, fixed, maxMembers }: WholeRoomsQuery,
): Promise<WholeRoomsPage> {
  const find = async (id: string) => {
    const reply = await redis.use(({ epoch, run }) => run(ROOM, [roomsBase(namespace, epoch)], [`${game}/${id}`]))
    const [name, max, members] = listOf(reply)
    return { name: orNull(textOf, name), max: orNull(numberOf, max), members: membersOf(textsOf(members)) }
  }
  const first = Math.max(0, offset - fixed.length)
  const last = offset + limit - fixed.length - 1
  const words = [game, String(first), String(last)]
  const reply = await redis.use(({ epoch, run }) => run(IDS, [roomsBase(namespace, epoch)], words))
  const [count, ids] = listOf(reply)
  const wanted = [
    ...fixed.slice(offset, offset + limit).map(({ id, name, max_members: max }) => ({ id, settings: { name, max } })),
    ...textsOf(ids).map((id) => ({ id, settings: null })),
  ]
  const rooms: RoomWithMembers[] = []
  let members = 0
  let next = offset
  for (const { id, settings } of wanted) {
    const found = await find(id)
    members += found.members.length
    if (rooms.length > 0 && members > maxMembers) break
    next++
    const { name, max } = settings ?? found
    if (name !== null && max !== null)
      rooms.push({ id, name, members: found.members, max_members: max, fixed: settings !== null })
  }
  return { rooms, count: fixed.length + numberOf(count), next }
}
