// A part of a blob goes out: one piece is read while the one before is on its way, so that a download holds two pieces,
// however slow its reader.

import type { ServerResponse } from 'node:http'
import type { OpenBlob } from '../../stores/contract/files-door.ts'
import { createPieces } from './pieces.ts'
import type { Part } from './ranges.ts'

const pieces = createPieces()

export interface Poured {
  /** Bytes handed to the system. Of the last piece it may have sent a part only, and does not say which: all of it counts. */
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
      const piece = pieces.take(end - at)
      const length = await filled(piece, blob, at, end)
      if (!(await sending) || response.destroyed) {
        pieces.giveBack(piece)
        return { sent, failure: null }
      }
      at += length
      sent += length
      sending = sendPiece(response, piece, length, idleMs)
    }
    await sending
    return { sent, failure: null }
  } catch (failure) {
    await sending
    response.destroy()
    return { sent, failure }
  }
}

/** Answers how many bytes of the part are in the piece now. */
async function filled(piece: Buffer, blob: OpenBlob, at: number, end: number): Promise<number> {
  const room = Math.min(piece.length, end - at)
  try {
    const length = await blob.read(room === piece.length ? piece : piece.subarray(0, room), at)
    if (length === 0) throw new Error('a blob ended before its end')
    return length
  } catch (failure) {
    pieces.giveBack(piece)
    throw failure
  }
}

async function sendPiece(response: ServerResponse, piece: Buffer, length: number, idleMs: number): Promise<boolean> {
  const isTaken = await write(response, piece.subarray(0, length), idleMs)
  if (isTaken) pieces.giveBack(piece)
  // The system may still be reading from it.
  else pieces.drop(piece)
  return isTaken
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
    response.write(piece, (failure) => settle(failure === null || failure === undefined))
  })
}
