// Exact decimals for scores: strings in canonical form, never numbers, so that no precision is lost.

declare const decimal: unique symbol

/** A decimal in canonical form: up to 30 digits before the point and 18 after it, no trailing zeros, never `-0`. */
export type Decimal = string & { readonly [decimal]: true }

/** A sign, 30 digits, the point, 18 digits. */
const MAX_LENGTH = 50
const GRAMMAR = /^-?(0|[1-9][0-9]{0,29})(\.[0-9]{1,18})?$/

const MINUS = 0x2d
const ZERO = 0x30

/** The canonical form (`1.50` is `1.5`, `-0.0` is `0`), or null if the text is not such a decimal. */
export function parseDecimal(text: string): Decimal | null {
  if (text.length > MAX_LENGTH || !GRAMMAR.test(text)) return null
  const point = text.indexOf('.')
  const short = point < 0 ? text : text.slice(0, significantEnd(text, point))
  return (short === '-0' ? '0' : short) as Decimal
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
