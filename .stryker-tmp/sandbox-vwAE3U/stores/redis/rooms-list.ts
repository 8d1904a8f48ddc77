// Lists rooms in Redis. A page without a search is one script. A search reads every listed room of the game, up to
// ten thousand, in several scripts of bounded size, so that it does not block others.

import type { RoomRecord, RoomsAsked, RoomsFound } from '../contract/rooms.ts'
import { foldedName } from '../support/folded-name.ts'
import type { Reply } from './client.ts'
import type { Redis } from './redis.ts'
import { listOf, numberOf, orNull, textOf } from './replies.ts'
import { roomsBase } from './rooms-epochs.ts'
import { script } from './script.ts'

/** Takes Redis about 0.5 ms with names of 64 characters, and 2.5 ms with the longest that fold from 64. */
const SEARCHED_AT_ONCE = 500

const ROW = `local function record(game, row)
  local id = string.match(row, '^%S+')
  local ref = game .. '/' .. id
  local room = redis.call('HMGET', KEYS[1] .. 'room:' .. ref, 'name', 'max')
  return {id, room[1], tonumber(room[2]), redis.call('HLEN', KEYS[1] .. 'members:' .. ref)}
end
`

/**
 * KEYS: the base. ARGV: game, how many rows to pass over and to give, then ids of fixed rooms. -> how many there are;
 * members of the fixed rooms; then id, name, limit and members of each row.
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
 * KEYS: the base. ARGV: game, text to search, the place in the order of making to begin after, how many matches to pass
 * over and to give. -> the place looked at last, or false at the end; how many matched; then the rows given.
 */
const SEARCH = script(`${ROW}
local game, search, skip, limit = ARGV[1], ARGV[2], tonumber(ARGV[4]), tonumber(ARGV[5])
local rows = redis.call('ZRANGEBYSCORE', KEYS[1] .. 'listed:' .. game, '(' .. ARGV[3], '+inf', 'WITHSCORES', 'LIMIT', 0, ${SEARCHED_AT_ONCE})
local answer = {#rows == ${2 * SEARCHED_AT_ONCE} and rows[#rows], 0}
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
  { game, search, limit, offset, fixed }: RoomsAsked,
): Promise<RoomsFound> {
  const part = foldedName(search)
  const standing = fixed.filter(({ listed, name }) => listed && foldedName(name).includes(part))
  const shown = standing.slice(offset, offset + limit)
  const skip = Math.max(0, offset - standing.length)
  const rest = limit - shown.length
  const words = [game, String(skip), String(part === '' ? rest : 0), ...shown.map(({ id }) => id)]
  const reply = await redis.use(({ epoch, run }) => run(LIST, [roomsBase(namespace, epoch)], words))
  const [count, ...rows] = listOf(reply)
  const rooms: RoomRecord[] = shown.map(({ id, name, max_members }, n) => {
    return { id, name, members: numberOf(rows[n]), max_members, fixed: true }
  })
  const made =
    part === ''
      ? { count: numberOf(count), rooms: rows.slice(shown.length).map(recordOf) }
      : await searched(redis, namespace, { game, part, skip, limit: rest })
  return { rooms: [...rooms, ...made.rooms], count: standing.length + made.count }
}

/** In the order of making, which a room keeps: none is found twice, and none missed that was there all the while. */
async function searched(
  redis: Redis,
  namespace: string,
  {
    game,
    part,
    skip,
    limit,
  }: { readonly game: string; readonly part: string; readonly skip: number; readonly limit: number },
): Promise<RoomsFound> {
  const rooms: RoomRecord[] = []
  let count = 0
  for (let after: string | null = '-inf'; after !== null; ) {
    const words = [game, part, after, String(Math.max(0, skip - count)), String(limit - rooms.length)]
    const reply = await redis.use(({ epoch, run }) => run(SEARCH, [roomsBase(namespace, epoch)], words))
    const [last, matched, ...rows] = listOf(reply)
    rooms.push(...rows.map(recordOf))
    count += numberOf(matched)
    after = orNull(textOf, last)
  }
  return { rooms, count }
}

function recordOf(row: Reply): RoomRecord {
  const [id, name, most, members] = listOf(row)
  return {
    id: textOf(id),
    name: textOf(name),
    members: numberOf(members),
    max_members: numberOf(most),
    fixed: false,
  }
}
