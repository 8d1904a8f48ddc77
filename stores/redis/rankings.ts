// Rankings in Redis: each a sorted set, all scores 0, so that the byte order of its members is their order. Each view
// and partition has its own key prefix.

import { PARTITIONS } from '../../domain/partition.ts'
import type { AllRankings, Rankings } from '../contract/rankings.ts'
import { setNames } from './rankings-names.ts'
import { createRankingSet } from './rankings-set.ts'
import { Sweeper } from './rankings-sweep.ts'
import type { Redis } from './redis.ts'

/** Members of one key per script, which blocks the server for about 100 ms. */
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
