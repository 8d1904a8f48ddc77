// Whole numbers at the end of texts: digits of base 64, the ASCII characters from `0` to `o`. Texts of equal length
// sort as their numbers do. Much faster than `toString` with a radix other than ten.

const RADIX = 64
const ZERO = 0x30

/** For a whole number from 0 on. Does not end for Infinity. */
export function digitsOf(number: number): string {
  let text = String.fromCharCode(ZERO + (number % RADIX))
  for (let left = Math.floor(number / RADIX); left > 0; left = Math.floor(left / RADIX))
    text = String.fromCharCode(ZERO + (left % RADIX)) + text
  return text
}

/**
 * The number whose last digit is at `end`. Before its first digit the bytes must have the character `separator` (a
 * code).
 */
export function numberEndingAt(bytes: Uint8Array, end: number, separator: number): number {
  let number = 0
  let at = end
  for (let unit = 1; bytes[at] !== separator; unit *= RADIX) number += ((bytes[at--] as number) - ZERO) * unit
  return number
}
