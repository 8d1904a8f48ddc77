// The heartbeat of room nodes: finds out which nodes are live and cleans up after dead ones in bounded steps.

import { NODE_LOST } from '../contract/rooms.ts'
import { COMMON, GONE } from './rooms-common.ts'
import { script } from './script.ts'

/** Maximum seats, and maximum rooms, that one script removes. */
const SWEPT_SEATS = 100
const SWEPT_ROOMS = 20

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
  for _, ref in ipairs(redis.call('ZRANGEBYSCORE', base .. 'empty', '-inf', whole(now), 'LIMIT', 0, ${SWEPT_ROOMS})) do
    finish(ref)
  end
end
return redis.call('EXISTS', base .. 'dead')`)
