// Records which ids have been seen, and where each was first. Exact, and takes about 40 bytes per event, because a
// log has millions of them.

/** 32-bit words of a UUID; a slot has one more for where the id was first seen. */
const WORDS = 4
const SLOT = WORDS + 1
const FIRST_SLOTS = 1 << 12
/** Odd, so that no bit of a word is lost. */
const MIX = [0x9e37_79b1, 0x85eb_ca6b, 0xc2b2_ae35, 0x27d4_eb2f] as const

interface SeenIds {
  /**
   * Where this id (a UUID) was first seen; null if it is new, and then records `at` (a number from 1) for it.
   */
  metAt(id: string, at: number): number | null
}

export function createSeenIds(): SeenIds {
  let slots = FIRST_SLOTS
  let table = new Uint32Array(slots * SLOT)
  let count = 0
  const words = new Uint32Array(WORDS)

  /** Offset of the slot with these words, or of the free slot for them. */
  function slotOffset(from: Uint32Array, begin: number): number {
    let mixed = 0
    for (let n = 0; n < WORDS; n++) mixed = Math.imul(mixed ^ (from[begin + n] as number), MIX[n] as number)
    for (let slot = (mixed ^ (mixed >>> 15)) & (slots - 1); ; slot = (slot + 1) & (slots - 1)) {
      const at = slot * SLOT
      if (table[at + WORDS] === 0) return at
      let n = 0
      while (n < WORDS && table[at + n] === from[begin + n]) n++
      if (n === WORDS) return at
    }
  }

  function grow(): void {
    const before = table
    slots *= 2
    table = new Uint32Array(slots * SLOT)
    for (let at = 0; at < before.length; at += SLOT) {
      if (before[at + WORDS] !== 0) table.set(before.subarray(at, at + SLOT), slotOffset(before, at))
    }
  }

  return {
    metAt(id, at) {
      words[0] = Number.parseInt(id.slice(0, 8), 16)
      words[1] = Number.parseInt(id.slice(9, 13) + id.slice(14, 18), 16)
      words[2] = Number.parseInt(id.slice(19, 23) + id.slice(24, 28), 16)
      words[3] = Number.parseInt(id.slice(28), 16)
      const offset = slotOffset(words, 0)
      const met = table[offset + WORDS] as number
      if (met !== 0) return met
      table.set(words, offset)
      table[offset + WORDS] = at
      if (++count * 4 > slots * 3) grow()
      return null
    },
  }
}
