// A part of a blob goes out: one piece is read while the one before is on its way, so that a download holds two pieces,
// however slow its reader.

import type { ServerResponse } from 'node:http'
import type { OpenBlob } from '../../stores/contract/files-door.ts'
import type { Part } from './ranges.ts'

const PIECE_BYTES = 262_144
/** Pieces kept for the next download: making them anew costs as much as reading into them. */
const KEPT_PIECES = 32

const kept: Buffer[] = []

export interface Poured {
  /** Bytes that the system took. */
  readonly sent: number
  /** Why it ended early, where that was not the caller's going away; the connection is cut then. */
  readonly failure: unknown
}

/** Never rejects. A caller who takes no whole piece within `idleMs` is cut. */
export async function pour(
  blob: OpenBlob,
  { start, end }: Part,
  response: ServerResponse,
  idleMs: number,
): Promise<Poured> {
  let sent = 0
  let sending: Promise<boolean> = Promise.resolve(true)
  try {
    for (let at = start; at < end; ) {
      const piece = kept.pop() ?? Buffer.allocUnsafeSlow(PIECE_BYTES)
      const length = await blob.read(piece.subarray(0, Math.min(PIECE_BYTES, end - at)), at)
      if (length === 0) throw new Error('a blob ended before its end')
      if (!(await sending)) return { sent, failure: null }
      at += length
      sending = write(response, piece.subarray(0, length), idleMs).then((isTaken) => {
        if (!isTaken) return false
        sent += length
        if (kept.length < KEPT_PIECES) kept.push(piece)
        return true
      })
    }
    await sending
    return { sent, failure: null }
  } catch (failure) {
    await sending
    response.destroy()
    return { sent, failure }
  }
}

/** Whether the system took it; false when the connection is gone. */
function write(response: ServerResponse, piece: Buffer, idleMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (isTaken: boolean) => {
      clearTimeout(timer)
      response.off('close', gone)
      resolve(isTaken)
    }
    const gone = () => settle(false)
    const timer = setTimeout(() => response.destroy(), idleMs)
    response.once('close', gone)
    if (response.destroyed) return settle(false)
    response.write(piece, (failure) => settle(failure === null || failure === undefined))
  })
}
