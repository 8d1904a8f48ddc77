// One record of the log as the server keeps it.

/**
 * The revision a tombstone has: the largest 64-bit integer, which a number holds only nearly; `revisionText` writes it.
 */
export const TOMBSTONE_REVISION = 2 ** 63

const LARGEST = '9223372036854775807'

export interface Proposed {
  /** Lower case. */
  readonly id: string
  readonly type: string
  readonly contentType: string
  readonly data: Uint8Array
  readonly metadata: Uint8Array
}

export interface LogRecord extends Proposed {
  /** Commit and prepare position are the same number. */
  readonly position: number
  /** Place among all records, from 0. */
  readonly index: number
  readonly stream: string
  readonly revision: number
  /** Hundreds of nanoseconds since 1970. */
  readonly created: string
  /** Its reply message as sent without links resolved, once it was made. */
  frame: Buffer | null
}

export const revisionText = (revision: number): string =>
  revision === TOMBSTONE_REVISION ? LARGEST : revision.toString(10)

/** Bytes that a record takes in the log; a real one with 247 bytes of data and short names takes 348. */
export function sizeOf(stream: string, event: Proposed): number {
  return 88 + Buffer.byteLength(stream) + Buffer.byteLength(event.type) + event.data.length + event.metadata.length
}

const JSON_TYPE = 'application/json'

/** An event whose data are a JSON text. */
export function jsonRecord(id: string, type: string, text: string): Proposed {
  return { id, type, contentType: JSON_TYPE, data: Buffer.from(text), metadata: new Uint8Array(0) }
}
