// A board's entries as they stood at one moment, for counting in windows: their members in rank order, their times in
// order, and the one as numbers in the order of the other in a wavelet matrix.

import type { MemberPacker, PackedMembers } from './packed-members.ts'
import { numberAt } from './pieces.ts'
import { orderTimes, type SortedTimes } from './times.ts'
import { WaveletMatrix } from './wavelet-matrix.ts'

export interface FrozenWindow {
  readonly members: PackedMembers
  readonly times: SortedTimes
  /** At each place in the order of times, the entry's place in rank order. */
  readonly places: WaveletMatrix
  /** Places of members whose id another one before them has as well, and their times: to be left out. */
  readonly doubles: ReadonlyMap<number, number>
}

/** Freezes what was packed. O(n log n), in slices. */
export function* freeze(packer: MemberPacker): Generator<void, FrozenWindow> {
  const { members, times, doubles } = yield* packer.finish()
  const { sorted, places } = yield* orderTimes(times)
  return {
    members,
    times: sorted,
    places: yield* WaveletMatrix.build(places, members.length),
    doubles: new Map(doubles.map((place) => [place, numberAt(times, place)])),
  }
}

export const bytesOf = ({ members, times, places }: FrozenWindow): number => members.bytes + times.bytes + places.bytes
