// Writes a protocol-buffer message from its end to its beginning, so that the length of a nested message, which comes
// before its fields, is known by then. The client library's generated classes take more than twice as long.

const VARINT = 0
const LENGTH = 2
/** A digit of a varint has 7 bits; the next bit says that another one follows. */
const MORE = 0x80

export class WireWriter {
  readonly #bytes: Buffer
  #at: number

  /** `capacity`: bytes of the whole message, at most. */
  constructor(capacity: number) {
    this.#bytes = Buffer.allocUnsafe(capacity)
    this.#at = capacity
  }

  /** Where the field begins that was written last. Pass it to `nest` when all fields of a message are written. */
  get at(): number {
    return this.#at
  }

  /** The message. */
  get written(): Buffer {
    return this.#bytes.subarray(this.#at)
  }

  /** A field with a whole number from 0, exact up to 2^53. */
  number(field: number, value: number): void {
    this.#varint(value)
    this.#varint(field * 8 + VARINT)
  }

  /** A field with a text in UTF-8. */
  text(field: number, text: string): void {
    const length = Buffer.byteLength(text)
    this.#bytes.write(text, this.#take(length))
    this.#begin(field, length)
  }

  /** Makes what was written since `end` a message in a field. */
  nest(field: number, end: number): void {
    this.#begin(field, end - this.#at)
  }

  #begin(field: number, length: number): void {
    this.#varint(length)
    this.#varint(field * 8 + LENGTH)
  }

  #varint(value: number): void {
    let length = 1
    for (let rest = value; rest >= MORE; rest = Math.floor(rest / MORE)) length++
    let at = this.#take(length)
    let rest = value
    for (; rest >= MORE; rest = Math.floor(rest / MORE)) this.#bytes[at++] = (rest % MORE) + MORE
    this.#bytes[at] = rest
  }

  #take(length: number): number {
    this.#at -= length
    if (this.#at < 0) throw new RangeError('The message is longer than its capacity')
    return this.#at
  }
}
