// Sliding windows in Redis: for each key a sorted set of attempts by time, which expires after the last attempt.

import { CLOCK_BACK_MAX_MS, type Windows } from '../contract/transient.ts'
import type { Redis } from './redis.ts'
import { script } from './script.ts'

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

export function createRedisWindows(redis: Redis, namespace: string): Windows {
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
