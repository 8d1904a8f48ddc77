// Rankings in Redis: each a sorted set, all scores 0, so that the byte order of its members is their order. One script a
// request, which answers only where the flag still says what this process knows of it.

import { type Rankings, RankingsLost } from '../contract/rankings.ts'
import type { Connection, Reply } from './client.ts'
import type { Redis } from './connection.ts'
import { byKey, type KeyChanges, newerThan, portions, wordsOf } from './rankings-changes.ts'
import { fillRankings } from './rankings-fill.ts'
import { type RankingNames, rankingNames, readFlag, type Standing } from './rankings-names.ts'
import { AROUND, BEFORE, CHECK, PUT, RANGE, RANKS, SIZE } from './rankings-scripts.ts'
import type { Script } from './script.ts'

/** What stands may change between looking and asking, but hardly again and again. */
const LOOKS = 4
/** Portions of one call under way at one time. */
const PORTIONS_AT_ONCE = 4
/** Members of one key that a script changes in about 100 ms, in which the server does nothing else. */
const PUT_MAX = 20_000
/** Scripts are long, and others stand before them. */
const PUT_ANSWER_MS = 5_000

export function createRedisRankings(redis: Redis, namespace: string): Rankings {
  const names = rankingNames(namespace)
  const known = new Known(redis, names)

  const read = <Answer extends Reply>(script: Script, key: string, ...args: readonly (string | number)[]) =>
    known.ask(async (connection, { flag, generation }) => {
      const keys = [names.flag, names.key(generation, key)]
      return (await connection.run(script, keys, [flag, ...args.map(String)])) as Answer | null
    })

  /** Applies what is newer than what the keys have seen; they say so where some of it is not. */
  async function putPortion(portion: readonly KeyChanges[]): Promise<void> {
    for (let left = portion; ; ) {
      const [asked, refused] = await known.ask(async (connection, { flag, generation, at }) => {
        const newer = left.flatMap((one) => newerThan(at, one))
        const keys = newer.map(({ key }) => names.key(generation, key))
        const words = newer.flatMap(wordsOf)
        const reply = await connection.run(PUT, [names.flag, ...keys], [flag, ...words])
        return reply === null ? null : ([newer, reply as (number | string)[]] as const)
      }, PUT_ANSWER_MS)
      left = stillNewer(asked, refused)
      if (left.length === 0) return
    }
  }

  return {
    putMax: PUT_MAX,
    isFilled: async (name) => (await known.look())?.name === name,
    fill: (name, at, rankings) => fillRankings(redis, names, name, at, rankings),
    async put(changes) {
      if (changes.length === 0) await read(CHECK, '')
      const left = portions(byKey(changes))
      await Promise.all(
        Array.from({ length: PORTIONS_AT_ONCE }, async () => {
          for (const portion of left) await putPortion(portion)
        }),
      )
    },
    size: (key) => read<number>(SIZE, key),
    before: (key, member) => read<number>(BEFORE, key, member),
    async ranks(key, members) {
      const places = await read<number[]>(RANKS, key, ...members)
      return places.map((place) => (place < 0 ? null : place))
    },
    range: (key, offset, limit) => read<string[]>(RANGE, key, offset, limit),
    async around(key, member, limit) {
      const found = await read<[number, number, number, string[]] | []>(AROUND, key, member, limit)
      if (found.length === 0) return null
      const [rank, size, offset, members] = found
      return { rank, size, offset, members }
    },
  }
}

/** Of the keys that refused (each number, each followed by its mark) the changes that are newer than that. */
function stillNewer(asked: readonly KeyChanges[], refused: readonly (number | string)[]): KeyChanges[] {
  const left: KeyChanges[] = []
  for (let n = 0; n < refused.length; n += 2) {
    const one = asked[Number(refused[n])]
    if (one !== undefined) left.push(...newerThan(String(refused[n + 1]), one))
  }
  return left
}

/** The flag, kept from the last time it was looked at. */
class Known {
  private readonly redis: Redis
  private readonly names: RankingNames
  private standing: Standing | null = null

  constructor(redis: Redis, names: RankingNames) {
    this.redis = redis
    this.names = names
  }

  /** The flag as it is now; null where there is none, or the server may have lost some of what it says. */
  async look(): Promise<Standing | null> {
    this.standing = await this.redis.use(async (connection) => {
      const flag = await connection.send(['GET', this.names.flag])
      const standing = typeof flag === 'string' ? readFlag(flag) : null
      return standing?.epoch === connection.epoch ? standing : null
    })
    return this.standing
  }

  /** Asks by what stands: null where it no longer does. Rejects with RankingsLost where nothing does. */
  async ask<T>(
    question: (connection: Connection, standing: Standing) => Promise<T | null>,
    timeoutMs?: number,
  ): Promise<T> {
    for (let looks = 0; looks < LOOKS; looks++) {
      const standing = this.standing ?? (await this.look())
      if (standing === null) throw new RankingsLost()
      const answer = await this.redis.use(
        async (connection) => (connection.epoch === standing.epoch ? question(connection, standing) : null),
        timeoutMs,
      )
      if (answer !== null) return answer
      if (this.standing === standing) this.standing = null
    }
    throw new RankingsLost()
  }
}
