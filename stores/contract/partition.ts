// 16 fixed partitions by hash of the game. Lease, checkpoint and consistency token are per partition.

export const PARTITIONS = 16
export const ALL_PARTITIONS: readonly number[] = Array.from({ length: PARTITIONS }, (_, partition) => partition)

/** FNV-1a over the code units of the game's id; what belongs to no game is in partition 0. Never change it. */
export function partitionOf(game: string | null): number {
  if (game === null) return 0
  let hash = 0x811c9dc5
  for (let i = 0; i < game.length; i++) hash = Math.imul(hash ^ game.charCodeAt(i), 0x01000193)
  return (hash >>> 0) % PARTITIONS
}
