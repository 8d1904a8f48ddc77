// Room keys contain the id of the server's run. After a restart Redis may have lost the last acknowledged writes, so
// the new run starts without the old rooms, and no sequence continues from an older state of itself. Keys of earlier
// runs are removed.

import { script } from './client.ts'
import type { Redis } from './redis.ts'

/** Maximum rooms that one script removes. */
const FORGOTTEN = 100

/** KEYS: prefix of the keys of all runs. ARGV: the current run. */
const FORGET = script(`local all, left = KEYS[1], ${FORGOTTEN}
redis.call('SREM', all .. 'epochs', '')
redis.call('SADD', all .. 'epochs', ARGV[1])
for _, epoch in ipairs(redis.call('SMEMBERS', all .. 'epochs')) do
  if epoch ~= ARGV[1] and left > 0 then
    local base = all .. epoch .. ':'
    local refs = redis.call('SPOP', base .. 'rooms', left)
    for _, ref in ipairs(refs) do
      local game = string.match(ref, '^[^/]*')
      redis.call('UNLINK', base .. 'room:' .. ref, base .. 'members:' .. ref, base .. 'at:' .. ref, base .. 'log:' .. ref, base .. 'ears:' .. ref)
      redis.call('UNLINK', base .. 'made:' .. game, base .. 'listed:' .. game)
    end
    left = left - #refs
    if left > 0 then
      for _, lives in ipairs({redis.call('ZRANGE', base .. 'nodes', 0, -1), redis.call('LRANGE', base .. 'dead', 0, -1)}) do
        for _, life in ipairs(lives) do
          redis.call('UNLINK', base .. 'node:' .. life, base .. 'inbox:' .. life, base .. 'seats:' .. life)
        end
      end
      redis.call('UNLINK', base .. 'nodes', base .. 'dead', base .. 'empty', base .. 'counts')
      redis.call('SREM', all .. 'epochs', epoch)
    end
  end
end
return 1`)

export const roomsBase = (namespace: string, epoch: string): string => `${namespace}rooms:${epoch}:`

/** Records that this run has rooms, and removes some rooms of earlier runs. */
export async function forgetEarlier(redis: Redis, namespace: string): Promise<void> {
  await redis.use(({ epoch, run }) => run(FORGET, [`${namespace}rooms:`], [epoch]))
}
