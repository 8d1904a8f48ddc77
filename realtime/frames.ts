// Serialises events as Socket.IO packets and as WebSocket frames, once for all receivers. The events that a room sends
// in one flush form one batch, which is written to each member unchanged.

import type { ServerEvent, ServerEventBody } from './events.ts'

export interface Batch {
  /** Socket.IO packets, for connections whose frames Engine.IO writes. */
  readonly texts: readonly string[]
  /** The same as WebSocket text frames, one after the other. */
  readonly frames: Buffer
}

/** Engine.IO `message` (4) before Socket.IO `event` (2). */
const MESSAGE = '4'

/** An event packet. `body` is JSON. */
export const eventText = (event: ServerEvent, body: string): string => `2["${event}",${body}]`

/** An acknowledgement packet. `body` is JSON. */
export const ackText = (id: number, body: string): string => `3${id}[${body}]`

/** The body of an acknowledgement. `body` is a JSON object. */
export const okJson = (body: string): string => `{"ok":true,${body.slice(1)}`

/** The acknowledgement, if the client requested one, and the event. */
export function answerTexts(ackId: number | null, event: ServerEvent, body: string): string[] {
  const text = eventText(event, body)
  return ackId === null ? [text] : [ackText(ackId, okJson(body)), text]
}

export const batchOf = (texts: readonly string[]): Batch => ({ texts, frames: framesOf(texts).frames })

/** Returns the batch of packets from index `from` on. All batches share one buffer. */
export function batchesOf(texts: readonly string[]): (from: number) => Batch {
  const { frames, starts } = framesOf(texts)
  const made = new Map<number, Batch>()
  return (from) => {
    const before = made.get(from)
    if (before !== undefined) return before
    const batch =
      from === 0
        ? { texts, frames }
        : { texts: texts.slice(from), frames: frames.subarray(starts[from] ?? frames.length) }
    made.set(from, batch)
    return batch
  }
}

export const eventBatch = <Event extends ServerEvent>(event: Event, body: ServerEventBody<Event>): Batch =>
  batchOf([eventText(event, JSON.stringify(body))])

/** Unmasked, final text frames (RFC 6455, 5.2) in one buffer, and the offset of each. */
function framesOf(texts: readonly string[]): { readonly frames: Buffer; readonly starts: readonly number[] } {
  const lengths = texts.map((text) => Buffer.byteLength(text) + MESSAGE.length)
  const frames = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + length + headerLength(length), 0))
  let at = 0
  const starts: number[] = []
  texts.forEach((text, i) => {
    starts.push(at)
    at = writeHeader(frames, at, lengths[i] ?? 0)
    at += frames.write(MESSAGE, at, 'latin1')
    at += frames.write(text, at, 'utf8')
  })
  return { frames, starts }
}

const FINAL_TEXT = 0x81
const SHORT_MAX_BYTES = 125
const MEDIUM_MAX_BYTES = 65_535

const headerLength = (length: number): number => (length <= SHORT_MAX_BYTES ? 2 : length <= MEDIUM_MAX_BYTES ? 4 : 10)

/** Returns the offset of the payload. */
function writeHeader(frames: Buffer, at: number, length: number): number {
  frames[at] = FINAL_TEXT
  if (length <= SHORT_MAX_BYTES) {
    frames[at + 1] = length
    return at + 2
  }
  if (length <= MEDIUM_MAX_BYTES) {
    frames[at + 1] = 126
    frames.writeUInt16BE(length, at + 2)
    return at + 4
  }
  frames[at + 1] = 127
  frames.writeUInt32BE(0, at + 2)
  frames.writeUInt32BE(length, at + 6)
  return at + 10
}
