// Token buckets in Redis, one script per call. A bucket stores its level, in thousandths of a token (at one token per
// second exactly one comes back each millisecond), and the time of that level. It expires when it would be full
// again.

import {
  CLOCK_BACK_MAX_MS,
  hasToken,
  type Rates,
  ROUNDING,
  requireBucket,
  stateOf,
  TOKEN,
  type Windows,
} from '../contract/transient.ts'
import { script } from './client.ts'
import type { Redis } from './redis.ts'

/**
 * `levelOf`: the level of a bucket now, the time of that level, and whether its stored time was far ahead. Refill is
 * computed from the last taken token, so that frequent calls neither gain nor lose tokens. A clock that moves back
 * removes nothing. If it moves back far, refill restarts from the new time.
 */
const COMMON = `local now = tonumber(ARGV[1])
local function levelOf(key, perSecond, most)
  local held = redis.call('GET', key)
  local level, at = most, now
  if held then
    local heldLevel, heldAt = string.match(held, '^(%S+) (%S+)$')
    level, at = tonumber(heldLevel), tonumber(heldAt)
  end
  local isReset = at - now > ${CLOCK_BACK_MAX_MS}
  if isReset then at = now end
  local passed = math.max(0, now - at)
  return math.min(most, level + passed * perSecond), at + passed, isReset
end
local function keep(key, perSecond, most, level, at)
  local life = string.format('%.0f', math.ceil((most - level) / perSecond) + ${CLOCK_BACK_MAX_MS})
  redis.call('SET', key, string.format('%.17g %.17g', level, at), 'PX', life)
end
`

/**
 * KEYS: buckets. ARGV: now, then rate (tokens per second) and capacity of each bucket. -> the level of each before this
 * call, as text.
 */
const TAKE = script(`${COMMON}local rates, capacities, levels, times, reset, enough = {}, {}, {}, {}, {}, true
for n = 1, #KEYS do
  rates[n], capacities[n] = tonumber(ARGV[n * 2]), tonumber(ARGV[n * 2 + 1]) * ${TOKEN}
  levels[n], times[n], reset[n] = levelOf(KEYS[n], rates[n], capacities[n])
  if levels[n] < ${TOKEN} - ${ROUNDING} then enough = false end
end
local answer = {}
for n = 1, #KEYS do
  local level = levels[n]
  answer[n] = string.format('%.17g', level)
  if enough then level = math.max(0, level - ${TOKEN}) end
  if enough or reset[n] then keep(KEYS[n], rates[n], capacities[n], level, times[n]) end
end
return answer`)

/**
 * KEYS: a bucket. ARGV: now, rate, capacity, tokens to take. -> the level after this call, as text, may be negative.
 */
const SPEND = script(`${COMMON}local perSecond, most = tonumber(ARGV[2]), tonumber(ARGV[3]) * ${TOKEN}
local level, at = levelOf(KEYS[1], perSecond, most)
level = level - tonumber(ARGV[4]) * ${TOKEN}
keep(KEYS[1], perSecond, most, level, at)
return string.format('%.17g', level)`)

export function createRedisRates(redis: Redis, namespace: string): Rates {
  return {
    async take(buckets, nowMs) {
      for (const bucket of buckets) requireBucket(bucket)
      if (buckets.length === 0) return []
      const keys = buckets.map(({ key }) => `${namespace}rate:${key}`)
      const words = buckets.flatMap(({ perSecond, burst }) => [String(perSecond), String(burst)])
      const reply = await redis.use(({ run }) => run(TAKE, keys, [String(nowMs), ...words]))
      const levels = (reply as string[]).map(Number)
      const isAll = levels.every(hasToken)
      return buckets.map((spec, n) => stateOf(spec, levels[n] ?? 0, isAll))
    },
    async spend(bucket, tokens, nowMs) {
      const { key, perSecond, burst } = requireBucket(bucket)
      const words = [nowMs, perSecond, burst, tokens].map(String)
      const reply = await redis.use(({ run }) => run(SPEND, [`${namespace}rate:${key}`], words))
      return Number(reply) / TOKEN
    },
    ...createRedisWindows(redis, namespace),
  }
}

// Sliding windows in Redis: for each key a sorted set of attempts by time, which expires after the last attempt.

/**
 * KEYS: windows. ARGV: now, the attempt, then maximum and duration of each window. -> milliseconds to wait for each.
 */
const ENTER = script(`local now = tonumber(ARGV[1])
local waits, isFree = {}, true
for n = 1, #KEYS do
  local most, within = tonumber(ARGV[n * 2 + 1]), tonumber(ARGV[n * 2 + 2])
  redis.call('ZREMRANGEBYSCORE', KEYS[n], '-inf', string.format('%.0f', now - within))
  redis.call('ZREMRANGEBYSCORE', KEYS[n], '(' .. string.format('%.0f', now + ${CLOCK_BACK_MAX_MS}), '+inf')
  local counted = redis.call('ZCARD', KEYS[n])
  waits[n] = 0
  if counted >= most then
    local last = redis.call('ZRANGE', KEYS[n], counted - most, counted - most, 'WITHSCORES')
    waits[n] = math.max(1, tonumber(last[2]) + within - now)
    isFree = false
  end
end
if isFree then
  for n = 1, #KEYS do
    redis.call('ZADD', KEYS[n], ARGV[1], ARGV[2])
    redis.call('PEXPIRE', KEYS[n], string.format('%.0f', tonumber(ARGV[n * 2 + 2]) + ${CLOCK_BACK_MAX_MS}))
  end
end
return waits`)

/** KEYS: windows. ARGV: the attempt. */
const LEAVE = script(`for n = 1, #KEYS do redis.call('ZREM', KEYS[n], ARGV[1]) end
return 0`)

function createRedisWindows(redis: Redis, namespace: string): Windows {
  const keysOf = (windows: readonly { readonly key: string }[]) => windows.map(({ key }) => `${namespace}window:${key}`)
  return {
    async enter(windows, attempt, nowMs) {
      const words = windows.flatMap(({ max, withinMs }) => [String(max), String(withinMs)])
      const reply = await redis.use(({ run }) => run(ENTER, keysOf(windows), [String(nowMs), attempt, ...words]))
      return (reply as unknown[]).map(Number)
    },
    async leave(windows, attempt) {
      await redis.use(({ run }) => run(LEAVE, keysOf(windows), [attempt]))
    },
  }
}
