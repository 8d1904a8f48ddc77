// Decodes one recorded event of the server. Recognises an event of a foreign stream by the stream's name before it
// reads the content, and no content, by any writer, can make it throw.

import { type EventMeta, isJsonObject, type Position, type StoredEvent } from '../../domain/event.ts'
import { hexOf, positionOf, ZERO } from './position.ts'
import type { WireReader } from './wire.ts'

/** A record of the log. `event` is null if it is foreign or cannot have been written by us. */
export interface Arrived {
  readonly kind: 'event'
  readonly position: Position | null
  readonly event: StoredEvent | null
  readonly bytes: number
}

export interface DecoderOptions {
  /** Name prefixes of our streams. */
  readonly prefixes: readonly string[]
  /** Called for each foreign event in a stream of ours: not JSON, without our metadata, or a system event. */
  readonly onForeign: (stream: string, type: string, id: string) => void
}

/** The high half of the numbers that servers use for "no position". */
const NO_POSITION_HIGH = 0x7fff_ffff

/** The fields of one record that were read. */
interface Fields {
  id: string
  stream: string
  revision: number
  prepare: string
  commit: string
  type: string
  contentType: string
  meta: string
  data: string
  isOurs: boolean
}

/** Reads records with the reader of the enclosing message. Stateless between records. */
export class RecordReader {
  readonly #reader: WireReader
  readonly #options: DecoderOptions

  constructor(reader: WireReader, options: DecoderOptions) {
    this.#reader = reader
    this.#options = options
  }

  /** The record that ends at `end`; `bytes` is the size of its whole message. */
  read(end: number, bytes: number): Arrived {
    const fields: Fields = {
      id: '',
      stream: '',
      revision: 0,
      prepare: ZERO,
      commit: ZERO,
      type: '',
      contentType: '',
      meta: '',
      data: '',
      isOurs: true,
    }
    while (this.#reader.at < end) this.#readField(fields)
    const { id, stream, prepare, commit, type, isOurs } = fields
    const position = commit === '' || prepare === '' ? null : positionOf(commit, prepare)
    if (!isOurs || stream === '') return { kind: 'event', position, event: null, bytes }
    const event = storedEvent(fields, position)
    // A server event, such as the tombstone of a deleted game's stream.
    if (event === null && !type.startsWith('$')) this.#options.onForeign(stream, type, id)
    return { kind: 'event', position, event, bytes }
  }

  #readField(fields: Fields): void {
    const reader = this.#reader
    const tag = reader.varint()
    const field = tag >>> 3
    if (field > 5 && !fields.isOurs) {
      reader.skip(tag)
      return
    }
    switch (field) {
      case 1:
        fields.id = firstText(reader, 2)
        break
      case 2:
        fields.stream = firstText(reader, 3)
        fields.isOurs = this.#isOurs(fields.stream)
        break
      case 3:
        fields.revision = reader.varint()
        break
      case 4:
        fields.prepare = hex64(reader)
        break
      case 5:
        fields.commit = hex64(reader)
        break
      case 6:
        readMetadata(reader, fields)
        break
      case 7:
        fields.meta = reader.text(reader.end())
        break
      case 8:
        fields.data = reader.text(reader.end())
        break
      default:
        reader.skip(tag)
    }
  }

  #isOurs(stream: string): boolean {
    for (const prefix of this.#options.prefixes) if (stream.startsWith(prefix)) return true
    return false
  }
}

/** One key and value of the server's metadata. */
function readMetadata(reader: WireReader, fields: Fields): void {
  const end = reader.end()
  reader.varint()
  const key = reader.text(reader.end())
  reader.varint()
  if (key === 'type') fields.type = reader.text(reader.end())
  else if (key === 'content-type') fields.contentType = reader.text(reader.end())
  reader.at = end
}

/** The text of one field of the message that begins here. */
function firstText(reader: WireReader, field: number): string {
  const end = reader.end()
  let text = ''
  while (reader.at < end) {
    const tag = reader.varint()
    if (tag >>> 3 === field) text = reader.text(reader.end())
    else reader.skip(tag)
  }
  return text
}

/** The number here in hexadecimal digits, or '' if it means "none". */
export function hex64(reader: WireReader): string {
  reader.varint()
  return reader.high >= NO_POSITION_HIGH ? '' : hexOf(reader.high, reader.low)
}

function storedEvent(fields: Fields, position: Position | null): StoredEvent | null {
  const { id, type, contentType, stream, revision } = fields
  if (contentType !== 'application/json' || !Number.isSafeInteger(revision)) return null
  const data = parsed(fields.data)
  const meta = parsed(fields.meta)
  if (!isJsonObject(data) || !isMeta(meta)) return null
  return { id, type, data, meta, stream, revision, position: position ?? '' }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether it has the metadata that all our events have. */
function isMeta(value: unknown): value is EventMeta {
  if (!isJsonObject(value)) return false
  const { v, game, command, time } = value
  const isOfGame = game === null || typeof game === 'string'
  return typeof v === 'number' && isOfGame && typeof command === 'string' && typeof time === 'string'
}
