// A part of a blob goes out: one piece is read while the one before is on its way, so that a download holds two pieces,
// however slow its reader.

import type { ServerResponse } from 'node:http'
import type { OpenBlob } from '../../stores/contract/files-door.ts'
import type { Piece, Pieces } from './pieces.ts'
import type { Part } from './ranges.ts'

interface Poured {
  /**
   * Bytes handed to the system. Of the last piece it may have sent a part only, and does
   * not say which: all of it counts.
   */
  readonly sent: number
  /** Why it ended early, where that was not the caller's going away; the connection is cut then. */
  readonly failure: unknown
}

/** What goes out: a part of a blob, whose name its bytes are known again by. */
interface Pouring {
  readonly name: string
  readonly blob: OpenBlob
  readonly part: Part
}

/** Never rejects. A caller who takes no whole piece within `idleMs` is cut. */
export async function pour(
  pieces: Pieces,
  { name, blob, part }: Pouring,
  response: ServerResponse,
  idleMs: number,
): Promise<Poured> {
  const { start, end } = part
  let sent = 0
  let sending: Promise<boolean> = Promise.resolve(true)
  try {
    for (let at = start; at < end; ) {
      const piece = await pieces.take(name, blob, { start: at, end })
      if (!(await sending) || response.destroyed) {
        piece.giveBack()
        return { sent, failure: null }
      }
      at += piece.bytes.length
      sent += piece.bytes.length
      sending = sendPiece(response, piece, idleMs)
    }
    await sending
    return { sent, failure: null }
  } catch (failure) {
    await sending
    response.destroy()
    return { sent, failure }
  }
}

async function sendPiece(response: ServerResponse, piece: Piece, idleMs: number): Promise<boolean> {
  const isTaken = await write(response, piece.bytes, idleMs)
  if (isTaken) piece.giveBack()
  else piece.drop()
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
