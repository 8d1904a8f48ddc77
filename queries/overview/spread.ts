// The median of values in ascending order, and their median absolute deviation (MAD), exact, by O(log n) reads. The k
// values nearest to the median are adjacent, so a binary search finds them.

/** Multiples, because a median of an even number of values is the mean of two. */
export interface Spread {
  readonly twiceMedian: bigint
  readonly fourMads: bigint
}

/** Reads the value at an index, from 0; `valueAt(i) <= valueAt(i + 1)`. `size`: at least 1. */
export async function spreadOf(size: number, valueAt: (index: number) => Promise<bigint>): Promise<Spread> {
  const [lower, upper] = [(size - 1) >> 1, size >> 1]
  const twiceMedian = (await valueAt(lower)) + (await valueAt(upper))
  /** Twice the distance from the median; negative below it. */
  const offset = async (index: number) => 2n * (await valueAt(index)) - twiceMedian

  /** Twice the distance of the k-th nearest value, from 1. */
  async function nearest(k: number): Promise<bigint> {
    let [first, last] = [0, size - k]
    while (first < last) {
      const middle = (first + last) >> 1
      if (-(await offset(middle)) > (await offset(middle + k))) first = middle + 1
      else last = middle
    }
    const [below, above] = [-(await offset(first)), await offset(first + k - 1)]
    return below > above ? below : above
  }

  return { twiceMedian, fourMads: (await nearest(lower + 1)) + (await nearest(upper + 1)) }
}
