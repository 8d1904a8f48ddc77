// Slots in an order that the caller defines, four bytes each. They are kept in blocks, so that inserting or removing
// one does not move the others.

const BLOCK = 1_024
/** A block grows by this many slots. */
const STEP = 64

interface Block {
  slots: Uint32Array
  length: number
}

export class SlotOrder {
  #blocks: Block[] = []
  /** Index of the first slot of each block; null after a change. */
  #starts: Float64Array | null = null
  size = 0

  get bytes(): number {
    return this.#blocks.reduce((sum, { slots }) => sum + slots.byteLength + STEP, 0)
  }

  /** Appends ordered slots after all existing ones. */
  *addLast(slots: Uint32Array): Generator<void> {
    for (let from = 0; from < slots.length; from += BLOCK) {
      const some = slots.slice(from, from + BLOCK)
      this.#blocks.push({ slots: some, length: some.length })
      this.size += some.length
      this.#starts = null
      yield
    }
  }

  /** Counts the slots for which `isBefore` is true; they must be the first ones of the order. */
  before(isBefore: (slot: number) => boolean): number {
    const at = this.#blockOf(isBefore)
    return at < 0 ? 0 : (this.#startsNow()[at] as number) + countBefore(this.#blocks[at] as Block, isBefore)
  }

  /** Inserts a slot after those that come before it. */
  insert(slot: number, isBefore: (slot: number) => boolean): void {
    if (this.#blocks.length === 0) this.#blocks.push({ slots: new Uint32Array(STEP), length: 0 })
    const at = Math.max(0, this.#blockOf(isBefore))
    const block = this.#blocks[at] as Block
    const index = countBefore(block, isBefore)
    if (block.length === block.slots.length) {
      const wider = new Uint32Array(block.length + STEP)
      wider.set(block.slots)
      block.slots = wider
    }
    block.slots.copyWithin(index + 1, index, block.length)
    block.slots[index] = slot
    block.length++
    if (block.length > BLOCK) this.#split(at)
    this.size++
    this.#starts = null
  }

  /** Removes a slot that is in the order. */
  remove(slot: number, isBefore: (slot: number) => boolean): void {
    let at = Math.max(0, this.#blockOf(isBefore))
    let index = countBefore(this.#blocks[at] as Block, isBefore)
    // If all slots of the block come before it, it is the first one of the next block.
    if (index === this.#blocks[at]?.length) [at, index] = [at + 1, 0]
    const block = this.#blocks[at]
    if (block === undefined || block.slots[index] !== slot) throw new Error(`slot ${slot} is not in its order`)
    block.slots.copyWithin(index, index + 1, block.length)
    block.length--
    if (block.length === 0) this.#blocks.splice(at, 1)
    this.size--
    this.#starts = null
  }

  range(offset: number, limit: number): number[] {
    const found: number[] = []
    const end = Math.min(offset + limit, this.size)
    if (offset >= end) return found
    const starts = this.#startsNow()
    for (let at = blockAt(starts, offset); found.length < end - offset; at++) {
      const { slots, length } = this.#blocks[at] as Block
      const start = starts[at] as number
      for (let index = Math.max(0, offset - start); index < length && start + index < end; index++) {
        found.push(slots[index] as number)
      }
    }
    return found
  }

  #split(at: number): void {
    const block = this.#blocks[at] as Block
    const half = block.length >>> 1
    const right = block.slots.slice(half, block.length)
    block.slots = block.slots.slice(0, half)
    block.length = half
    this.#blocks.splice(at + 1, 0, { slots: right, length: right.length })
  }

  /** The last block whose first slot comes before it, or -1. */
  #blockOf(isBefore: (slot: number) => boolean): number {
    let low = 0
    let high = this.#blocks.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const { slots, length } = this.#blocks[middle] as Block
      if (length > 0 && isBefore(slots[0] as number)) low = middle + 1
      else high = middle
    }
    return low - 1
  }

  #startsNow(): Float64Array {
    if (this.#starts !== null) return this.#starts
    const starts = new Float64Array(this.#blocks.length)
    let start = 0
    for (const [at, { length }] of this.#blocks.entries()) {
      starts[at] = start
      start += length
    }
    this.#starts = starts
    return starts
  }
}

function countBefore({ slots, length }: Block, isBefore: (slot: number) => boolean): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBefore(slots[middle] as number)) low = middle + 1
    else high = middle
  }
  return low
}

/** The last block that begins at or before an index. */
function blockAt(starts: Float64Array, index: number): number {
  let low = 0
  let high = starts.length
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    if ((starts[middle] as number) <= index) low = middle
    else high = middle
  }
  return low
}
