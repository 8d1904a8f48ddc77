// Encodes the replies of reads and subscriptions. The reply of an event is encoded once and sent to every reader.

import { randomUUID } from 'node:crypto'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import type { ReadResp } from '@eventstore/db-client/generated/streams_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import type { Journal } from './journal.ts'
import { structuredUuid } from './proto-values.ts'
import { type LogRecord, TOMBSTONE_REVISION } from './record.ts'

const VARINT = 0
const DELIMITED = 2

export class ProtobufWriter {
  #bytes = Buffer.allocUnsafe(1024)
  #at = 0

  /** What was written; the writer begins again. */
  take(): Buffer {
    const taken = Buffer.from(this.#bytes.subarray(0, this.#at))
    this.#at = 0
    return taken
  }

  /** A whole number from 0 up, or the revision of a tombstone. */
  number(field: number, value: number): void {
    this.#reserve(20)
    this.#varint(field * 8 + VARINT)
    if (value === TOMBSTONE_REVISION) for (let i = 0; i < 8; i++) this.#bytes[this.#at++] = 0xff
    this.#varint(value === TOMBSTONE_REVISION ? 0x7f : value)
  }

  text(field: number, value: string): void {
    const length = Buffer.byteLength(value)
    this.#head(field, length)
    this.#at += this.#bytes.write(value, this.#at)
  }

  bytes(field: number, value: Uint8Array): void {
    this.#head(field, value.length)
    this.#bytes.set(value, this.#at)
    this.#at += value.length
  }

  #head(field: number, length: number): void {
    this.#reserve(length + 20)
    this.#varint(field * 8 + DELIMITED)
    this.#varint(length)
  }

  #varint(value: number): void {
    let rest = value
    while (rest >= 0x80) {
      this.#bytes[this.#at++] = (rest % 0x80) + 0x80
      rest = Math.floor(rest / 0x80)
    }
    this.#bytes[this.#at++] = rest
  }

  #reserve(more: number): void {
    if (this.#at + more <= this.#bytes.length) return
    const larger = Buffer.allocUnsafe((this.#at + more) * 2)
    this.#bytes.copy(larger, 0, 0, this.#at)
    this.#bytes = larger
  }
}

export interface EventForm {
  readonly resolveLinks: boolean
  /** Event ids as two numbers instead of text. */
  readonly structuredIds: boolean
}

const LINK = '$>'
const writer = new ProtobufWriter()

/** A reply with an event; for a resolved link, with the target and the link. */
export function eventFrame(journal: Journal, record: LogRecord, form: EventForm): Buffer {
  if (form.resolveLinks && record.type === LINK) {
    return wrap(record.position, form.structuredIds, targetOf(journal, record), record)
  }
  if (form.structuredIds) return wrap(record.position, true, record, null)
  record.frame ??= wrap(record.position, false, record, null)
  return record.frame
}

/** The target of a link, `revision@stream`; null if it no longer exists. */
function targetOf(journal: Journal, link: LogRecord): LogRecord | null {
  const text = Buffer.from(link.data).toString('utf8')
  const at = text.indexOf('@')
  const stream = text.slice(at + 1)
  if (journal.isTombstoned(stream)) return null
  const target = journal.stream(stream)?.records[Number(text.slice(0, at))]
  return target !== undefined && journal.isCommitted(target) ? target : null
}

function wrap(position: number, structured: boolean, event: LogRecord | null, link: LogRecord | null): Buffer {
  const recorded = event === null ? null : recordedEvent(event, structured)
  const linked = link === null ? null : recordedEvent(link, structured)
  if (recorded !== null) writer.bytes(1, recorded)
  if (linked !== null) writer.bytes(2, linked)
  writer.number(3, position)
  const readEvent = writer.take()
  writer.bytes(1, readEvent)
  return writer.take()
}

function recordedEvent(record: LogRecord, structured: boolean): Buffer {
  if (!structured) writer.text(2, record.id)
  const id = structured ? structuredUuid(record.id).serializeBinary() : writer.take()
  writer.text(3, record.stream)
  const identifier = writer.take()
  const map = [
    ['type', record.type],
    ['content-type', record.contentType],
    ['created', record.created],
  ].map(([key = '', value = '']) => {
    writer.text(1, key)
    writer.text(2, value)
    return writer.take()
  })
  writer.bytes(1, id)
  writer.bytes(2, identifier)
  if (record.revision > 0) writer.number(3, record.revision)
  writer.number(4, record.position)
  writer.number(5, record.position)
  for (const entry of map) writer.bytes(6, entry)
  if (record.metadata.length > 0) writer.bytes(7, record.metadata)
  if (record.data.length > 0) writer.bytes(8, record.data)
  return writer.take()
}

function encoded(fill: (reply: ReadResp) => void): Buffer {
  const reply = new streams.ReadResp()
  fill(reply)
  return Buffer.from(reply.serializeBinary())
}

export const caughtUpFrame: Buffer = encoded((reply) => reply.setCaughtUp(new streams.ReadResp.CaughtUp()))

export const confirmationFrame = (): Buffer =>
  encoded((reply) => {
    const confirmation = new streams.ReadResp.SubscriptionConfirmation()
    confirmation.setSubscriptionId(randomUUID())
    reply.setConfirmation(confirmation)
  })

export const checkpointFrame = (position: number): Buffer =>
  encoded((reply) => {
    const checkpoint = new streams.ReadResp.Checkpoint()
    checkpoint.setCommitPosition(String(position))
    checkpoint.setPreparePosition(String(position))
    reply.setCheckpoint(checkpoint)
  })

export const notFoundFrame = (stream: string): Buffer =>
  encoded((reply) => {
    const identifier = new shared.StreamIdentifier()
    identifier.setStreamName(Buffer.from(stream))
    const notFound = new streams.ReadResp.StreamNotFound()
    notFound.setStreamIdentifier(identifier)
    reply.setStreamNotFound(notFound)
  })
