// What this process knows of a set of rankings, compared with the flag that says which set is valid.

import { RankingsLost } from '../contract/rankings.ts'
import type { Connection } from './client.ts'
import { type FilledFlag, readFlag, type SetNames } from './rankings-names.ts'
import type { Redis } from './redis.ts'

/** Retries if the flag changes between reading it and the call. */
const LOOKS = 4

/** Caches the flag. */
export class Flag {
  private readonly redis: Redis
  private readonly names: SetNames
  /** The last known flag; null if there was none. */
  filled: FilledFlag | null = null

  constructor(redis: Redis, names: SetNames) {
    this.redis = redis
    this.names = names
  }

  /** Reads the flag; null if there is none, or if the server may have lost some of its rankings. */
  async load(): Promise<FilledFlag | null> {
    this.filled = await this.redis.use(async (connection) => {
      const flag = await connection.send(['GET', this.names.flag])
      const filled = typeof flag === 'string' ? readFlag(flag) : null
      return filled?.epoch === connection.epoch ? filled : null
    })
    return this.filled
  }

  /**
   * Calls with the current flag; the call returns null if the flag has changed. Rejects with RankingsLost if there is
   * none.
   */
  async retrying<T>(question: (connection: Connection, filled: FilledFlag) => Promise<T | null>): Promise<T> {
    for (let looks = 0; looks < LOOKS; looks++) {
      const filled = this.filled ?? (await this.load())
      if (filled === null) throw new RankingsLost()
      const answer = await this.redis.use(async (connection) =>
        connection.epoch === filled.epoch ? question(connection, filled) : null,
      )
      if (answer !== null) return answer
      if (this.filled === filled) this.filled = null
    }
    throw new RankingsLost()
  }
}
