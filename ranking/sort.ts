// Sorts slots in steps: by a number per slot that decides most comparisons, and by a comparison function if the numbers
// are equal.

/** Slots sorted in one step, and slots merged in one step. */
const RUN = 512
const ITEMS_PER_YIELD = 4_096

/**
 * Returns the slots in order. Takes ownership of the arrays; `keys[i]` belongs to `slots[i]`. O(n log n), in steps of
 * some milliseconds at most.
 */
export function* sorted(
  slots: Uint32Array<ArrayBuffer>,
  keys: Float64Array<ArrayBuffer>,
  compare: (a: number, b: number) => number,
): Generator<void, Uint32Array> {
  const { length } = slots
  for (let from = 0; from < length; from += RUN) {
    sortRun(slots, keys, from, Math.min(from + RUN, length), compare)
    yield
  }
  let [ofSlots, intoSlots] = [slots, new Uint32Array(length)]
  let [ofKeys, intoKeys] = [keys, new Float64Array(length)]
  for (let width = RUN; width < length; width *= 2) {
    for (let from = 0; from < length; from += width * 2) {
      const middle = Math.min(from + width, length)
      const end = Math.min(middle + width, length)
      let [left, right] = [from, middle]
      for (let to = from; to < end; to++) {
        let takesRight = left === middle
        if (!takesRight && right < end) {
          const [a, b] = [ofKeys[left] as number, ofKeys[right] as number]
          takesRight = b < a || (b === a && compare(ofSlots[right] as number, ofSlots[left] as number) < 0)
        }
        const source = takesRight ? right++ : left++
        intoSlots[to] = ofSlots[source] as number
        intoKeys[to] = ofKeys[source] as number
        if (to % ITEMS_PER_YIELD === 0) yield
      }
    }
    ;[ofSlots, intoSlots] = [intoSlots, ofSlots]
    ;[ofKeys, intoKeys] = [intoKeys, ofKeys]
  }
  return ofSlots
}

function sortRun(
  slots: Uint32Array,
  keys: Float64Array,
  from: number,
  end: number,
  compare: (a: number, b: number) => number,
): void {
  const some = slots.slice(from, end)
  const theirs = keys.slice(from, end)
  const order = Uint16Array.from(some.keys())
  order.sort((a, b) => {
    const [one, other] = [theirs[a] as number, theirs[b] as number]
    return one === other ? compare(some[a] as number, some[b] as number) : one - other
  })
  for (const [at, index] of order.entries()) {
    slots[from + at] = some[index] as number
    keys[from + at] = theirs[index] as number
  }
}
