// Lua scripts for rooms: create, join, answer, listen, leave, send. KEYS is the base in each.

import { NODE_LOST, REPLACED, ROOM_KEEPS, SEAT_SILENT_MS, SEATS_ASKED_MAX } from '../contract/rooms.ts'
import { script } from './client.ts'
import { COMMON, GONE } from './rooms-common.ts'

/**
 * Joins a room. Only the first member of a node in a room gets the member list: the node receives all later changes.
 * The node also receives the leave of its own last member, in the order of the room, so that it drops the list.
 */
const SIT = `local function sit(ref, member, player, since)
  local place = redis.call('HINCRBY', base .. 'room:' .. ref, 'places', 1)
  redis.call('HSET', base .. 'members:' .. ref, member, life .. ' ' .. whole(place) .. ' ' .. player)
  local of = playerIn(player)
  if of then
    local own = seatsOf(ref, of)
    own[#own + 1] = member
    putSeats(ref, of, own)
  end
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

/**
 * ARGV: incarnation, ref, member, player as JSON, name, limit, whether it is listed, search name, maximum rooms of the
 * game; then the player's id or empty, and their maximum rooms; the network address or empty, and its maximum rooms.
 */
export const CREATE = script(`${COMMON}${SIT}
if not isLive() then return {'${GONE}'} end
local ref, folded = ARGV[2], ARGV[8]
local game, id = string.match(ref, '^([^/]*)/(.*)$')
local made = base .. 'made:' .. game
if redis.call('ZCARD', made) >= tonumber(ARGV[9]) then return {'too_many_rooms'} end
local player, network = 'player ' .. ARGV[10], 'network ' .. ARGV[12]
local ofPlayer, ofNetwork = openOf(player), openOf(network)
if ARGV[10] ~= '' and #ofPlayer >= tonumber(ARGV[11]) then return {'too_many_rooms_of_player'} end
if ARGV[12] ~= '' and #ofNetwork >= tonumber(ARGV[13]) then return {'too_many_rooms_of_network'} end
local order = redis.call('HINCRBY', base .. 'counts', 'made', 1)
redis.call('HSET', base .. 'room:' .. ref, 'name', ARGV[5], 'max', ARGV[6], 'seq', 0)
if ARGV[10] ~= '' then
  redis.call('HSET', base .. 'room:' .. ref, 'by_player', player)
  ofPlayer[#ofPlayer + 1] = ref
  putOpen(player, ofPlayer)
end
if ARGV[12] ~= '' then
  redis.call('HSET', base .. 'room:' .. ref, 'by_network', network)
  ofNetwork[#ofNetwork + 1] = ref
  putOpen(network, ofNetwork)
end
redis.call('SADD', base .. 'rooms', ref)
redis.call('ZADD', made, order, id)
if ARGV[7] == '1' then
  redis.call('HSET', base .. 'room:' .. ref, 'folded', folded)
  redis.call('ZADD', base .. 'listed:' .. game, order, id .. ' ' .. folded)
end
return sit(ref, ARGV[3], ARGV[4], '')`)

/** Finds the limit of a room; nil if there is no such room. A fixed room is created if missing. */
const FIXED = `local function limitOf(ref, most)
  local held = redis.call('HMGET', base .. 'room:' .. ref, 'max', 'fixed')
  if not most and (held[2] or not held[1]) then return nil end
  return most or tonumber(held[1])
end
local function keepFixed(ref, name, most)
  local room = base .. 'room:' .. ref
  if redis.call('EXISTS', room) == 0 then
    redis.call('HSET', room, 'seq', whole(clock()), 'fixed', 1)
    redis.call('SADD', base .. 'rooms', ref)
  end
  redis.call('HSET', room, 'name', name, 'max', most)
end
`

/**
 * Asks the nodes of seats whether their connections answer. The members of such an entry are in its last field: a node
 * of an older version takes it for a direct message, from and to nobody.
 */
const ASK = `local function ask(ref, seats)
  for n = 1, math.min(#seats, ${SEATS_ASKED_MAX}) do
    redis.call('ZADD', base .. 'asked', 'NX', whole(clock()), ref .. ' ' .. seats[n])
    tell(holder(ref, seats[n]), 'a ' .. ref .. ' 0 - - ' .. seats[n])
  end
end
local function askedAt(ref, seat) return tonumber(redis.call('ZSCORE', base .. 'asked', ref .. ' ' .. seat) or nil) end
local function replace(ref, seat)
  local of, entry = holder(ref, seat), 'l ' .. ref .. ' ' .. seat .. ' ${REPLACED}'
  local isAt = vacate(of, ref, seat)
  tellRoom(ref, entry)
  if not isAt then tell(of, entry) end
end
`

/**
 * ARGV: incarnation, ref, member, player as JSON, since or empty, then name and limit of a fixed room, or empty twice,
 * and whether it asks the other seats of the player.
 */
export const JOIN = script(`${COMMON}${SIT}${FIXED}${ASK}
if not isLive() then return {'${GONE}'} end
local ref, name, most = ARGV[2], ARGV[6], tonumber(ARGV[7])
local limit = limitOf(ref, most)
if not limit then return {'room_not_found'} end
local player = playerIn(ARGV[4])
local own, silent, isAsked = player and seatsOf(ref, player) or {}, nil, false
local isFull = redis.call('HLEN', base .. 'members:' .. ref) >= limit
if isFull then
  for _, seat in ipairs(own) do
    local since = askedAt(ref, seat)
    isAsked = isAsked or since
    if since and clock() - since >= ${SEAT_SILENT_MS} and not silent then silent = seat end
  end
end
if ARGV[8] == '1' and not silent then ask(ref, own) end
if isFull and not silent then
  if isAsked or ARGV[8] == '1' and #own > 0 then return {'seats_asked'} end
  return {'room_full'}
end
if most then keepFixed(ref, name, ARGV[7]) end
if silent then replace(ref, silent) end
return sit(ref, ARGV[3], ARGV[4], ARGV[5])`)

/** ARGV: incarnation, ref, member. */
export const ANSWERED = script(`${COMMON}
if not isLive() then return '${GONE}' end
local ref, member = ARGV[2], ARGV[3]
if holder(ref, member) == life then redis.call('ZREM', base .. 'asked', ref .. ' ' .. member) end
return 1`)

/**
 * ARGV: incarnation, ref, listener, then name and limit of a fixed room, or empty twice, and the limit of listeners. As
 * in a join, only the first of a node in a room gets the member list.
 */
export const LISTEN = script(`${COMMON}${FIXED}
if not isLive() then return {'${GONE}'} end
local ref, listener, most = ARGV[2], ARGV[3], tonumber(ARGV[5])
if not limitOf(ref, most) then return {'room_not_found'} end
if redis.call('HLEN', base .. 'ears:' .. ref) >= tonumber(ARGV[6]) then return {'too_many_listeners'} end
if most then keepFixed(ref, ARGV[4], ARGV[5]) end
redis.call('HSET', base .. 'ears:' .. ref, listener, life)
local those = redis.call('HINCRBY', base .. 'at:' .. ref, life, 1)
redis.call('SADD', base .. 'seats:' .. life, listener .. ' ' .. ref)
redis.call('ZREM', base .. 'empty', ref)
tell(life, 'h ' .. ref .. ' ' .. listener)
local room = redis.call('HMGET', base .. 'room:' .. ref, 'name', 'max', 'seq')
local members = those == 1 and redis.call('HGETALL', base .. 'members:' .. ref)
return {'joined', room[1], tonumber(room[2]), room[3], members, false}`)

/** ARGV: incarnation, ref, member or listener, reason. */
export const LEAVE = script(`${COMMON}
local ref, member, reason = ARGV[2], ARGV[3], ARGV[4]
if holder(ref, member) == life then
  if not stand(life, ref, member, reason) then tell(life, 'l ' .. ref .. ' ' .. member .. ' ' .. reason) end
  return 1
end
if isListener(life, ref, member) then
  hush(life, ref, member)
  tell(life, 'u ' .. ref .. ' ' .. member)
  return 1
end
if isLive() then return 0 end
return '${GONE}'`)

/** ARGV: incarnation, ref, member, data. -> seq and time. */
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

/** ARGV: incarnation, ref, member, data, recipient. -> time. */
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

// The heartbeat of room nodes: finds out which nodes are live and cleans up after dead ones in bounded steps.

/** Maximum seats, and maximum rooms, that one script removes. */
const SWEPT_SEATS = 100
const SWEPT_ROOMS = 20
/** Answers to asked seats come within seconds; marks of an older version's seats may remain. */
const ASKED_KEPT_MS = 60_000

/**
 * ARGV: incarnation, action (enter, beat, close), milliseconds of silence after which a node is dead. -> whether more
 * cleanup is left. If no node sent a heartbeat for long, Redis was unavailable, and the first heartbeat extends all
 * deadlines. Deadlines are capped at the given time from now, in case the server's clock was set back.
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
    if isListener(one, ref, member) then hush(one, ref, member) else stand(one, ref, member, '${NODE_LOST}') end
  end
  left = left - #seats - 1
  if redis.call('SCARD', base .. 'seats:' .. one) == 0 then
    redis.call('DEL', base .. 'node:' .. one, base .. 'inbox:' .. one)
    redis.call('LPOP', base .. 'dead')
  end
end
if what ~= 'close' then
  redis.call('ZREMRANGEBYSCORE', base .. 'asked', '-inf', whole(now - ${ASKED_KEPT_MS}))
  for _, ref in ipairs(redis.call('ZRANGEBYSCORE', base .. 'empty', '-inf', whole(now), 'LIMIT', 0, ${SWEPT_ROOMS})) do
    finish(ref)
  end
end
return redis.call('EXISTS', base .. 'dead')`)
