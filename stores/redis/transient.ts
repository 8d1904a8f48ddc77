// Short-lived data in Redis: one-time secrets, claims for calls in progress, and locks. Redis expires them by its own
// clock; the caller's clock decides whether they are still valid, except for locks.

import { RELEASED_KEPT_MS, type Transient } from '../contract/transient.ts'
import { type Script, script } from './client.ts'
import { gathering } from './gathering.ts'
import type { Redis } from './redis.ts'

/**
 * KEYS: claims. ARGV, for each: now, time to live in milliseconds, the claim (expiry, space, owner). -> for each 1, or
 * 0 if another one holds it
 */
const CLAIM = script(`local claimed = {}
for n, key in ipairs(KEYS) do
  local now, life, claim = ARGV[3 * n - 2], ARGV[3 * n - 1], ARGV[3 * n]
  local held = redis.call('GET', key)
  if held and tonumber(string.match(held, '^%S+')) > tonumber(now) then
    claimed[n] = 0
  else
    if tonumber(life) > 0 then redis.call('SET', key, claim, 'PX', life) end
    claimed[n] = 1
  end
end
return claimed`)

/** KEYS: claims. ARGV: the owner of each. -> 1 for each */
const RELEASE = script(`local released = {}
for n, key in ipairs(KEYS) do
  local held = redis.call('GET', key)
  if held and string.sub(held, string.find(held, ' ', 1, true) + 1) == ARGV[n] then redis.call('DEL', key) end
  released[n] = 1
end
return released`)

/** All claims are gathered together. */
const ANY = ''

/** A claim, or the release of one, with the arguments of its script. */
interface Marking {
  readonly key: string
  readonly args: readonly string[]
}

/** A released lock has this before its last owner. */
const FREE = 'free '

/** KEYS: lock. ARGV: owner, time to live in milliseconds. */
const LOCK = script(`local held = redis.call('GET', KEYS[1])
if held and held ~= ARGV[1] and string.sub(held, 1, ${FREE.length}) ~= '${FREE}' then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`)

/** KEYS: lock. ARGV: owner. */
const UNLOCK = script(`local held = redis.call('GET', KEYS[1])
local free = '${FREE}' .. ARGV[1]
if held and held ~= ARGV[1] and held ~= free then return 0 end
if held then redis.call('SET', KEYS[1], free, 'PX', ${RELEASED_KEPT_MS}) end
return 1`)

/**
 * KEYS: secret, its wrong guesses. ARGV: now, epoch, guess, guesser, maximum wrong guesses of one guesser, and of all.
 * Wrong guesses are counted under the stored value, and those of one guesser under value, line break and guesser, so
 * that a new value starts with none.
 */
const GUESS = script(`local held = redis.call('GET', KEYS[1])
if not held then return 0 end
local expires, epoch, value = string.match(held, '^(%S+) (%S+) (.*)$')
if epoch ~= ARGV[2] or tonumber(expires) <= tonumber(ARGV[1]) then
  redis.call('DEL', KEYS[1], KEYS[2])
  return 0
end
local by = held .. '\\n' .. ARGV[4]
if tonumber(redis.call('HGET', KEYS[2], by) or '0') >= tonumber(ARGV[5]) then return 0 end
if value == ARGV[3] then
  redis.call('DEL', KEYS[1], KEYS[2])
  return 1
end
redis.call('HINCRBY', KEYS[2], by, 1)
local wrong = redis.call('HINCRBY', KEYS[2], held, 1)
redis.call('PEXPIRE', KEYS[2], math.max(1, redis.call('PTTL', KEYS[1])))
if wrong >= tonumber(ARGV[6]) then redis.call('DEL', KEYS[1], KEYS[2]) end
return 0`)

export function createRedisTransient(redis: Redis, namespace: string): Transient {
  const secret = (key: string) => `${namespace}secret:${key}`
  const mark = (key: string) => `${namespace}mark:${key}`
  const marking = (change: Script) =>
    gathering<Marking, number>((_, markings) =>
      redis.use(async ({ run }) => {
        const keys = markings.map(({ key }) => mark(key))
        return (await run(
          change,
          keys,
          markings.flatMap(({ args }) => args),
        )) as number[]
      }),
    )
  const claim = marking(CLAIM)
  const release = marking(RELEASE)

  return {
    async put(key, value, { nowMs, expiresMs }) {
      const leftMs = lifeOf(key, nowMs, expiresMs)
      await redis.use(async ({ epoch, send }) => {
        if (leftMs <= 0) await send(['DEL', secret(key)])
        else await send(['SET', secret(key), `${expiresMs} ${epoch} ${value}`, 'PX', String(leftMs)])
      })
    },

    // Take the value atomically, then check it. A value of an earlier epoch is void, because it may have been taken in
    // the period that the server lost.
    take: (key, nowMs) =>
      redis.use(async ({ epoch, send }) => {
        const stored = await send(['GETDEL', secret(key)])
        if (typeof stored !== 'string') return null
        const [, expires = '', ofEpoch = '', value = ''] = /^(\S+) (\S+) (.*)$/s.exec(stored) ?? []
        return ofEpoch === epoch && Number(expires) > nowMs ? value : null
      }),

    guess: (key, { value, by, maxByAddress, max }, nowMs) =>
      redis.use(async ({ epoch, run }) => {
        const keys = [secret(key), `${namespace}wrong:${key}`]
        return (await run(GUESS, keys, [String(nowMs), epoch, value, by, String(maxByAddress), String(max)])) === 1
      }),

    async claim(key, owner, nowMs, expiresMs) {
      const args = [String(nowMs), String(lifeOf(key, nowMs, expiresMs)), `${expiresMs} ${owner}`]
      const [claimed] = await claim(ANY, [{ key, args }])
      return claimed === 1
    },

    async release(key, owner) {
      await release(ANY, [{ key, args: [owner] }])
    },

    lock: async (key, owner, forMs) =>
      (await redis.use(({ run }) => run(LOCK, [`${namespace}lock:${key}`], [owner, String(forMs)]))) === 1,

    unlock: async (key, owner) =>
      (await redis.use(({ run }) => run(UNLOCK, [`${namespace}lock:${key}`], [owner]))) === 1,
  }
}

function lifeOf(key: string, nowMs: number, expiresMs: number): number {
  if (!Number.isSafeInteger(nowMs) || !Number.isSafeInteger(expiresMs)) {
    throw new RangeError(`Times of ${key} must be whole milliseconds, not ${nowMs} and ${expiresMs}`)
  }
  return expiresMs - nowMs
}
