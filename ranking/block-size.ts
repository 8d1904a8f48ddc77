// How large the blocks in SortedBlocks are.

/** A block splits above the first size and is merged with a neighbour below the second. */
export const MAX_BLOCK_BYTES = 8_192
export const MIN_BLOCK_BYTES = MAX_BLOCK_BYTES / 4

/**
 * Equal sizes let the allocator reuse chunks. With steps of half a KiB, growing took a tenth of the time to add a
 * million sort keys.
 */
const STEP_BYTES = 1_024
/** Up to one step, because most sets are small. */
const SMALL_STEP_BYTES = 256

/** The size of the buffer for this many bytes. */
export function bufferBytes(used: number): number {
  const step = used <= STEP_BYTES ? SMALL_STEP_BYTES : STEP_BYTES
  return Math.ceil(used / step) * step
}
