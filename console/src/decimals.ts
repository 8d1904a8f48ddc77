// Scores and counts as the reader's locale writes them, and back. Both ways are exact: no number is rounded.

const DECIMAL = /^-?\d+(?:\.(\d+))?$/
/** What a locale may add that is no part of the number: marks of direction and of letters. */
const MARKS = /[\u061c\u200e\u200f]/gu

interface Notation {
  readonly group: string
  readonly point: string
  readonly minus: string
  /** The digits from 0 to 9. */
  readonly digits: readonly string[]
  readonly formats: Map<number, Intl.NumberFormat>
}

const notations = new Map<string, Notation>()

function notationOf(locale: string | undefined): Notation {
  const known = notations.get(locale ?? '')
  if (known !== undefined) return known
  const parts = new Intl.NumberFormat(locale).formatToParts(-1_234_567.8)
  const part = (type: string) => parts.find((one) => one.type === type)?.value.replace(MARKS, '') ?? ''
  const one = new Intl.NumberFormat(locale, { useGrouping: false })
  const notation: Notation = {
    group: part('group'),
    point: part('decimal'),
    minus: part('minusSign'),
    digits: Array.from({ length: 10 }, (_, digit) => one.format(digit)),
    formats: new Map(),
  }
  notations.set(locale ?? '', notation)
  return notation
}

/** A decimal of the API with the digits, groups and point of a locale; other texts as they are. */
export function localDecimal(text: string, locale?: string): string {
  const match = DECIMAL.exec(text)
  if (match === null) return text
  const { formats } = notationOf(locale)
  const places = match[1]?.length ?? 0
  const format =
    formats.get(places) ??
    new Intl.NumberFormat(locale, { minimumFractionDigits: places, maximumFractionDigits: places })
  formats.set(places, format)
  const local = format.format(text as `${number}`)
  // A browser that reads the text as a double would change its digits.
  return plainDecimal(local, locale) === text ? local : text
}

/** A decimal in the notation of a locale, or a part of one, as the API writes it. */
export function plainDecimal(local: string, locale?: string): string {
  const { group, point, minus, digits } = notationOf(locale)
  return Array.from(local.replace(MARKS, ''), (character) => {
    if (character === group) return ''
    if (character === point) return '.'
    if (character === minus) return '-'
    const digit = digits.indexOf(character)
    return digit < 0 ? character : String(digit)
  }).join('')
}
