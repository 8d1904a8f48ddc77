// Events are divided into 16 fixed partitions by game. Leases, checkpoints and consistency tokens are per partition.

import { textHash } from './hash.ts'

export const PARTITIONS = 16
export const ALL_PARTITIONS: readonly number[] = Array.from({ length: PARTITIONS }, (_, partition) => partition)

/** By the hash of the game id; 0 without a game. Must never change. */
export function partitionOf(game: string | null): number {
  if (game === null) return 0
  if (game !== last.game) last = { game, partition: (textHash(game) >>> 0) % PARTITIONS }
  return last.partition
}

/** Consecutive events mostly have the same game, and each view asks for each of them. */
let last = { game: '', partition: (textHash('') >>> 0) % PARTITIONS }
