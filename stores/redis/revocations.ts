// Revocations in Redis: a hash of statuses by subject, their order, and a counter that numbers them. Each call is one
// script, so that no node sees a later change before an earlier one.

import { randomUUID } from 'node:crypto'
import { type Noted, REVOCATIONS_KEPT_MS, type Revocations, type Subject } from '../contract/revocations.ts'
import { type Reply, script } from './client.ts'
import type { Redis } from './redis.ts'

/** Maximum changes per answer of `since`. */
const PAGE = 1_000
const NOTED_PER_SCRIPT = 500
/**
 * Entries checked for expiry by each note, plus one per new entry, so that expired ones go faster than new ones come.
 */
const SWEPT = 100

/**
 * KEYS: counter, statuses, order. ARGV: a name for a new counter, now, expiry, then subject, position and status of
 * each change. A new counter name tells every node that earlier changes are lost.
 */
const NOTE = script(`local now = tonumber(ARGV[2])
redis.call('HSETNX', KEYS[1], 'epoch', ARGV[1])
local oldest = redis.call('ZRANGE', KEYS[3], 0, ${SWEPT} + (#ARGV - 3) / 3 - 1)
for _, subject in ipairs(oldest) do
  local held = redis.call('HGET', KEYS[2], subject)
  if held and tonumber(string.match(held, '^%S+')) > now then break end
  redis.call('HDEL', KEYS[2], subject)
  redis.call('ZREM', KEYS[3], subject)
end
for n = 4, #ARGV, 3 do
  local subject, pos = ARGV[n], ARGV[n + 1]
  local held = redis.call('HGET', KEYS[2], subject)
  if not held or string.match(held, '^%S+ (%S+)') < pos then
    local place = redis.call('HINCRBY', KEYS[1], 'last', 1)
    redis.call('HSET', KEYS[2], subject, ARGV[3] .. ' ' .. pos .. ' ' .. ARGV[n + 2])
    redis.call('ZADD', KEYS[3], string.format('%.0f', place), subject)
  end
end
redis.call('PEXPIRE', KEYS[2], ${REVOCATIONS_KEPT_MS})
redis.call('PEXPIRE', KEYS[3], ${REVOCATIONS_KEPT_MS})
return 1`)

/**
 * KEYS: counter, statuses, order. ARGV: known name and value of the counter. -> name, value, whether the name differs,
 * whether there are more changes; then alternating subjects and statuses. Writes nothing.
 */
const SINCE = script(`local known = redis.call('HMGET', KEYS[1], 'epoch', 'last')
local epoch, last, after = known[1] or '', tonumber(known[2] or '0'), tonumber(ARGV[2])
local other = 0
if epoch ~= ARGV[1] or after > last then
  other = 1
  after = 0
end
if after == last then return {epoch, string.format('%.0f', last), other, 0} end
local from = '(' .. string.format('%.0f', after)
local page = redis.call('ZRANGEBYSCORE', KEYS[3], from, '+inf', 'WITHSCORES', 'LIMIT', 0, ${PAGE})
local answer = {epoch, string.format('%.0f', last), other, 0}
if #page == ${PAGE} * 2 then
  answer[2] = string.format('%.0f', tonumber(page[#page]))
  answer[4] = 1
end
for n = 1, #page, 2 do
  local held = redis.call('HGET', KEYS[2], page[n])
  if held then
    answer[#answer + 1] = page[n]
    answer[#answer + 1] = held
  end
end
return answer`)

export function createRedisRevocations(redis: Redis, namespace: string): Revocations {
  const statuses = `${namespace}revocations:standings`
  const keys = [`${namespace}revocations:counter`, statuses, `${namespace}revocations:order`]

  return {
    async note(changes, nowMs) {
      const expires = String(nowMs + REVOCATIONS_KEPT_MS)
      for (let from = 0; from < changes.length; from += NOTED_PER_SCRIPT) {
        const some = changes.slice(from, from + NOTED_PER_SCRIPT)
        const words = some.flatMap(({ subject, pos, status }) => [subject, pos, JSON.stringify(status)])
        await redis.use(({ run }) => run(NOTE, keys, [randomUUID(), String(nowMs), expires, ...words]))
      }
    },

    since: (version) =>
      redis.use(async ({ epoch: server, run }) => {
        const [ofServer, epoch = '', position = '0'] = version?.split('/') ?? []
        const isKnown = ofServer === server
        const reply = await run(SINCE, keys, [isKnown ? epoch : '', isKnown ? position : '0'])
        const [epochNow, last, other, more, ...found] = reply as readonly Reply[]
        const changes: Noted[] = []
        for (let n = 0; n < found.length; n += 2) changes.push(notedOf(found[n] as Subject, String(found[n + 1])))
        return { version: `${server}/${epochNow}/${last}`, changes, whole: !isKnown || other === 1, more: more === 1 }
      }),

    async find(subjects) {
      if (subjects.length === 0) return []
      const found = (await redis.use(({ send }) => send(['HMGET', statuses, ...subjects]))) as readonly Reply[]
      return subjects.flatMap((subject, n) => {
        const stored = found[n]
        return typeof stored === 'string' ? [notedOf(subject, stored)] : []
      })
    },
  }
}

/** The stored form of a status: expiry, position, JSON. */
function notedOf(subject: Subject, stored: string): Noted {
  const [, pos = '', status = ''] = /^\S+ (\S+) (.*)$/s.exec(stored) ?? []
  return { subject, pos, status: JSON.parse(status) }
}
