// The rankings of one view and partition in Redis. Each call is one script, which answers only if the flag still has
// the value that this process knows.

import { type Rankings, RankingsLost } from '../contract/rankings.ts'
import type { Connection, Reply } from './client.ts'
import { byKey, type KeyChanges, portions, sinceThen, wordsOf } from './rankings-changes.ts'
import { RedisFill } from './rankings-fill.ts'
import { Flag } from './rankings-flag.ts'
import type { FilledFlag, SetNames } from './rankings-names.ts'
import { AROUND, BEFORE, CHECK, PUT, RANGE, RANKS, SIZE } from './rankings-scripts.ts'
import type { Sweeper } from './rankings-sweep.ts'
import type { Redis } from './redis.ts'
import type { Script } from './script.ts'

/** Maximum concurrent scripts of one call. */
const PORTIONS_AT_ONCE = 4
/** Timeout in milliseconds. Scripts are long and queue behind others. */
const PUT_ANSWER_MS = 5_000

export function createRankingSet(redis: Redis, names: SetNames, sweeper: Sweeper): Rankings {
  const known = new Flag(redis, names)
  const target = new PutTarget(redis)

  return {
    async isFilled(name) {
      const filled = await known.load()
      if (filled?.name !== name) return false
      target.current = filled
      return true
    },
    async isCurrent() {
      const into = target.current
      return into !== null && !(into instanceof RedisFill) && (await known.load())?.flag === into.flag
    },
    async beginFill(name) {
      target.current = null
      const fill = await RedisFill.begin(redis, names, sweeper)
      target.current = fill
      return {
        async finish(at, rankings) {
          if (target.current === fill) target.current = null
          const filled = await fill.finish(name, at ?? '', rankings)
          target.current = filled
          known.filled = filled
        },
      }
    },
    async put(changes) {
      const into = target.current
      if (into === null) throw new RankingsLost()
      if (into instanceof RedisFill) {
        if (!(await into.isLast())) throw new RankingsLost()
        return
      }
      const left = portions(byKey(changes))
      if (changes.every(({ pos }) => pos < into.at)) {
        await target.change(into, (connection) => connection.run(CHECK, [names.flag], [into.flag]))
      }
      await Promise.all(
        Array.from({ length: PORTIONS_AT_ONCE }, async () => {
          for (const portion of left) await putPortion(target, names, into, portion)
        }),
      )
    },
    ...createReads(known, names),
  }
}

/** The target of puts: the rankings that this process filled or found filled, or its running fill. */
class PutTarget {
  current: FilledFlag | RedisFill | null = null
  readonly #redis: Redis

  constructor(redis: Redis) {
    this.#redis = redis
  }

  /** Runs a script that returns null if the rankings are lost. Throws RankingsLost then; nothing was changed. */
  async change<T>(into: FilledFlag, work: (connection: Connection) => Promise<T | null>): Promise<T> {
    const answer = await this.#redis.use(
      async (connection) => (connection.epoch === into.epoch ? work(connection) : null),
      PUT_ANSWER_MS,
    )
    if (answer !== null) return answer
    if (this.current === into) this.current = null
    throw new RankingsLost()
  }
}

/** Applies changes. Keys with a newer position reject theirs; the rest of those changes is retried. */
async function putPortion(
  target: PutTarget,
  names: SetNames,
  into: FilledFlag,
  portion: readonly KeyChanges[],
): Promise<void> {
  const { flag, generation, at } = into
  for (let left = portion.flatMap((one) => sinceThen(at, one)); left.length > 0; ) {
    const pending = left
    const keys = pending.map(({ key }) => names.key(generation, key))
    const refused = await target.change(into, (connection) =>
      connection.run(PUT, [names.flag, ...keys], [flag, ...pending.flatMap(wordsOf)]),
    )
    left = stillToPut(pending, refused as (number | string)[])
  }
}

function createReads(known: Flag, names: SetNames): Pick<Rankings, 'size' | 'before' | 'ranks' | 'range' | 'around'> {
  const read = <Answer extends Reply>(script: Script, key: string, ...args: readonly (string | number)[]) =>
    known.retrying(async (connection, { flag, generation }) => {
      const keys = [names.flag, names.key(generation, key)]
      return (await connection.run(script, keys, [flag, ...args.map(String)])) as Answer | null
    })

  return {
    size: (key) => read<number>(SIZE, key),
    before: (key, member) => read<number>(BEFORE, key, member),
    async ranks(key, members) {
      const answered = await read<number[]>(RANKS, key, ...members)
      return answered.map((rank) => (rank < 0 ? null : rank))
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

/** For the rejected keys (number and mark each), the changes that are not older than the mark. */
function stillToPut(pending: readonly KeyChanges[], refused: readonly (number | string)[]): KeyChanges[] {
  const left: KeyChanges[] = []
  for (let n = 0; n < refused.length; n += 2) {
    const one = pending[Number(refused[n])]
    if (one !== undefined) left.push(...sinceThen(String(refused[n + 1]), one))
  }
  return left
}
