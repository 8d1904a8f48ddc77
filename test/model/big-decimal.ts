// Decimals for the oracle: the number times 10^18 as a BigInt. Slow, and plainly right.

const FRACTION_DIGITS = 18

/** The value of a decimal text, times 10^18. */
export function scaled(text: string): bigint {
  const negative = text.startsWith('-')
  const [whole = '', fraction = ''] = (negative ? text.slice(1) : text).split('.')
  const value = BigInt(whole + fraction.padEnd(FRACTION_DIGITS, '0'))
  return negative ? -value : value
}

/** The one text that stands for a scaled value: no closing zeros, no -0. */
export function canonical(value: bigint): string {
  const digits = (value < 0n ? -value : value).toString().padStart(FRACTION_DIGITS + 1, '0')
  const whole = digits.slice(0, -FRACTION_DIGITS)
  const fraction = digits.slice(-FRACTION_DIGITS).replace(/0+$/, '')
  return (value < 0n ? '-' : '') + whole + (fraction === '' ? '' : `.${fraction}`)
}
