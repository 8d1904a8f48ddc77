// Lua scripts for rankings. Each script first compares the flag (KEYS[1]) with the value that the caller knows
// (ARGV[1]) and returns nothing if they differ, so it never answers from rankings that were lost or replaced.
//
// A ranking is a sorted set, all scores 0. Its last member stores the last applied position: MARK, followed by the
// position. Members are ASCII, so it sorts after all of them and changes no rank. It costs a board of ten entries 64
// bytes, where a field of one hash took 122 and a key of its own 171; and it cannot be lost apart from the set that
// it guards.

import { script } from './client.ts'

/** Two bytes in UTF-8, both above ASCII. */
export const MARK = '\u00ff'
const MARK_BYTES = 2

const UNLESS_FILLED = `if redis.call('GET', KEYS[1]) ~= ARGV[1] then return false end
`

/** -> 1 */
export const CHECK = script(`${UNLESS_FILLED}return 1`)

/** -> number of members */
export const SIZE = script(`${UNLESS_FILLED}return math.max(0, redis.call('ZCARD', KEYS[2]) - 1)`)

/** -> the last applied position; empty if there is no such ranking */
export const LAST_APPLIED = script(`${UNLESS_FILLED}local mark = redis.call('ZRANGE', KEYS[2], -1, -1)[1]
return mark and string.sub(mark, ${MARK_BYTES + 1}) or ''`)

/** members -> number of members before each */
export const BEFORE = script(`${UNLESS_FILLED}local counts = {}
for at = 2, #ARGV do counts[at - 1] = redis.call('ZLEXCOUNT', KEYS[2], '-', '(' .. ARGV[at]) end
return counts`)

/** members -> ranks, -1 if not ranked */
export const RANKS = script(`${UNLESS_FILLED}local places = {}
for at = 2, #ARGV do places[at - 1] = redis.call('ZRANK', KEYS[2], ARGV[at]) or -1 end
return places`)

const PAGE = `local function page(offset, limit, size)
  local last = math.min(offset + limit, size) - 1
  if last < offset then return {} end
  return redis.call('ZRANGE', KEYS[2], offset, last)
end
local size = redis.call('ZCARD', KEYS[2]) - 1
`

/** offset, limit -> members */
export const RANGE = script(`${UNLESS_FILLED}${PAGE}return page(tonumber(ARGV[2]), tonumber(ARGV[3]), size)`)

/** member, limit -> rank, size, offset, members; empty if not ranked */
export const AROUND = script(`${UNLESS_FILLED}${PAGE}local place = redis.call('ZRANK', KEYS[2], ARGV[2])
if not place then return {} end
local limit = tonumber(ARGV[3])
local offset = math.max(0, math.min(place - math.floor(limit / 2), size - limit))
return {place, size, offset, page(offset, limit, size)}`)

/**
 * For each key (KEYS[2] on): the oldest position of its changes; the number of members to remove, followed by them (the
 * last one is a placeholder for the old mark); the number of arguments to add, followed by them (score and member each;
 * the last one is the new mark). -> number and mark of each key whose mark is newer than the oldest change; these are
 * not changed. All keys are checked before any write. Members are added before others are removed, because Redis
 * rejects only the first write of a script when memory is full. No member or mark is both added and removed. Positions
 * are compared byte by byte, because Lua's own comparison depends on the locale.
 */
export const PUT = script(`${UNLESS_FILLED}local function newer(one, other)
  for at = 1, math.min(#one, #other) do
    local a, b = string.byte(one, at), string.byte(other, at)
    if a ~= b then return a > b end
  end
  return #one > #other
end
local SLICE = 4000
local function change(command, key, first, last)
  for from = first, last, SLICE do
    redis.call(command, key, unpack(ARGV, from, math.min(from + SLICE - 1, last)))
  end
end
local places, refused, at = {}, {}, 2
for n = 2, #KEYS do
  local gone = at + 2 + tonumber(ARGV[at + 1])
  local mark = redis.call('ZRANGE', KEYS[n], -1, -1)[1]
  if mark and newer(string.sub(mark, ${MARK_BYTES + 1}), ARGV[at]) then
    refused[#refused + 1] = n - 2
    refused[#refused + 1] = string.sub(mark, ${MARK_BYTES + 1})
  else
    if mark and mark ~= ARGV[gone + tonumber(ARGV[at + 2])] then ARGV[gone] = mark end
    places[n] = at
  end
  at = gone + 1 + tonumber(ARGV[at + 2])
end
for n = 2, #KEYS do
  at = places[n]
  if at then
    local gone = at + 2 + tonumber(ARGV[at + 1])
    change('ZADD', KEYS[n], gone + 1, gone + tonumber(ARGV[at + 2]))
    change('ZREM', KEYS[n], at + 3, gone)
  end
end
return refused`)

/** KEYS: flag, loading. ARGV: generation. Invalidates the rankings until the fill of this generation ends. */
export const BEGIN_FILL = script(`redis.call('SET', KEYS[2], ARGV[1])
redis.call('DEL', KEYS[1])
return 1`)

/** KEYS: flag, loading. ARGV: generation, the flag. -> 1, or 0 if another fill has begun or the data was lost. */
export const END_FILL = script(`if redis.call('GET', KEYS[2]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2])
redis.call('DEL', KEYS[2])
return 1`)

/** KEYS: flag, loading. ARGV: generation, the flag. Deletes those of the two keys that belong to this fill. */
export const GIVE_UP = script(`if redis.call('GET', KEYS[2]) == ARGV[1] then redis.call('DEL', KEYS[2]) end
if redis.call('GET', KEYS[1]) == ARGV[2] then redis.call('DEL', KEYS[1]) end
return 1`)

/**
 * KEYS: flag, loading, keys of one generation. ARGV: generation. Deletes them unless they are valid or being filled; a
 * generation that is neither never becomes valid again. -> 1, or 0 if they were kept.
 */
export const DROP = script(`if redis.call('GET', KEYS[2]) == ARGV[1] then return 0 end
local flag = redis.call('GET', KEYS[1])
if flag and string.find(flag, '["' .. ARGV[1] .. '"', 1, true) == 1 then return 0 end
redis.call('UNLINK', unpack(KEYS, 3))
return 1`)
