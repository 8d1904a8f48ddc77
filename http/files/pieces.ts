// Memory that downloads pass through. Large pieces cost least for each byte, and making them anew costs as much as reading
// into them, so a number of them is shared by all downloads; who finds none takes small ones, however many downloads run.

const LARGE_BYTES = 1_048_576
const LARGE_MOST = 32
const SMALL_BYTES = 65_536
const SMALL_KEPT = 64

export interface Pieces {
  /** A piece to read at most `bytes` into; to be given back once the system has taken what is in it. */
  take(bytes: number): Buffer
  giveBack(piece: Buffer): void
  /** In place of giving it back, where nobody knows when it is free again. */
  drop(piece: Buffer): void
}

export function createPieces(): Pieces {
  const large: Buffer[] = []
  const small: Buffer[] = []
  let largeMade = 0
  return {
    take(bytes) {
      if (bytes > SMALL_BYTES) {
        const kept = large.pop()
        if (kept !== undefined) return kept
        if (largeMade < LARGE_MOST) {
          largeMade++
          return Buffer.allocUnsafeSlow(LARGE_BYTES)
        }
      }
      return small.pop() ?? Buffer.allocUnsafeSlow(SMALL_BYTES)
    },
    giveBack(piece) {
      if (piece.length === LARGE_BYTES) large.push(piece)
      else if (small.length < SMALL_KEPT) small.push(piece)
    },
    drop(piece) {
      if (piece.length === LARGE_BYTES) largeMade--
    },
  }
}
