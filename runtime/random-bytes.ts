// Random bytes, drawn from the system in blocks: a system call costs about the same for a few bytes as for thousands.

import { randomFillSync } from 'node:crypto'

const BLOCK_BYTES = 4_096

let block = Buffer.alloc(0)

/** Cryptographically strong bytes, each given out once. `count`: at most 4,096. */
export function drawRandomBytes(count: number): Buffer<ArrayBuffer> {
  if (block.length < count) block = randomFillSync(Buffer.alloc(BLOCK_BYTES))
  const drawn = block.subarray(0, count)
  block = block.subarray(count)
  return drawn
}
