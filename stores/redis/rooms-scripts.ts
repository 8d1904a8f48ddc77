// The scripts of rooms. Each call is one, so that whoever looks sees all of it or nothing.
//
// All keys begin with a base that names the server's run (see rooms-epochs.ts). Below it, for a room called by its ref
// `<game>/<room>`: `room:<ref>` name, limit, seq and the like; `members:<ref>` member -> `<life> <place> <player>`;
// `at:<ref>` life -> how many of its members sit there; `log:<ref>` the last messages. Of a node's life: `node:<life>` what
// it was told and has not read, `inbox:<life>`, `seats:<life>` as `<member> <ref>`. And `nodes` by when each is dead, `dead`
// those being cleared away, `empty` fixed rooms by when they are forgotten, `rooms` every ref, `made:<game>` and
// `listed:<game>` in the order of making, the latter with the name to search.
//
// Entries of an inbox are numbered without holes, so that a reader sees when it missed one. What a full memory must not
// stop (beating, leaving, clearing away) writes something first that needs no memory: Redis refuses a script at its first
// write or not at all.

import { EMPTY_ROOM_KEPT_MS, NODE_LOST, ROOM_KEEPS } from '../contract/rooms.ts'
import { INBOX_MOST_BYTES, INBOX_OVERHEAD_BYTES } from './rooms-inbox.ts'
import { script } from './script.ts'

/** Seats that one script clears away at most, and rooms. */
const SWEPT_SEATS = 100
const SWEPT_ROOMS = 20

/** Answered instead of anything else where the life that asks is dead. */
export const GONE = 'gone'

const COMMON = `local base, life = KEYS[1], ARGV[1]
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
  if unread > ${INBOX_MOST_BYTES} then
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
local function finish(ref)
  local game, id = string.match(ref, '^([^/]*)/(.*)$')
  local folded = redis.call('HGET', base .. 'room:' .. ref, 'folded')
  redis.call('DEL', base .. 'room:' .. ref, base .. 'members:' .. ref, base .. 'at:' .. ref, base .. 'log:' .. ref)
  redis.call('SREM', base .. 'rooms', ref)
  redis.call('ZREM', base .. 'empty', ref)
  redis.call('ZREM', base .. 'made:' .. game, id)
  if folded then redis.call('ZREM', base .. 'listed:' .. game, id .. ' ' .. folded) end
end
local function stand(of, ref, member, reason)
  redis.call('HDEL', base .. 'members:' .. ref, member)
  redis.call('SREM', base .. 'seats:' .. of, member .. ' ' .. ref)
  if redis.call('HINCRBY', base .. 'at:' .. ref, of, -1) <= 0 then redis.call('HDEL', base .. 'at:' .. ref, of) end
  if redis.call('HLEN', base .. 'members:' .. ref) > 0 then
    tellRoom(ref, 'l ' .. ref .. ' ' .. member .. ' ' .. reason)
  elseif redis.call('HEXISTS', base .. 'room:' .. ref, 'fixed') == 1 then
    redis.call('ZADD', base .. 'empty', whole(clock() + ${EMPTY_ROOM_KEPT_MS}), ref)
  else
    finish(ref)
  end
end
`

/**
 * Takes a seat. Only the first of a node in a room is told who sits there: the node has heard of all others since. That is
 * why a node is told of its own last leaving too.
 */
const SIT = `local function sit(ref, member, player, since)
  local place = redis.call('HINCRBY', base .. 'room:' .. ref, 'places', 1)
  redis.call('HSET', base .. 'members:' .. ref, member, life .. ' ' .. whole(place) .. ' ' .. player)
  local seats = redis.call('HINCRBY', base .. 'at:' .. ref, life, 1)
  redis.call('SADD', base .. 'seats:' .. life, member .. ' ' .. ref)
  redis.call('ZREM', base .. 'empty', ref)
  tellRoom(ref, 'j ' .. ref .. ' ' .. life .. ' ' .. member .. ' ' .. player)
  local room = redis.call('HMGET', base .. 'room:' .. ref, 'name', 'max', 'seq')
  local missed = false
  if since ~= '' then
    local count = tonumber(room[3]) - tonumber(since)
    if count == 0 then
      missed = {}
    elseif count > 0 and count <= redis.call('LLEN', base .. 'log:' .. ref) then
      missed = redis.call('LRANGE', base .. 'log:' .. ref, -count, -1)
    end
  end
  local members = seats == 1 and redis.call('HGETALL', base .. 'members:' .. ref)
  return {'joined', room[1], tonumber(room[2]), room[3], members, missed}
end
`

/** ARGV: life, ref, member, player as JSON, name, limit, whether it is listed, name to search, rooms at most. */
export const CREATE = script(`${COMMON}${SIT}
if not isLive() then return {'${GONE}'} end
local ref, folded = ARGV[2], ARGV[8]
local game, id = string.match(ref, '^([^/]*)/(.*)$')
local made = base .. 'made:' .. game
if redis.call('ZCARD', made) >= tonumber(ARGV[9]) then return {'too_many_rooms'} end
local order = redis.call('HINCRBY', base .. 'counts', 'made', 1)
redis.call('HSET', base .. 'room:' .. ref, 'name', ARGV[5], 'max', ARGV[6], 'seq', 0)
redis.call('SADD', base .. 'rooms', ref)
redis.call('ZADD', made, order, id)
if ARGV[7] == '1' then
  redis.call('HSET', base .. 'room:' .. ref, 'folded', folded)
  redis.call('ZADD', base .. 'listed:' .. game, order, id .. ' ' .. folded)
end
return sit(ref, ARGV[3], ARGV[4], '')`)

/** ARGV: life, ref, member, player as JSON, since or nothing, then name and limit of a fixed room, or nothing twice. */
export const JOIN = script(`${COMMON}${SIT}
if not isLive() then return {'${GONE}'} end
local ref, name, most = ARGV[2], ARGV[6], tonumber(ARGV[7])
local room = base .. 'room:' .. ref
local held = redis.call('HMGET', room, 'max', 'fixed')
if not most and (held[2] or not held[1]) then return {'room_not_found'} end
if redis.call('HLEN', base .. 'members:' .. ref) >= (most or tonumber(held[1])) then return {'room_full'} end
if most then
  if not held[1] then
    redis.call('HSET', room, 'seq', whole(clock()), 'fixed', 1)
    redis.call('SADD', base .. 'rooms', ref)
  end
  redis.call('HSET', room, 'name', name, 'max', ARGV[7])
end
return sit(ref, ARGV[3], ARGV[4], ARGV[5])`)

/** ARGV: life, ref, member, reason. */
export const LEAVE = script(`${COMMON}
local ref, member, reason = ARGV[2], ARGV[3], ARGV[4]
if holder(ref, member) == life then
  stand(life, ref, member, reason)
  if redis.call('HEXISTS', base .. 'at:' .. ref, life) == 0 then tell(life, 'l ' .. ref .. ' ' .. member .. ' ' .. reason) end
  return 1
end
if isLive() then return 0 end
return '${GONE}'`)

/** ARGV: life, ref, member, data. -> seq and time. */
export const SEND = script(`${COMMON}
local ref, member = ARGV[2], ARGV[3]
if holder(ref, member) ~= life then
  if isLive() then return {'not_in_room'} end
  return {'${GONE}'}
end
local seq = redis.call('HINCRBY', base .. 'room:' .. ref, 'seq', 1)
local sentAt = whole(clock())
local message = whole(seq) .. ' ' .. sentAt .. ' ' .. member .. ' ' .. ARGV[4]
local log = base .. 'log:' .. ref
if redis.call('RPUSH', log, message) > ${ROOM_KEEPS} then redis.call('LPOP', log) end
tellRoom(ref, 'm ' .. ref .. ' ' .. message)
return {'sent', whole(seq), sentAt}`)

/** ARGV: life, ref, member, data, member it is for. -> time. */
export const SEND_TO = script(`${COMMON}
local ref, member, to = ARGV[2], ARGV[3], ARGV[5]
if holder(ref, member) ~= life then
  if isLive() then return {'not_in_room'} end
  return {'${GONE}'}
end
local other = holder(ref, to)
if not other then return {'member_not_found'} end
local sentAt = whole(clock())
local entry = 'd ' .. ref .. ' ' .. sentAt .. ' ' .. member .. ' ' .. to .. ' ' .. ARGV[4]
tell(life, entry)
if other ~= life then tell(other, entry) end
return {'sent', sentAt}`)

/**
 * ARGV: life, what it does (enter, beat, close), after how long a silent one is dead. -> whether there is more to clear away.
 * A beat after a time in which nobody beat gives all as long again: it was the store that was away. No node lives longer
 * than that from now, so none does where the server's clock was set back.
 */
export const BEAT = script(`${COMMON}
local what, deadMs = ARGV[2], tonumber(ARGV[3])
local nodes = base .. 'nodes'
local now = clock()
local ends = now + deadMs
if what == 'beat' and not isLive() then return '${GONE}' end
local last = redis.call('ZRANGE', nodes, -1, -1, 'WITHSCORES')[2]
if redis.call('ZREM', nodes, life) == 1 and what == 'close' then redis.call('RPUSH', base .. 'dead', life) end
if what ~= 'close' then redis.call('ZADD', nodes, whole(ends), life) end
local from = '(' .. whole(ends)
if what == 'beat' and last and ends - tonumber(last) > deadMs * 2 / 3 then from = '-inf' end
for _, one in ipairs(redis.call('ZRANGEBYSCORE', nodes, from, '+inf')) do
  redis.call('ZADD', nodes, whole(ends), one)
end
for _, one in ipairs(redis.call('ZRANGEBYSCORE', nodes, '-inf', whole(now))) do
  redis.call('ZREM', nodes, one)
  redis.call('RPUSH', base .. 'dead', one)
end
local left = ${SWEPT_SEATS}
while left > 0 do
  local one = redis.call('LINDEX', base .. 'dead', 0)
  if not one then break end
  local seats = redis.call('SRANDMEMBER', base .. 'seats:' .. one, left)
  for _, seat in ipairs(seats) do
    local member, ref = string.match(seat, '^(%S+) (.*)$')
    redis.call('HDEL', base .. 'at:' .. ref, one)
    stand(one, ref, member, '${NODE_LOST}')
  end
  left = left - #seats - 1
  if redis.call('SCARD', base .. 'seats:' .. one) == 0 then
    redis.call('DEL', base .. 'node:' .. one, base .. 'inbox:' .. one)
    redis.call('LPOP', base .. 'dead')
  end
end
for _, ref in ipairs(redis.call('ZRANGEBYSCORE', base .. 'empty', '-inf', whole(now), 'LIMIT', 0, ${SWEPT_ROOMS})) do
  finish(ref)
end
return redis.call('EXISTS', base .. 'dead')`)

/**
 * ARGV: nothing, game, text to search, how many rows to pass over and give, then ids of fixed rooms. -> how many there are;
 * members of the fixed rooms; then id, name, limit and members of each row.
 */
export const LIST = script(`${COMMON}
local game, search, skip, limit = ARGV[2], ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5])
local listed = base .. 'listed:' .. game
local count, found = 0, {}
if search == '' then
  count = redis.call('ZCARD', listed)
  if limit > 0 then found = redis.call('ZRANGE', listed, whole(skip), whole(skip + limit - 1)) end
else
  for _, row in ipairs(redis.call('ZRANGE', listed, 0, -1)) do
    if string.find(row, search, string.find(row, ' ', 1, true) + 1, true) then
      count = count + 1
      if count > skip and #found < limit then found[#found + 1] = row end
    end
  end
end
local answer = {count}
for n = 6, #ARGV do answer[#answer + 1] = redis.call('HLEN', base .. 'members:' .. game .. '/' .. ARGV[n]) end
for _, row in ipairs(found) do
  local id = string.match(row, '^%S+')
  local ref = game .. '/' .. id
  local room = redis.call('HMGET', base .. 'room:' .. ref, 'name', 'max')
  answer[#answer + 1] = {id, room[1], tonumber(room[2]), redis.call('HLEN', base .. 'members:' .. ref)}
end
return answer`)
