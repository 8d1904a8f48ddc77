// The messages of the BatchAppend call.

import type { Position } from '../../domain/event.ts'
import type { CheckedAppend } from '../support/log-arguments.ts'
import { hexOf, positionOf, ZERO } from './position.ts'
import { WireReader } from './wire.ts'
import { WireWriter } from './wire-writer.ts'

/** Bytes of a request, and of each event in it, besides their texts: lengths, ids, times and the content type. */
const FIXED_BYTES = 256
/** UTF-8 bytes of a character. */
const MAX_CHARACTER_BYTES = 3

/**
 * One append. The answer repeats `number`, which is unique in its call. The server drops the append unwritten after
 * `until`.
 */
export function batchRequest({ stream, base, events }: CheckedAppend, number: number, until: Date): Buffer {
  const capacity = events.reduce(
    (sum, { event, bytes }) => sum + FIXED_BYTES + event.type.length * MAX_CHARACTER_BYTES + bytes,
    FIXED_BYTES + stream.length * MAX_CHARACTER_BYTES,
  )
  const writer = new WireWriter(capacity)
  // From the last field to the first one.
  writer.number(4, 1) // is_final
  for (const one of events.toReversed()) writeEvent(writer, one)
  const options = writer.at
  writeTime(writer, until)
  if (base < 0)
    writer.nest(3, writer.at) // no_stream
  else writer.number(2, base) // stream_position
  const identifier = writer.at
  writer.text(3, stream) // stream_name
  writer.nest(1, identifier)
  writer.nest(2, options)
  writeUuid(writer, correlationOf(number))
  return writer.written
}

function writeEvent(writer: WireWriter, { event, data, meta }: CheckedAppend['events'][number]): void {
  const end = writer.at
  writer.text(4, data)
  writer.text(3, meta) // custom_metadata
  writeEntry(writer, 'content-type', 'application/json')
  writeEntry(writer, 'type', event.type)
  writeUuid(writer, event.id)
  writer.nest(3, end)
}

/** An entry of the server's metadata. */
function writeEntry(writer: WireWriter, key: string, value: string): void {
  const end = writer.at
  writer.text(2, value)
  writer.text(1, key)
  writer.nest(2, end)
}

/** In the first field of the message around it. */
function writeUuid(writer: WireWriter, uuid: string): void {
  const end = writer.at
  writer.text(2, uuid)
  writer.nest(1, end)
}

function writeTime(writer: WireWriter, time: Date): void {
  const end = writer.at
  const ms = time.getTime()
  writer.number(2, (ms % 1_000) * 1_000_000) // nanos
  writer.number(1, Math.floor(ms / 1_000)) // seconds
  writer.nest(6, end)
}

/** The UUID of the n-th append of a call. */
const correlationOf = (n: number): string => `00000000-0000-0000-0000-${n.toString(16).padStart(12, '0')}`

export interface Written {
  readonly revision: number
  /** Null if the server does not report it. */
  readonly position: Position | null
}

export interface BatchAnswer {
  /** As in the request; NaN if it is none of ours. */
  readonly number: number
  readonly outcome: Written | BatchRefusal
}

/** The type of the refusal, and the server's text; both may be empty. */
export interface BatchRefusal {
  readonly refused: string
  readonly message: string
}

const NO_REASON: BatchRefusal = { refused: '', message: '' }

/** Throws a RangeError for bytes that are no message. */
export function decodeAnswer(bytes: Buffer): BatchAnswer {
  const reader = new WireReader()
  reader.begin(bytes)
  let number = Number.NaN
  let outcome: BatchAnswer['outcome'] = NO_REASON
  eachField(reader, bytes.length, (field) => {
    if (field === 1) number = readNumber(reader)
    else if (field === 2) outcome = readRefusal(reader)
    else if (field === 3) outcome = readWritten(reader)
    else return false
    return true
  })
  return { number, outcome }
}

/** `read` returns false for a field that it does not read. */
function eachField(reader: WireReader, end: number, read: (field: number) => boolean): void {
  while (reader.at < end) {
    const tag = reader.varint()
    if (!read(tag >>> 3)) reader.skip(tag)
  }
}

/** The number in a correlation id, which servers return as text or as two halves. */
function readNumber(reader: WireReader): number {
  let number = Number.NaN
  eachField(reader, reader.end(), (field) => {
    if (field === 1) {
      number = 0
      eachField(reader, reader.end(), (half) => {
        if (half === 2) number = reader.varint()
        return half === 2
      })
    } else if (field === 2) number = Number.parseInt(reader.text(reader.end()).slice(-12), 16)
    else return false
    return true
  })
  return number
}

function readWritten(reader: WireReader): Written {
  let revision = 0
  let position: Position | null = null
  eachField(reader, reader.end(), (field) => {
    if (field === 1) revision = reader.varint()
    else if (field === 3) position = readPosition(reader)
    else return false
    return true
  })
  return { revision, position }
}

function readPosition(reader: WireReader): Position {
  // Protocol buffers omit a number that is 0.
  const halves: [commit: string, prepare: string] = [ZERO, ZERO]
  eachField(reader, reader.end(), (field) => {
    if (field !== 1 && field !== 2) return false
    reader.varint()
    halves[field - 1] = hexOf(reader.high, reader.low)
    return true
  })
  return positionOf(...halves)
}

function readRefusal(reader: WireReader): BatchRefusal {
  let refused = ''
  let message = ''
  eachField(reader, reader.end(), (field) => {
    if (field === 2) message = reader.text(reader.end())
    else if (field === 3) refused = readTypeName(reader)
    else return false
    return true
  })
  return { refused, message }
}

/** The name of the type of a message of any type. */
function readTypeName(reader: WireReader): string {
  let url = ''
  eachField(reader, reader.end(), (field) => {
    if (field === 1) url = reader.text(reader.end())
    return field === 1
  })
  return url.slice(url.lastIndexOf('/') + 1)
}
