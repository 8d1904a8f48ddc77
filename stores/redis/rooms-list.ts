// Lists rooms in Redis. A page without a search is one script. A search reads every listed room of the game, up to
// ten thousand, in several scripts of bounded size, so that it does not block others.

import type {
  RoomRecord,
  RoomsPage,
  RoomsQuery,
  RoomWithMembers,
  WholeRoomsPage,
  WholeRoomsQuery,
} from '../contract/rooms.ts'
import { caselessName } from '../support/storable.ts'
import { listOf, numberOf, orNull, type Reply, script, textOf, textsOf } from './client.ts'
import type { Redis } from './redis.ts'
import { roomsBase } from './rooms-common.ts'
import { membersOf } from './rooms-entries.ts'

/** Rooms per script: about 0.5 ms with names of 64 characters, 2.5 ms with the longest caseless ones. */
const EVENTS_PER_SEARCH = 500

const ROW = `local function record(game, row)
  local id = string.match(row, '^%S+')
  local ref = game .. '/' .. id
  local room = redis.call('HMGET', KEYS[1] .. 'room:' .. ref, 'name', 'max')
  return {id, room[1], tonumber(room[2]), redis.call('HLEN', KEYS[1] .. 'members:' .. ref)}
end
`

/**
 * KEYS: the base. ARGV: game, offset, limit, then ids of fixed rooms. -> the number of rooms; members of the fixed
 * rooms; then id, name, limit and members of each row.
 */
const LIST = script(`${ROW}
local game, skip, limit = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local listed = KEYS[1] .. 'listed:' .. game
local answer = {redis.call('ZCARD', listed)}
for n = 4, #ARGV do answer[#answer + 1] = redis.call('HLEN', KEYS[1] .. 'members:' .. game .. '/' .. ARGV[n]) end
local found = {}
if limit > 0 then found = redis.call('ZRANGE', listed, ARGV[2], string.format('%.0f', skip + limit - 1)) end
for _, row in ipairs(found) do answer[#answer + 1] = record(game, row) end
return answer`)

/**
 * KEYS: the base. ARGV: game, search text, cursor (in the order of creation), offset and limit of matches. -> the next
 * cursor, or false at the end; the number of matches; then the rows.
 */
const SEARCH = script(`${ROW}
local game, search, skip, limit = ARGV[1], ARGV[2], tonumber(ARGV[4]), tonumber(ARGV[5])
local rows = redis.call('ZRANGEBYSCORE', KEYS[1] .. 'listed:' .. game, '(' .. ARGV[3], '+inf', 'WITHSCORES', 'LIMIT', 0, ${EVENTS_PER_SEARCH})
local answer = {#rows == ${2 * EVENTS_PER_SEARCH} and rows[#rows], 0}
for n = 1, #rows, 2 do
  local row = rows[n]
  if string.find(row, search, string.find(row, ' ', 1, true) + 1, true) then
    answer[2] = answer[2] + 1
    if answer[2] > skip and #answer - 2 < limit then answer[#answer + 1] = record(game, row) end
  end
end
return answer`)

export async function listRooms(
  redis: Redis,
  namespace: string,
  { game, search, limit, offset, fixed }: RoomsQuery,
): Promise<RoomsPage> {
  const text = caselessName(search)
  const fixedRooms = fixed.filter(({ listed, name }) => listed && caselessName(name).includes(text))
  const shown = fixedRooms.slice(offset, offset + limit)
  const skip = Math.max(0, offset - fixedRooms.length)
  const rest = limit - shown.length
  const words = [game, String(skip), String(text === '' ? rest : 0), ...shown.map(({ id }) => id)]
  const reply = await redis.use(({ epoch, run }) => run(LIST, [roomsBase(namespace, epoch)], words))
  const [count, ...rows] = listOf(reply)
  const rooms: RoomRecord[] = shown.map(({ id, name, max_members }, n) => {
    return { id, name, members: numberOf(rows[n]), max_members, fixed: true }
  })
  const made =
    text === ''
      ? { count: numberOf(count), rooms: rows.slice(shown.length).map(recordOf) }
      : await searched(redis, namespace, { game, text, skip, limit: rest })
  return { rooms: [...rooms, ...made.rooms], count: fixedRooms.length + made.count }
}

/**
 * Pages in the order of creation, which never changes: no room is found twice, and none that exists throughout is
 * missed.
 */
async function searched(
  redis: Redis,
  namespace: string,
  {
    game,
    text,
    skip,
    limit,
  }: { readonly game: string; readonly text: string; readonly skip: number; readonly limit: number },
): Promise<RoomsPage> {
  const rooms: RoomRecord[] = []
  let count = 0
  for (let after: string | null = '-inf'; after !== null; ) {
    const words = [game, text, after, String(Math.max(0, skip - count)), String(limit - rooms.length)]
    const reply = await redis.use(({ epoch, run }) => run(SEARCH, [roomsBase(namespace, epoch)], words))
    const [last, matched, ...rows] = listOf(reply)
    rooms.push(...rows.map(recordOf))
    count += numberOf(matched)
    after = orNull(textOf, last)
  }
  return { rooms, count }
}

function recordOf(row: Reply): RoomRecord {
  const [id, name, maxMembers, members] = listOf(row)
  return {
    id: textOf(id),
    name: textOf(name),
    members: numberOf(members),
    max_members: numberOf(maxMembers),
    fixed: false,
  }
}

// Lists rooms with their members in Redis. Each room is read by a script of its own, so that a page with many members
// does not block other calls.

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
