// From a message of the server's Read call to an event of ours. Foreign streams are told by their name before anything
// of the event is made, and no content, whoever wrote it, can make this throw.

import type { EventMeta, JsonObject, Position, StoredEvent } from '../../domain/event.ts'
import { hexOf, positionOf, ZERO } from './position.ts'
import { WireReader } from './wire.ts'

/** An event of the log. `event` is null where it is not ours, or not one that we can have written. */
export interface Arrived {
  readonly kind: 'event'
  readonly position: Position | null
  readonly event: StoredEvent | null
  readonly bytes: number
}

/** What a Read call gives. `checkpoint`: the server has looked at everything up to there. */
export type Message =
  | Arrived
  | { readonly kind: 'confirmed' }
  | { readonly kind: 'checkpoint'; readonly position: Position }
  | { readonly kind: 'missing' }
  | { readonly kind: 'other' }

const CONFIRMED: Message = { kind: 'confirmed' }
const MISSING: Message = { kind: 'missing' }
const OTHER: Message = { kind: 'other' }
/** The high half of numbers by which servers say that there is no position. */
const NO_POSITION_HIGH = 0x7fff_ffff

export interface DecoderOptions {
  /** Beginnings of the names of streams that are ours. */
  readonly prefixes: readonly string[]
  /** Told of each event in a stream of ours that is none of ours: not JSON, without our metadata, or a system's. */
  readonly onForeign: (stream: string, type: string, id: string) => void
}

/** A decoder for calls of one log. It keeps nothing between messages. */
export function createDecoder({ prefixes, onForeign }: DecoderOptions): (bytes: Buffer) => Message {
  const reader = new WireReader()

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
    // A number that is 0 is not written.
    let commit = ZERO
    let prepare = ZERO
    while (reader.at < end) {
      const tag = reader.varint()
      if (tag >>> 3 === 1) commit = hex64()
      else if (tag >>> 3 === 2) prepare = hex64()
      else reader.skip(tag)
    }
    return commit === '' || prepare === '' ? OTHER : { kind: 'checkpoint', position: positionOf(commit, prepare) }
  }

  function readEvent(end: number, bytes: number): Message {
    let arrived: Message = OTHER
    while (reader.at < end) {
      const tag = reader.varint()
      if (tag >>> 3 === 1) arrived = recorded(reader.end(), bytes)
      else {
        reader.skip(tag)
        // "No position": what the record itself says then means nothing.
        if (tag >>> 3 === 4 && arrived.kind === 'event') arrived = { ...arrived, position: null }
      }
    }
    return arrived
  }

  function recorded(end: number, bytes: number): Arrived {
    let id = ''
    let stream = ''
    let revision = 0
    let prepare = ZERO
    let commit = ZERO
    let type = ''
    let contentType = ''
    let meta = ''
    let data = ''
    let isOurs = true
    while (reader.at < end) {
      const tag = reader.varint()
      switch (tag >>> 3) {
        case 1:
          id = firstText(reader.end(), 2)
          break
        case 2:
          stream = firstText(reader.end(), 3)
          isOurs = isOfOurs(stream)
          break
        case 3:
          revision = reader.varint()
          break
        case 4:
          prepare = hex64()
          break
        case 5:
          commit = hex64()
          break
        case 6: {
          if (!isOurs) {
            reader.skip(tag)
            break
          }
          const entryEnd = reader.end()
          reader.varint()
          const key = reader.text(reader.end())
          reader.varint()
          if (key === 'type') type = reader.text(reader.end())
          else if (key === 'content-type') contentType = reader.text(reader.end())
          reader.at = entryEnd
          break
        }
        case 7:
          if (isOurs) meta = reader.text(reader.end())
          else reader.skip(tag)
          break
        case 8:
          if (isOurs) data = reader.text(reader.end())
          else reader.skip(tag)
          break
        default:
          reader.skip(tag)
      }
    }
    const position = commit === '' || prepare === '' ? null : positionOf(commit, prepare)
    if (!isOurs || stream === '') return { kind: 'event', position, event: null, bytes }
    const isJson = contentType === 'application/json' && Number.isSafeInteger(revision)
    const event = isJson ? storedEvent(id, type, data, meta, stream, revision, position) : null
    // The server's own: a stream of a deleted game ends with one.
    if (event === null && !type.startsWith('$')) onForeign(stream, type, id)
    return { kind: 'event', position, event, bytes }
  }

  /** The text in one field of the message that ends at `end`; the others are passed over. */
  function firstText(end: number, field: number): string {
    let text = ''
    while (reader.at < end) {
      const tag = reader.varint()
      if (tag >>> 3 === field) text = reader.text(reader.end())
      else reader.skip(tag)
    }
    return text
  }

  /** The number here in hexadecimal digits, or '' where it stands for "none". */
  function hex64(): string {
    reader.varint()
    return reader.high >= NO_POSITION_HIGH ? '' : hexOf(reader.high, reader.low)
  }

  function isOfOurs(stream: string): boolean {
    for (const prefix of prefixes) if (stream.startsWith(prefix)) return true
    return false
  }

  return decode
}

function storedEvent(
  id: string,
  type: string,
  data: string,
  meta: string,
  stream: string,
  revision: number,
  position: Position | null,
): StoredEvent | null {
  const parsedData = parsed(data)
  const parsedMeta = parsed(meta)
  if (!isObject(parsedData) || !isMeta(parsedMeta)) return null
  return { id, type, data: parsedData, meta: parsedMeta, stream, revision, position: position ?? '' }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether it has what every event of ours has from the first one on. */
function isMeta(value: unknown): value is EventMeta {
  if (!isObject(value)) return false
  const { v, game, command, time } = value
  const isOfGame = game === null || typeof game === 'string'
  return typeof v === 'number' && isOfGame && typeof command === 'string' && typeof time === 'string'
}
