// Rankings in Redis: each a sorted set, all scores 0, so that the byte order of its members is their order. Each view
// and partition has its own key prefix.

import type { Position } from '../../domain/event.ts'
import { PARTITIONS } from '../../domain/partition.ts'
import {
  type AllRankings,
  type RankingChange,
  type RankingReads,
  type Rankings,
  RankingsLost,
} from '../contract/rankings.ts'
import type { Connection, Reply, Script } from './client.ts'
import { gathering } from './gathering.ts'
import { RedisFill } from './rankings-fill.ts'
import { type FilledFlag, readFlag, type SetNames, setNames } from './rankings-names.ts'
import { AROUND, BEFORE, CHECK, LAST_APPLIED, MARK, PUT, RANGE, RANKS, SIZE } from './rankings-scripts.ts'
import { Sweeper } from './rankings-sweep.ts'
import type { Redis } from './redis.ts'

/** Sort keys of one key per script, which blocks the server for about 100 ms. */
const PUT_MAX = 20_000

export function createRedisRankings(redis: Redis, namespace: string): AllRankings {
  const sweeper = new Sweeper(redis, namespace)
  const views = new Map<string, Map<number, Rankings>>()
  return {
    putMax: PUT_MAX,
    of(view, partition) {
      const sets = views.get(view) ?? new Map<number, Rankings>()
      const set = sets.get(partition) ?? createRankingSet(redis, setNames(namespace, view, partition), sweeper)
      views.set(view, sets.set(partition, set))
      return set
    },
    async drop(view) {
      const names = Array.from({ length: PARTITIONS }, (_, partition) => setNames(namespace, view, partition))
      const keys = names.flatMap(({ flag, loading }) => [flag, loading])
      await redis.use((connection) => connection.send(['UNLINK', ...keys]))
      // The sweep deletes rankings that no flag names.
      await sweeper.since(sweeper.passes)
    },
  }
}

// The rankings of one view and partition in Redis. Each call is one script, which answers only if the flag still has
// the value that this process knows.

/** Maximum concurrent scripts of one call. */
const PORTIONS_AT_ONCE = 4
/** Timeout in milliseconds. Scripts are long and queue behind others. */
const PUT_ANSWER_MS = 5_000

function createRankingSet(redis: Redis, names: SetNames, sweeper: Sweeper): Rankings {
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

function createReads(known: Flag, names: SetNames): RankingReads {
  const read = <Answer extends Reply>(script: Script, key: string, ...args: readonly (string | number)[]) =>
    known.retrying(async (connection, { flag, generation }) => {
      const keys = [names.flag, names.key(generation, key)]
      return (await connection.run(script, keys, [flag, ...args.map(String)])) as Answer | null
    })

  const ranks = gathering<string, number>((key, sortKeys) => read<number[]>(RANKS, key, ...sortKeys))
  const before = gathering<string, number>((key, sortKeys) => read<number[]>(BEFORE, key, ...sortKeys))

  return {
    size: (key) => read<number>(SIZE, key),
    async before(key, sortKey) {
      const [count] = await before(key, [sortKey])
      return count as number
    },
    async ranks(key, sortKeys) {
      const answered = await ranks(key, sortKeys)
      return answered.map((rank) => (rank < 0 ? null : rank))
    },
    range: (key, offset, limit) => read<string[]>(RANGE, key, offset, limit),
    async around(key, sortKey, limit) {
      const found = await read<[number, number, number, string[]] | []>(AROUND, key, sortKey, limit)
      if (found.length === 0) return null
      const [rank, size, offset, sortKeys] = found
      return { rank, size, offset, sortKeys }
    },
    lastApplied: (key) => read<string>(LAST_APPLIED, key),
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

// Turns changes into Redis commands: for each key the sort keys to remove and to add, applied in one step, in calls of
// bounded size.

/** All changes of one key in one call, in order; never empty. */
interface KeyChanges {
  readonly key: string
  readonly changes: readonly RankingChange[]
}

/** Sort keys per script: it blocks the server for about 10 ms. The changes of one key are never split. */
const SORT_KEYS_PER_SCRIPT = 2_000

export function byKey(changes: readonly RankingChange[]): KeyChanges[] {
  const keys = new Map<string, RankingChange[]>()
  for (const change of changes) {
    const found = keys.get(change.key)
    if (found === undefined) keys.set(change.key, [change])
    else found.push(change)
  }
  return [...keys].map(([key, ofKey]) => ({ key, changes: ofKey }))
}

/** Splits the changes into one batch per script. */
export function* portions(all: readonly KeyChanges[]): Generator<KeyChanges[]> {
  let portion: KeyChanges[] = []
  let sortKeys = 0
  for (const one of all) {
    const more = one.changes.reduce((sum, { before }) => sum + before.length + 1, 0)
    if (portion.length > 0 && sortKeys + more > SORT_KEYS_PER_SCRIPT) {
      yield portion
      portion = []
      sortKeys = 0
    }
    portion.push(one)
    sortKeys += more
  }
  if (portion.length > 0) yield portion
}

/** The changes at or after a position; null if there are none. */
function sinceThen(position: Position, { key, changes }: KeyChanges): KeyChanges[] {
  const since = changes.every(({ pos }) => pos >= position) ? changes : changes.filter(({ pos }) => pos >= position)
  return since.length === 0 ? [] : [{ key, changes: since }]
}

/** The arguments of one key for the script PUT. */
export function wordsOf({ changes }: KeyChanges): string[] {
  const ranked = new Map<string, boolean>()
  let oldest = changes[0]?.pos ?? ''
  let newest = oldest
  for (const { before, after, pos } of changes) {
    for (const sortKey of before) ranked.set(sortKey, false)
    if (after !== null) ranked.set(after, true)
    if (pos < oldest) oldest = pos
    if (pos > newest) newest = pos
  }
  const gone: string[] = []
  const come: string[] = []
  for (const [sortKey, isRanked] of ranked) {
    if (isRanked) come.push('0', sortKey)
    else gone.push(sortKey)
  }
  gone.push('')
  come.push('0', MARK + newest)
  return [oldest, String(gone.length), String(come.length), ...gone, ...come]
}

// What this process knows of a set of rankings, compared with the flag that says which set is valid.

/** Retries if the flag changes between reading it and the call. */
const LOOKS = 4

/** Caches the flag. */
class Flag {
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
