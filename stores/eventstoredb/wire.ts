// Reads protocol-buffer messages field by field. The client library's generated classes take about as long per event
// as the whole transport, and a rebuild reads every event.

const TWO_32 = 0x1_0000_0000

/** Iterates over the fields of one message. `begin` reuses the reader for another message. */
export class WireReader {
  private bytes: Buffer = Buffer.alloc(0)
  at = 0
  /** The 32-bit halves of the last number read by `varint`, for numbers that a double cannot represent exactly. */
  high = 0
  low = 0

  begin(bytes: Buffer): void {
    this.bytes = bytes
    this.at = 0
  }

  /** The next number, unsigned; exact up to 2^53, and always in `high` and `low`. */
  varint(): number {
    const { bytes } = this
    let byte = bytes[this.at++] ?? truncated()
    if (byte < 0x80) {
      this.high = 0
      this.low = byte
      return byte
    }
    let low = byte & 0x7f
    let high = 0
    for (let shift = 7; ; shift += 7) {
      byte = bytes[this.at++] ?? truncated()
      const bits = byte & 0x7f
      if (shift < 28) low |= bits << shift
      else if (shift === 28) {
        low |= bits << 28
        high = bits >>> 4
      } else high |= bits << (shift - 32)
      if (byte < 0x80) break
      if (shift >= 63) throw new RangeError('A number in the answer has more than 64 bits')
    }
    this.low = low >>> 0
    this.high = high >>> 0
    return this.high * TWO_32 + this.low
  }

  /** Reads a length and returns the end of the message or text; it begins at `at` afterwards. */
  end(): number {
    const length = this.varint()
    const end = this.at + length
    return end <= this.bytes.length ? end : truncated()
  }

  /** Reads UTF-8 text up to `end`. */
  text(end: number): string {
    const text = this.bytes.toString('utf8', this.at, end)
    this.at = end
    return text
  }

  /** Skips the field whose tag was read. */
  skip(tag: number): void {
    const kind = tag & 7
    if (kind === 0) this.varint()
    else if (kind === 1) this.at += 8
    else if (kind === 2) this.at = this.end()
    else if (kind === 5) this.at += 4
    else throw new RangeError(`A field of the answer is of the unknown kind ${kind}`)
  }
}

function truncated(): never {
  throw new RangeError('An answer of the server ends within a field')
}
