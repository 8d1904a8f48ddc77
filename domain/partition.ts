// Events are divided into 16 fixed partitions by game. Leases, checkpoints and consistency tokens are per partition.

import { textHash } from './hash.ts'

export const PARTITIONS = 16
export const ALL_PARTITIONS: readonly number[] = Array.from({ length: PARTITIONS }, (_, partition) => partition)

/** By the hash of the game id; 0 without a game. Must never change. */
export const partitionOf = (game: string | null): number => (game === null ? 0 : (textHash(game) >>> 0) % PARTITIONS)
