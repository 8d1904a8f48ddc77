// Decimals for the oracle: the number times 10^18 as a BigInt. Slow, and obviously correct.

const FRACTION_DIGITS = 18

/** The value of a decimal text, times 10^18. */
export function scaled(text: string): bigint {
  const negative = text.startsWith('-')
  const [integer = '', fraction = ''] = (negative ? text.slice(1) : text).split('.')
  const value = BigInt(integer + fraction.padEnd(FRACTION_DIGITS, '0'))
  return negative ? -value : value
}

/** The canonical text of a scaled value: no trailing zeros, no -0. */
export function canonical(value: bigint): string {
  const digits = (value < 0n ? -value : value).toString().padStart(FRACTION_DIGITS + 1, '0')
  const integer = digits.slice(0, -FRACTION_DIGITS)
  const fraction = digits.slice(-FRACTION_DIGITS).replace(/0+$/, '')
  return (value < 0n ? '-' : '') + integer + (fraction === '' ? '' : `.${fraction}`)
}

/** A fraction of whole numbers. */
type Fraction = readonly [numerator: bigint, denominator: bigint]

export const sameFraction = (a: Fraction, b: Fraction): boolean => a[0] * b[1] === b[0] * a[1]

/** The value of a JSON number literal. */
export function exactDecimal(literal: string): Fraction {
  const [mantissa = '', exponent = '0'] = literal.toLowerCase().split('e')
  const [integer = '', fraction = ''] = mantissa.split('.')
  const power = Number(exponent) - fraction.length
  const digits = BigInt(integer.replace('-', '') + fraction)
  const value = literal.startsWith('-') ? -digits : digits
  return power >= 0 ? [value * 10n ** BigInt(power), 1n] : [value, 10n ** BigInt(-power)]
}

/** The value of a double that is finite, from its bits. */
export function exactDouble(double: number): Fraction {
  const bits = new DataView(new ArrayBuffer(8))
  bits.setFloat64(0, double)
  const raw = bits.getBigUint64(0)
  const exponent = Number((raw >> 52n) & 0x7ffn)
  const fraction = raw & 0xfffffffffffffn
  const magnitude = exponent === 0 ? fraction : fraction + 2n ** 52n
  const value = raw >> 63n === 1n ? -magnitude : magnitude
  const power = Math.max(exponent, 1) - 1075
  return power >= 0 ? [value * 2n ** BigInt(power), 1n] : [value, 2n ** BigInt(-power)]
}
