// 16 fixed partitions by hash of the game. Lease, checkpoint and consistency token are per partition.

import { textHash } from './hash.ts'

export const PARTITIONS = 16
export const ALL_PARTITIONS: readonly number[] = Array.from({ length: PARTITIONS }, (_, partition) => partition)

/** By the hash of the game's id; what belongs to no game is in partition 0. Never change it. */
export const partitionOf = (game: string | null): number => (game === null ? 0 : (textHash(game) >>> 0) % PARTITIONS)
