// Leases in Redis: all live nodes in one hash, one script per heartbeat, by the clock of the server. The entry of a
// node has its partitions and their expiry, so both expire together and nothing else needs cleanup.

import { PARTITIONS } from '../../domain/partition.ts'
import { type HeartbeatAnswer, LEASE_MS, type Leases, type Node } from '../contract/leases.ts'
import { script } from './client.ts'
import type { Redis } from './redis.ts'

/**
 * KEYS: nodes. ARGV: id, group and uses of the calling node, the latter two as JSON, and the lease duration. -> its
 * partitions from now on, then the uses of each live node. A field is a node's id. Its value has three lines: expiry
 * and partitions; group; uses. Groups are compared as text, and `null` gets no partitions.
 *
 * The fair share is rounded up only while fewer others than the remainder have the larger share; otherwise one node
 * would keep a partition that another one lacks. Expiries are capped at one lease duration from now, in case the
 * server's clock was set back.
 */
const BEAT = script(`local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local id, group, uses = ARGV[1], ARGV[2], ARGV[3]
local ends = now + tonumber(ARGV[4])
local function keep(node, held, ofGroup, itsUses)
  redis.call('HSET', KEYS[1], node, string.format('%.0f %s\\n%s\\n%s', ends, held, ofGroup, itsUses))
end
local before, counts, taken, answer = {}, {}, {}, {'', uses}
local nodes = redis.call('HGETALL', KEYS[1])
for n = 1, #nodes, 2 do
  local theirEnds, held, theirGroup, theirUses = string.match(nodes[n + 1], '^(%d+) (%S*)\\n([^\\n]*)\\n([^\\n]*)$')
  theirEnds = tonumber(theirEnds)
  local isLive, isSelf = theirEnds > now, nodes[n] == id
  if not isLive then redis.call('HDEL', KEYS[1], nodes[n]) end
  if isLive and not isSelf then
    answer[#answer + 1] = theirUses
    if theirEnds > ends then keep(nodes[n], held, theirGroup, theirUses) end
  end
  if isLive and theirGroup == group then
    local count = 0
    for partition in string.gmatch(held, '%d+') do
      count = count + 1
      taken[partition] = true
      if isSelf then before[count] = partition end
    end
    if not isSelf then counts[#counts + 1] = count end
  end
end
local share = 0
if group ~= 'null' then
  local all = #counts + 1
  share = math.floor(${PARTITIONS} / all)
  local more = 0
  for _, count in ipairs(counts) do
    if count > share then more = more + 1 end
  end
  if more < ${PARTITIONS} % all then share = share + 1 end
end
local held = {}
for n = 1, math.min(share, #before) do held[n] = before[n] end
for n = 0, ${PARTITIONS - 1} do
  local partition = tostring(n)
  if #held < share and not taken[partition] then held[#held + 1] = partition end
end
table.sort(held, function(a, b) return tonumber(a) < tonumber(b) end)
answer[1] = table.concat(held, ',')
keep(id, answer[1], group, uses)
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return answer`)

/** `leaseMs`: integer milliseconds, equal on all nodes of a namespace. */
export function createRedisLeases(redis: Redis, namespace: string, leaseMs: number = LEASE_MS): Leases {
  const nodes = `${namespace}nodes`
  return {
    async heartbeat({ id, group, uses }: Node): Promise<HeartbeatAnswer> {
      const args = [id, JSON.stringify(group), JSON.stringify(uses), String(leaseMs)]
      const reply = (await redis.use(({ run }) => run(BEAT, [nodes], args))) as string[]
      const [owned = '', ...all] = reply
      const used = new Set(all.flatMap((one) => JSON.parse(one) as string[]))
      return { owned: owned === '' ? [] : owned.split(',').map(Number), used: [...used].sort() }
    },

    async leave(id) {
      await redis.use(({ send }) => send(['HDEL', nodes, id]))
    },

    async clockMs() {
      const [seconds, micros] = (await redis.use(({ send }) => send(['TIME']))) as [string, string]
      return Number(seconds) * 1_000 + Math.floor(Number(micros) / 1_000)
    },
  }
}
