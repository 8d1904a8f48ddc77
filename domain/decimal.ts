// Exact decimals for scores: strings in canonical form, never numbers, so that no precision is lost.

declare const decimal: unique symbol

/**
 * A decimal in canonical form: up to 30 digits before the point (a sum of others: 36) and 18 after it, no trailing
 * zeros, never `-0`.
 */
export type Decimal = string & { readonly [decimal]: true }

const WHOLE_MAX = 30
const FRACTION_MAX = 18
/** Of a sum. */
export const SUM_WHOLE_MAX = 36
/** A sign, 30 digits, the point, 18 digits. */
const MAX_LENGTH = 50
const GRAMMAR = /^-?(0|[1-9][0-9]{0,29})(\.[0-9]{1,18})?$/

/** 10^18: the digits after the point as whole numbers. */
const UNIT = 10n ** BigInt(FRACTION_MAX)
const SUM_LIMIT = 10n ** BigInt(SUM_WHOLE_MAX) * UNIT

const MINUS = 0x2d
const ZERO = 0x30

/** The canonical form (`1.50` is `1.5`, `-0.0` is `0`), or null if the text is not such a decimal. */
export function parseDecimal(text: string): Decimal | null {
  if (text.length > MAX_LENGTH || !GRAMMAR.test(text)) return null
  const point = text.indexOf('.')
  const short = point < 0 ? text : text.slice(0, significantEnd(text, point))
  return (short === '-0' ? '0' : short) as Decimal
}

// Without nested or adjacent repetitions, so that each is linear in the length of a text.
const EXPONENT = /^[+-]?[0-9.,]+e[+-]?[0-9]+$/i
const WITH_SEPARATORS = /^[+-]?[0-9.,]+$/
const PARTS = /^(-?)([0-9]*)(?:(\.)([0-9]*))?$/

/** What breaks a text that `parseDecimal` refuses: the first broken rule, and how to correct it. */
export function decimalFault(text: string): string {
  if (text === '') return 'must not be empty: give a decimal string such as "12.5"'
  if (text.trim() !== text) return 'must not begin or end with a space: trim it'
  if (EXPONENT.test(text)) return 'must not have an exponent: write all digits, such as "0.0000001" for 1e-7'
  if (text.includes(',') && WITH_SEPARATORS.test(text))
    return 'must not contain a comma: write a point before the fraction, and digits without separators'
  if (text.startsWith('+')) return 'must not begin with a plus sign: leave it out'
  const [, sign, whole = '', point = '', fraction = ''] = PARTS.exec(text) ?? []
  if (sign === undefined || whole + point === '')
    return 'must be a decimal string such as "-12.5": digits 0-9, a minus sign before them, a point among them'
  if (whole === '') return `must have a digit before the point: write "${sign}0.5" for "${sign}.5"`
  if (point !== '' && fraction === '') return 'must have a digit after the point: add one, or leave the point out'
  if (whole.length > 1 && whole.startsWith('0')) return 'must not have leading zeros: leave them out'
  if (whole.length > WHOLE_MAX) return `must have at most ${WHOLE_MAX} digits before the point, not ${whole.length}`
  return `must have at most ${FRACTION_MAX} digits after the point, not ${fraction.length}: round it`
}

/** -1 if a < b, 1 if a > b, 0 if equal. Exact; allocates nothing. */
export function compareDecimals(a: Decimal, b: Decimal): -1 | 0 | 1 {
  if (a === b) return 0
  const negative = isNegative(a)
  if (negative !== isNegative(b)) return negative ? -1 : 1
  const longer = wholeLength(a) - wholeLength(b)
  // With equal signs and integer lengths, the texts compare as the magnitudes do.
  const magnitude = longer === 0 ? a > b : longer > 0
  return magnitude === negative ? -1 : 1
}

/** The exact sum. Throws RangeError if it has more than 36 digits before the point. */
export function addDecimals(a: Decimal, b: Decimal): Decimal {
  const sum = inUnits(a) + inUnits(b)
  if (sum >= SUM_LIMIT || sum <= -SUM_LIMIT) {
    throw new RangeError(`the sum of ${a} and ${b} has more than ${SUM_WHOLE_MAX} digits before the point`)
  }
  return decimalOfUnits(sum)
}

/** The number that is so many times 10^-18. */
export function decimalOfUnits(units: bigint): Decimal {
  const digits = (units < 0n ? -units : units).toString().padStart(FRACTION_MAX + 1, '0')
  const point = digits.length - FRACTION_MAX
  const size = `${digits.slice(0, point)}.${digits.slice(point)}`
  return `${units < 0n ? '-' : ''}${size.slice(0, significantEnd(size, point))}` as Decimal
}

/** The number with the other sign. */
export function negated(value: Decimal): Decimal {
  if (value === '0') return value
  return (isNegative(value) ? value.slice(1) : `-${value}`) as Decimal
}

/** How many times 10^-18 a number is. */
export function inUnits(value: Decimal): bigint {
  const point = value.indexOf('.')
  if (point < 0) return BigInt(value) * UNIT
  return BigInt(value.slice(0, point) + value.slice(point + 1).padEnd(FRACTION_MAX, '0'))
}

function isNegative(value: Decimal): boolean {
  return value.charCodeAt(0) === MINUS
}

/** Length of the integer part, including the sign. */
function wholeLength(value: Decimal): number {
  const point = value.indexOf('.')
  return point < 0 ? value.length : point
}

/** End of the text without trailing zeros, and without the point if only zeros follow it. */
function significantEnd(text: string, point: number): number {
  let end = text.length
  while (text.charCodeAt(end - 1) === ZERO) end--
  return end === point + 1 ? point : end
}
