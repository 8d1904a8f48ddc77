// A list of movers packed in bytes, in blocks: 8 bytes a mover and the text of the player's id. As objects they take
// three times that, on V8's heap.

import type { TimeSlices } from '../runtime/time-slices.ts'
import type { Mover, MoverList } from './movers.ts'

/** Movers per block. A page of 100 reads one block or two. */
const BLOCK = 500
/** Estimated bytes of a list, and of a block, besides their contents. */
const LIST_BYTES = 1_000
const BLOCK_BYTES = 400
/** Ids of players are ASCII and have no spaces. */
const SEPARATOR = ' '

interface Block {
  /** The players' ids, separated. */
  readonly players: Buffer
  /** The ranks before and after of each, in turn; 0: none. */
  readonly ranks: Uint32Array
}

export class PackedMovers implements MoverList {
  length = 0
  bytes = LIST_BYTES
  readonly #blocks: Block[] = []

  /** Packs a list in time slices. O(n). */
  static async of(movers: readonly Mover[], slices: TimeSlices): Promise<PackedMovers> {
    const packed = new PackedMovers()
    for (let from = 0; from < movers.length; from += BLOCK) {
      packed.#add(movers.slice(from, from + BLOCK))
      await slices.yieldIfDue()
    }
    return packed
  }

  /** O(to - from). */
  slice(from: number, to: number): Mover[] {
    const found: Mover[] = []
    const end = Math.min(to, this.length)
    for (let at = from; at < end; ) {
      const block = Math.floor(at / BLOCK)
      const blockEnd = Math.min(end, (block + 1) * BLOCK)
      found.push(...unpacked(this.#blocks[block] as Block, at - block * BLOCK, blockEnd - block * BLOCK))
      at = blockEnd
    }
    return found
  }

  /** Adds a block; all but the last have `BLOCK` movers. */
  #add(movers: readonly Mover[]): void {
    const text = movers.map(({ player }) => player).join(SEPARATOR)
    // Memory of its own: a small buffer from the shared pool would keep the whole pool alive.
    const players = Buffer.allocUnsafeSlow(text.length)
    players.write(text, 'latin1')
    const ranks = new Uint32Array(movers.length * 2)
    for (const [i, { before, after }] of movers.entries()) {
      ranks[i * 2] = before ?? 0
      ranks[i * 2 + 1] = after ?? 0
    }
    this.#blocks.push({ players, ranks })
    this.length += movers.length
    this.bytes += BLOCK_BYTES + players.length + ranks.byteLength
  }
}

function unpacked({ players, ranks }: Block, from: number, end: number): Mover[] {
  const ids = players.toString('latin1').split(SEPARATOR).slice(from, end)
  return ids.map((player, i) => {
    const [before = 0, after = 0] = ranks.subarray((from + i) * 2)
    return { player, before: rankOf(before), after: rankOf(after) }
  })
}

const rankOf = (packed: number): number | null => (packed === 0 ? null : packed)
