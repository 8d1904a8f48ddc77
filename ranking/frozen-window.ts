// An immutable snapshot of a board's entries for counting in time windows: the members in rank order, the times in
// order, and the ranks in order of time in a wavelet matrix.

import { numberAt } from './chunks.ts'
import type { MemberPacker, PackedMembers } from './packed-members.ts'
import { orderTimes, type SortedTimes } from './times.ts'
import { WaveletMatrix } from './wavelet-matrix.ts'

export interface FrozenWindow {
  readonly members: PackedMembers
  readonly times: SortedTimes
  /** For each entry in order of time: its index in rank order. */
  readonly indexes: WaveletMatrix
  /** Indexes of members whose id an earlier member also has, with their times: to be left out. */
  readonly doubles: ReadonlyMap<number, number>
}

/** Freezes the packed members. O(n log n), in steps. */
export function* freeze(packer: MemberPacker): Generator<void, FrozenWindow> {
  const { members, times, doubles } = yield* packer.finish()
  const { sorted, indexes } = yield* orderTimes(times)
  return {
    members,
    times: sorted,
    indexes: yield* WaveletMatrix.build(indexes, members.length),
    doubles: new Map(doubles.map((index) => [index, numberAt(times, index)])),
  }
}

export const bytesOf = ({ members, times, indexes }: FrozenWindow): number =>
  members.bytes + times.bytes + indexes.bytes
