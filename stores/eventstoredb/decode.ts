// Decodes the messages of the server's Read call. `recorded-event.ts` decodes the events in them.

import type { Position } from '../../domain/event.ts'
import { positionOf, ZERO } from './position.ts'
import { type Arrived, type DecoderOptions, hex64, RecordReader } from './recorded-event.ts'
import { WireReader } from './wire.ts'

/** One message of a Read call. `checkpoint`: the server has searched everything up to there. */
export type Message =
  | Arrived
  | { readonly kind: 'confirmed' }
  | { readonly kind: 'checkpoint'; readonly position: Position }
  | { readonly kind: 'missing' }
  | { readonly kind: 'other' }

const CONFIRMED: Message = { kind: 'confirmed' }
const MISSING: Message = { kind: 'missing' }
const OTHER: Message = { kind: 'other' }

/** A stateless decoder for the calls of one log. */
export function createDecoder(options: DecoderOptions): (bytes: Buffer) => Message {
  const reader = new WireReader()
  const record = new RecordReader(reader, options)

  function decode(bytes: Buffer): Message {
    reader.begin(bytes)
    while (reader.at < bytes.length) {
      const tag = reader.varint()
      switch (tag >>> 3) {
        case 1:
          return readEvent(reader.end(), bytes.length)
        case 2:
          return CONFIRMED
        case 3:
          return checkpoint(reader.end())
        case 4:
          return MISSING
        default:
          reader.skip(tag)
      }
    }
    return OTHER
  }

  function checkpoint(end: number): Message {
    // Protocol buffers omit a number that is 0.
    let commit = ZERO
    let prepare = ZERO
    while (reader.at < end) {
      const tag = reader.varint()
      if (tag >>> 3 === 1) commit = hex64(reader)
      else if (tag >>> 3 === 2) prepare = hex64(reader)
      else reader.skip(tag)
    }
    return commit === '' || prepare === '' ? OTHER : { kind: 'checkpoint', position: positionOf(commit, prepare) }
  }

  function readEvent(end: number, bytes: number): Message {
    let arrived: Message = OTHER
    while (reader.at < end) {
      const tag = reader.varint()
      if (tag >>> 3 === 1) arrived = record.read(reader.end(), bytes)
      else {
        reader.skip(tag)
        // "No position": the position in the record itself is meaningless then.
        if (tag >>> 3 === 4 && arrived.kind === 'event') arrived = { ...arrived, position: null }
      }
    }
    return arrived
  }

  return decode
}
