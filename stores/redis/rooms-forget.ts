// Removes the fixed rooms of a deleted game from Redis: they are empty, and their messages would otherwise stay for
// an hour.

import type { Reply } from './client.ts'
import type { Redis } from './redis.ts'
import { listOf, textOf } from './replies.ts'
import { COMMON } from './rooms-common.ts'
import { roomsBase } from './rooms-epochs.ts'
import { script } from './script.ts'

/** Empty rooms scanned and removed per command. */
const SCANNED_AT_ONCE = 500

/** KEYS: the base. ARGV: an empty life, then refs. Removes those that are still empty. */
const FINISH = script(`${COMMON}
for n = 2, #ARGV do
  if redis.call('ZSCORE', base .. 'empty', ARGV[n]) then finish(ARGV[n]) end
end
return 1`)

export async function forgetRooms(redis: Redis, namespace: string, game: string): Promise<void> {
  let cursor = '0'
  do {
    cursor = await redis.use(async ({ epoch, send, run }) => {
      const base = roomsBase(namespace, epoch)
      const scan = ['ZSCAN', `${base}empty`, cursor, 'MATCH', `${game}/*`, 'COUNT', String(SCANNED_AT_ONCE)]
      const [next, rows] = listOf(await send(scan))
      // ZSCAN returns each member with its score.
      const refs = listOf(rows as Reply).filter((_, n) => n % 2 === 0)
      if (refs.length > 0) await run(FINISH, [base], ['', ...refs.map(textOf)])
      return textOf(next)
    })
  } while (cursor !== '0')
}
