// Decides which JSON number literals are accepted: those whose value an IEEE double represents. They are answered in
// the shortest form of that double.

/** 17 significant digits identify a double. */
const DIGITS_KEPT = 17
/** No double has more significant digits in decimal: a longer literal equals none. */
const DIGITS_OF_ANY_DOUBLE = 767
/** Literals up to this length without an exponent have at most 15 significant digits, which a double preserves. */
const SHORT = 15

const PARTS = /^-?([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/

/**
 * What is wrong with a JSON number literal, or null if it is accepted. O(length); exact.
 * `76561197960287931`, `1e999`, `1e-400` and `0.1234567890123456789` are refused; `0.10000000000000001` is 0.1.
 */
export function numberFault(literal: string): string | null {
  if (literal.length <= SHORT && !/e/i.test(literal)) return null
  const [, whole = '', fraction = '', exponent] = PARTS.exec(literal) ?? []
  const value = Math.abs(Number(literal))
  if (!Number.isFinite(value)) return 'this number is too large: send it as a string'
  const digits = (whole + fraction).replace(/^0+/, '')
  if (value === 0) return digits === '' ? null : 'this number is too small: send it as a string'
  const isInteger = fraction === '' && exponent === undefined
  if (!isInteger && digits.length <= DIGITS_KEPT) return null
  if (equalsDouble(digits, Number(exponent ?? 0) - fraction.length, value)) return null
  return isInteger
    ? 'this integer would change, as JSON numbers are read as doubles: send it as a string'
    : `this number has more than ${DIGITS_KEPT} digits and would change: send it as a string, or with fewer digits`
}

/** Whether digits × 10^exponent equals a double greater than 0. */
function equalsDouble(digits: string, exponent: number, double: number): boolean {
  const kept = digits.slice(0, significant(digits))
  if (kept.length > DIGITS_OF_ANY_DOUBLE) return false
  const power = exponent + digits.length - kept.length
  let mantissa = double
  let halvings = 0n
  while (!Number.isInteger(mantissa)) {
    mantissa *= 2
    halvings++
  }
  const left = (BigInt(kept) * 10n ** BigInt(Math.max(0, power))) << halvings
  return left === BigInt(mantissa) * 10n ** BigInt(Math.max(0, -power))
}

/** Number of digits without trailing zeros. */
function significant(digits: string): number {
  let end = digits.length
  while (digits.charCodeAt(end - 1) === 0x30) end--
  return end
}
