// Deletes every key of an installation, after a restore of its log.

import { connectRedis } from './redis.ts'

const KEYS_PER_SCAN = 1_000
/** Timeout in milliseconds; the server may be writing to disk. */
const ANSWER_MS = 10_000

/** Returns how many keys there were. Rejects with StoresFault if Redis cannot be reached. */
export async function clearRedis(url: string, namespace: string): Promise<number> {
  const redis = await connectRedis(url)
  const pattern = `${namespace.replaceAll(/[*?[\]\\^]/g, '\\$&')}*`
  let [cursor, deleted] = ['0', 0]
  try {
    do {
      cursor = await redis.use(async (connection) => {
        const args = ['SCAN', cursor, 'MATCH', pattern, 'COUNT', String(KEYS_PER_SCAN)]
        const [next, keys] = (await connection.send(args)) as [string, string[]]
        if (keys.length > 0) deleted += Number(await connection.send(['UNLINK', ...keys]))
        return next
      }, ANSWER_MS)
    } while (cursor !== '0')
  } finally {
    redis.close()
  }
  return deleted
}
