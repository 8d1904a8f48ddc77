// Encodes bytes as text: ids in base32, secrets and signatures in base64url, each with one valid encoding.

const ALPHABET = Buffer.from('abcdefghijklmnopqrstuvwxyz234567')
const ID_BYTES = 15
/** Overwritten by each id: a text made by concatenation would be a tree of twelve strings. */
const ID = Buffer.alloc(24)

/** 15 bytes (120 bits) as 24 characters of a–z and 2–7. Throws RangeError for fewer bytes. */
export function idText(bytes: Uint8Array): string {
  if (bytes.length < ID_BYTES) throw new RangeError(`an id takes ${ID_BYTES} bytes`)
  let length = 0
  let buffer = 0
  let bits = 0
  for (let i = 0; i < ID_BYTES; i++) {
    buffer = ((buffer << 8) | (bytes[i] as number)) & 0xfff
    bits += 8
    while (bits >= 5) {
      bits -= 5
      ID[length++] = ALPHABET[(buffer >> bits) & 31] as number
    }
  }
  return ID.toString('latin1')
}

export const toBase64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')

/** Decodes unpadded base64url; null unless it is the canonical encoding of exactly `length` bytes. */
export function fromBase64url(text: string, length: number): Buffer | null {
  const bytes = Buffer.from(text, 'base64url')
  return bytes.length === length && bytes.toString('base64url') === text ? bytes : null
}

/** A UUID (RFC 9562, version 8) made of a digest with at least 30 hex digits. */
export function uuidOf(digits: string): string {
  const low = `${digits.slice(0, 8)}-${digits.slice(8, 12)}`
  return `${low}-8${digits.slice(12, 15)}-8${digits.slice(15, 18)}-${digits.slice(18, 30)}`
}
