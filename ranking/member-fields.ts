// Decodes a member (sort key) into the fields that it was encoded from (ranking/member.ts), exactly.

import type { Decimal } from '../domain/decimal.ts'
import type { RankedFields } from './member.ts'

const ZERO = 0x30
const NINE = 0x39
const HEAD_NEGATIVE = 0x5f
const HEAD_POSITIVE = 0x60
/** Markers that precede a secondary score. */
const SECONDARY_FOLLOWS: ReadonlySet<number> = new Set([0x21, 0x7d])
const TIME_LENGTH = 8

type Directions = { readonly ordering: 'asc' | 'desc'; readonly secondaryOrdering: 'asc' | 'desc' }

/** `by` must be the orderings that the member was encoded with. */
export function fieldsOfMember(member: string, by: Directions): RankedFields {
  const { score, secondary, end } = scoresOfMember(member, by)
  return { score, secondary, timeMs: timeAt(member, end + 1), id: member.slice(end + 1 + TIME_LENGTH) }
}

/** Only the scores, and the index of the marker after them. */
export function scoresOfMember(member: string, { ordering, secondaryOrdering }: Directions) {
  const marker = markerAt(member, 1)
  const score = numberOf(member, 0, marker, ordering)
  if (!SECONDARY_FOLLOWS.has(member.charCodeAt(marker))) return { score, secondary: null, end: marker }
  const end = markerAt(member, marker + 2)
  return { score, secondary: numberOf(member, marker + 1, end, secondaryOrdering), end }
}

function markerAt(member: string, from: number): number {
  let at = from
  for (let code = member.charCodeAt(at); code >= ZERO && code <= NINE; ) code = member.charCodeAt(++at)
  return at
}

function numberOf(member: string, head: number, end: number, ordering: 'asc' | 'desc'): Decimal {
  const code = member.charCodeAt(head)
  const isNegated = code <= HEAD_NEGATIVE
  const integerDigits = isNegated ? HEAD_NEGATIVE - code : code - HEAD_POSITIVE
  let digits = member.slice(head + 1, end)
  if (isNegated) digits = complemented(digits)
  const before = integerDigits === 0 ? '0' : digits.slice(0, integerDigits).padEnd(integerDigits, '0')
  const after = digits.slice(integerDigits)
  const size = after === '' ? before : `${before}.${after}`
  // A number that ranks higher the larger it is was encoded negated; zero has no sign.
  const isNegative = isNegated === (ordering === 'asc') && size !== '0'
  return (isNegative ? `-${size}` : size) as Decimal
}

/** The nines' complement of each digit. */
function complemented(digits: string): string {
  let made = ''
  for (let at = 0; at < digits.length; at++) made += String.fromCharCode(ZERO + NINE - digits.charCodeAt(at))
  return made
}

function timeAt(member: string, at: number): number {
  let ms = 0
  for (let next = at; next < at + TIME_LENGTH; next++) ms = ms * 64 + member.charCodeAt(next) - ZERO
  return ms
}
