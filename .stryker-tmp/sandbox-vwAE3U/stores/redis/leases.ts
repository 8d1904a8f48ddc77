// Leases in Redis: all live nodes in one hash, one script per heartbeat, by the clock of the server. The entry of a
// node has its partitions and their expiry, so both expire together and nothing else needs cleanup.

import { PARTITIONS } from '../../domain/partition.ts'
import { type HeartbeatAnswer, LEASE_MS, type Leases, type Node } from '../contract/leases.ts'
import type { Redis } from './redis.ts'
import { script } from './script.ts'

/**
 * KEYS: nodes. ARGV: id, group and uses of the one that beats, both as JSON, and how long a lease lasts. -> what it
 * holds from now on, then the uses of each live node. A field is a node's id; its value, in three lines: until when and
 * which partitions, group, uses. Groups are compared as they are written, and `null` takes none.
 *
 * The fair share is rounded up only while fewer of the others than the remainder have more than the rest: else one
 * would keep what another lacks. No lease lasts longer than one from now: so none does where the server's clock was set
 * back.
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

/** All nodes of a namespace give the same `leaseMs`, in whole milliseconds. */
export function createRedisLeases(redis: Redis, namespace: string, leaseMs: number = LEASE_MS): Leases {
  const nodes = `${namespace}nodes`
  return {
    async heartbeat({ id, group, uses }: Node): Promise<HeartbeatAnswer> {
      const args = [id, JSON.stringify(group), JSON.stringify(uses), String(leaseMs)]
      const reply = (await redis.use(({ run }) => run(BEAT, [nodes], args))) as string[]
      const [held = '', ...all] = reply
      const used = new Set(all.flatMap((one) => JSON.parse(one) as string[]))
      return { held: held === '' ? [] : held.split(',').map(Number), used: [...used].sort() }
    },

    async leave(id) {
      await redis.use(({ send }) => send(['HDEL', nodes, id]))
    },
  }
}
