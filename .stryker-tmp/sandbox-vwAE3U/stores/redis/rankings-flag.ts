// What this process knows of a set of rankings, compared with the flag that says which set is valid.

import { RankingsLost } from '../contract/rankings.ts'
import type { Connection } from './client.ts'
import { type FilledFlag, readFlag, type SetNames } from './rankings-names.ts'
import type { Redis } from './redis.ts'

/** What stands may change between looking and asking, but hardly again and again. */
const LOOKS = 4

/** The flag, kept from the last time it was looked at. */
export class Flag {
  private readonly redis: Redis
  private readonly names: SetNames
  /** As it was then; null where nothing stood. */
  filled: FilledFlag | null = null

  constructor(redis: Redis, names: SetNames) {
    this.redis = redis
    this.names = names
  }

  /** The flag as it is now; null where there is none, or the server may have lost some of what it says. */
  async look(): Promise<FilledFlag | null> {
    this.filled = await this.redis.use(async (connection) => {
      const flag = await connection.send(['GET', this.names.flag])
      const filled = typeof flag === 'string' ? readFlag(flag) : null
      return filled?.epoch === connection.epoch ? filled : null
    })
    return this.filled
  }

  /** Asks by what stands: null where it no longer does. Rejects with RankingsLost where nothing does. */
  async ask<T>(question: (connection: Connection, filled: FilledFlag) => Promise<T | null>): Promise<T> {
    for (let looks = 0; looks < LOOKS; looks++) {
      const filled = this.filled ?? (await this.look())
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
