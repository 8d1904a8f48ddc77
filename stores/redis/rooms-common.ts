// Code shared by the room scripts. Each call is one script, so readers see all of its effects or none.
//
// All keys begin with a base that names the server's run: after a restart Redis may have lost the last
// acknowledged writes, so the new run starts without the old rooms, and no sequence continues from an older state of
// itself. For a room with the ref
// `<game>/<room>`: `room:<ref>` has name, limit, seq and the like; `members:<ref>` member -> `<incarnation> <place>
// <player>`; `ears:<ref>` listener -> incarnation; `at:<ref>` incarnation -> the number of its members and listeners
// there; `log:<ref>` the last messages. Of each incarnation of a node (`life` in the scripts): `node:<id>` counts
// undelivered events, `inbox:<id>` has them, and `seats:<id>` its members and listeners as `<id> <ref>`. Also: `nodes`
// by time of death, `dead` nodes that are being cleaned up, `empty` fixed rooms by time of expiry, `rooms` every ref,
// and `made:<game>` and `listed:<game>` in order of creation, the latter with the name to search. `counts` has how many
// rooms were made and, for each creator (`player <id>`, `network <address>`), the refs of their open rooms: few, as
// both are limited. A ref whose room is gone does not count, so leftovers of an older version do not use up a limit.
// In the same way `room:<ref>` has the members of each player as `of <player>`; those that are gone do not count.
// `asked` has the seats (`<ref> <member>`) whose connections were asked if they answer, by time.
//
// Entries of an inbox are numbered without gaps, so that a reader notices a missing one. Scripts that must work with
// full memory (heartbeat, leave, cleanup) first write something that needs no memory: Redis refuses a script at its
// first write or not at all.

import { EMPTY_ROOM_KEPT_MS } from '../contract/rooms.ts'
import { script } from './client.ts'
import type { Redis } from './redis.ts'
import { INBOX_OVERHEAD_BYTES, MAX_INBOX_BYTES } from './rooms-inbox.ts'

/** The reply to an incarnation of a node that is dead. */
export const GONE = 'gone'

/**
 * KEYS: the base. ARGV: the calling incarnation. `playerIn` finds the id of a player in their JSON without parsing it:
 * Redis' parser refuses some texts of JSON.stringify, and within a value every quote has a backslash before it.
 */
export const COMMON = `local base, life = KEYS[1], ARGV[1]
local function whole(number) return string.format('%.0f', number) end
local function clock()
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end
local function isLive() return redis.call('ZSCORE', base .. 'nodes', life) end
local function tell(to, entry)
  local node = base .. 'node:' .. to
  local place = redis.call('HINCRBY', node, 'told', 1)
  local unread = redis.call('HINCRBY', node, 'unread', #entry + ${INBOX_OVERHEAD_BYTES})
  redis.call('XADD', base .. 'inbox:' .. to, whole(place) .. '-0', 'e', entry)
  if unread > ${MAX_INBOX_BYTES} then
    redis.call('XTRIM', base .. 'inbox:' .. to, 'MAXLEN', 1)
    redis.call('HSET', node, 'unread', 0)
  end
end
local function tellRoom(ref, entry)
  for _, to in ipairs(redis.call('HKEYS', base .. 'at:' .. ref)) do tell(to, entry) end
end
local function holder(ref, member)
  local held = redis.call('HGET', base .. 'members:' .. ref, member)
  return held and string.match(held, '^%S+')
end
local function openOf(maker)
  local open = {}
  for ref in string.gmatch(redis.call('HGET', base .. 'counts', maker) or '', '%S+') do
    if redis.call('EXISTS', base .. 'room:' .. ref) == 1 then open[#open + 1] = ref end
  end
  return open
end
local function putOpen(maker, open)
  if #open == 0 then redis.call('HDEL', base .. 'counts', maker)
  else redis.call('HSET', base .. 'counts', maker, table.concat(open, ' ')) end
end
local function finish(ref)
  local game, id = string.match(ref, '^([^/]*)/(.*)$')
  local room = redis.call('HMGET', base .. 'room:' .. ref, 'folded', 'by_player', 'by_network')
  local folded = room[1]
  local ears = redis.call('HGETALL', base .. 'ears:' .. ref)
  if #ears > 0 then tellRoom(ref, 'e ' .. ref) end
  for n = 1, #ears, 2 do redis.call('SREM', base .. 'seats:' .. ears[n + 1], ears[n] .. ' ' .. ref) end
  redis.call('DEL', base .. 'ears:' .. ref, base .. 'room:' .. ref, base .. 'members:' .. ref, base .. 'at:' .. ref, base .. 'log:' .. ref)
  if room[2] then putOpen(room[2], openOf(room[2])) end
  if room[3] then putOpen(room[3], openOf(room[3])) end
  redis.call('SREM', base .. 'rooms', ref)
  redis.call('ZREM', base .. 'empty', ref)
  redis.call('ZREM', base .. 'made:' .. game, id)
  if folded then redis.call('ZREM', base .. 'listed:' .. game, id .. ' ' .. folded) end
end
local function playerIn(json) return json and string.match(json, '"id":"([%w_-]+)"') end
local function seatsOf(ref, player)
  local seats = {}
  for one in string.gmatch(redis.call('HGET', base .. 'room:' .. ref, 'of ' .. player) or '', '%S+') do
    if holder(ref, one) then seats[#seats + 1] = one end
  end
  return seats
end
local function putSeats(ref, player, seats)
  if #seats == 0 then redis.call('HDEL', base .. 'room:' .. ref, 'of ' .. player)
  else redis.call('HSET', base .. 'room:' .. ref, 'of ' .. player, table.concat(seats, ' ')) end
end
local function depart(of, ref, id)
  redis.call('SREM', base .. 'seats:' .. of, id .. ' ' .. ref)
  if redis.call('HINCRBY', base .. 'at:' .. ref, of, -1) > 0 then return true end
  redis.call('HDEL', base .. 'at:' .. ref, of)
  return false
end
local function expire(ref)
  redis.call('ZADD', base .. 'empty', whole(clock() + ${EMPTY_ROOM_KEPT_MS}), ref)
end
local function isFixed(ref) return redis.call('HEXISTS', base .. 'room:' .. ref, 'fixed') == 1 end
local function isHeard(ref) return redis.call('EXISTS', base .. 'ears:' .. ref) == 1 end
local function isListener(of, ref, id) return redis.call('HGET', base .. 'ears:' .. ref, id) == of end
local function hush(of, ref, listener)
  redis.call('HDEL', base .. 'ears:' .. ref, listener)
  depart(of, ref, listener)
  if isHeard(ref) or redis.call('HLEN', base .. 'members:' .. ref) > 0 then return end
  if isFixed(ref) then expire(ref) end
end
local function vacate(of, ref, member)
  local held = redis.call('HGET', base .. 'members:' .. ref, member)
  redis.call('HDEL', base .. 'members:' .. ref, member)
  redis.call('ZREM', base .. 'asked', ref .. ' ' .. member)
  local player = playerIn(held and string.match(held, '^%S+ %S+ (.*)$'))
  if player then putSeats(ref, player, seatsOf(ref, player)) end
  return depart(of, ref, member)
end
local function stand(of, ref, member, reason)
  local isAt = vacate(of, ref, member)
  local heard, isEmpty = isHeard(ref), redis.call('HLEN', base .. 'members:' .. ref) == 0
  if heard or not isEmpty then tellRoom(ref, 'l ' .. ref .. ' ' .. member .. ' ' .. reason) end
  if isEmpty and not isFixed(ref) then finish(ref)
  elseif isEmpty and not heard then expire(ref) end
  return isAt
end
`

/** Maximum rooms that one script removes. */
const FORGOTTEN = 100

/** KEYS: prefix of the keys of all runs. ARGV: the current run. */
const FORGET = script(`local all, left = KEYS[1], ${FORGOTTEN}
redis.call('SREM', all .. 'epochs', '')
redis.call('SADD', all .. 'epochs', ARGV[1])
for _, epoch in ipairs(redis.call('SMEMBERS', all .. 'epochs')) do
  if epoch ~= ARGV[1] and left > 0 then
    local base = all .. epoch .. ':'
    local refs = redis.call('SPOP', base .. 'rooms', left)
    for _, ref in ipairs(refs) do
      local game = string.match(ref, '^[^/]*')
      redis.call('UNLINK', base .. 'room:' .. ref, base .. 'members:' .. ref, base .. 'at:' .. ref, base .. 'log:' .. ref, base .. 'ears:' .. ref)
      redis.call('UNLINK', base .. 'made:' .. game, base .. 'listed:' .. game)
    end
    left = left - #refs
    if left > 0 then
      for _, lives in ipairs({redis.call('ZRANGE', base .. 'nodes', 0, -1), redis.call('LRANGE', base .. 'dead', 0, -1)}) do
        for _, life in ipairs(lives) do
          redis.call('UNLINK', base .. 'node:' .. life, base .. 'inbox:' .. life, base .. 'seats:' .. life)
        end
      end
      redis.call('UNLINK', base .. 'nodes', base .. 'dead', base .. 'empty', base .. 'counts', base .. 'asked')
      redis.call('SREM', all .. 'epochs', epoch)
    end
  end
end
return 1`)

export const roomsBase = (namespace: string, epoch: string): string => `${namespace}rooms:${epoch}:`

/** Records that this run has rooms, and removes some rooms of earlier runs. */
export async function forgetEarlier(redis: Redis, namespace: string): Promise<void> {
  await redis.use(({ epoch, run }) => run(FORGET, [`${namespace}rooms:`], [epoch]))
}
