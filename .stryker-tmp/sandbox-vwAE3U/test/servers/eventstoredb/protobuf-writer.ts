// Writes the few kinds of protobuf fields that a reply of a read has. Events are most of what the server sends, and the
// generated code needs ten times as long for one.

import { TOMBSTONE_REVISION } from './record.ts'

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
