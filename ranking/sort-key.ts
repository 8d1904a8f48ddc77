// The sort key of a ranked entry: a string of ASCII (0x21 to 0x7e) whose byte order is rank order, best first. It
// orders by score in the board's ordering, then entries with a secondary score before those without, secondary score,
// and position in the log of the submission that the entry shows. Every submission has its own position, so the time
// and the id behind it decide nothing: they are there for readers that have only sort keys. A score of six digits
// without a secondary score, among the first 16 million events, and an id of 24 characters need 45 bytes.
//
//   sort key = number, marker, [number, marker,] position, time, id    the second pair only if the first marker says so
//   number = head, digits    head: sign and number of digits before the point; digits: without trailing zeros and point
//   position = count [, "!", count]    count = number of digits, digits of six bits without leading zeros
//
// A number that ranks higher the larger it is is encoded negated. A negative number inverts everything: the head, each
// digit (9 - d), and the marker, which sorts below every digit of a positive number and above every digit of a negative
// one.

import type { Decimal } from '../domain/decimal.ts'
import type { Position } from '../domain/event.ts'

export type Ordering = 'asc' | 'desc'

/** What a sort key is made of. `id` is ASCII (0x21 to 0x7e). */
export interface RankedFields {
  readonly score: Decimal
  readonly secondary: Decimal | null
  /** Of the submission that the entry shows. */
  readonly position: Position
  /** Unix milliseconds, 1970 to 9999. */
  readonly timeMs: number
  readonly id: string
}

export interface Orderings {
  readonly ordering: Ordering
  readonly secondaryOrdering: Ordering
}

/** 9999-12-31T23:59:59.999Z. */
const MAX_TIME_MS = 253_402_300_799_999
const MAX_ID_LENGTH = 255
/** Two numbers of 56 characters, the position and the time need less than 170 bytes. */
const scratch = Buffer.alloc(170 + MAX_ID_LENGTH)

const MINUS = 0x2d
const POINT = 0x2e
const ZERO = 0x30
const NINE = 0x39
/** Heads run from 0x2b (negative, 36 digits) through 0x4f (negative, none) and 0x50 (positive, none) to 0x74. */
const HEAD_NEGATIVE = 0x4f
const HEAD_POSITIVE = 0x50
/** Markers after a number: a secondary score follows (this value), or does not (value + 1, which sorts later). */
const MARKER_POSITIVE = 0x21
const MARKER_NEGATIVE = 0x7d
/** The value of each hexadecimal digit in lower case, by its character code; -1 for other characters. */
const HEX = Int8Array.from({ length: 128 }, (_, code) => '0123456789abcdef'.indexOf(String.fromCharCode(code)))
/** Hexadecimal digits of each number in the text of a position. */
const POSITION_DIGITS = 16
/**
 * A position in EventStoreDB has a second number where its prepare is before its commit. It then sorts before the
 * position of the same commit without one, whose next character is the first digit of the time.
 */
const PREPARE_FOLLOWS = 0x21
/** Time: eight digits of six bits each, from 0x30 up. */
const TIME_LENGTH = 8
const SIX_BITS = 0x3f
const HALF_OF_TIME = 2 ** 24
/** The range of an id's characters. */
const FIRST_PRINTABLE = 0x21
const LAST_PRINTABLE = 0x7e

/** Throws RangeError for a position that no log has, and for a time or an id out of range. */
export function encodeSortKey(fields: RankedFields, orderings: Orderings): string {
  const { score, secondary, position, timeMs, id } = fields
  let end = writeNumber(0, score, orderings.ordering, secondary !== null)
  if (secondary !== null) end = writeNumber(end, secondary, orderings.secondaryOrdering, true)
  end = writePosition(end, position)
  end = writeTime(end, timeMs)
  end = writeId(end, id)
  return scratch.toString('latin1', 0, end)
}

/**
 * The sort key of an entry with this id that shows a submission: `time` is ISO 8601, UTC. Throws RangeError as
 * `encodeSortKey`.
 */
export function sortKeyOf(
  { score, secondary, position, time }: Omit<RankedFields, 'timeMs' | 'id'> & { readonly time: string },
  id: string,
  orderings: Orderings,
): string {
  return encodeSortKey({ score, secondary, position, timeMs: Date.parse(time), id }, orderings)
}

/** All but the position. `by` must be the orderings that the sort key was encoded with. */
export function fieldsOfSortKey(sortKey: string, by: Orderings): Omit<RankedFields, 'position'> {
  const { score, secondary, end } = scoresOfSortKey(sortKey, by)
  const time = positionEnd(sortKey, end + 1)
  return { score, secondary, timeMs: timeFrom(sortKey, time), id: sortKey.slice(time + TIME_LENGTH) }
}

/** Only the scores, and the index of the marker after them. */
export function scoresOfSortKey(sortKey: string, { ordering, secondaryOrdering }: Orderings) {
  const marker = markerAt(sortKey, 1)
  const score = numberOf(sortKey, 0, marker, ordering)
  if (!secondaryFollows(sortKey.charCodeAt(marker))) return { score, secondary: null, end: marker }
  const end = markerAt(sortKey, marker + 2)
  return { score, secondary: numberOf(sortKey, marker + 1, end, secondaryOrdering), end }
}

function numberOf(sortKey: string, head: number, end: number, ordering: Ordering): Decimal {
  const code = sortKey.charCodeAt(head)
  const isNegated = code <= HEAD_NEGATIVE
  const integerDigits = isNegated ? HEAD_NEGATIVE - code : code - HEAD_POSITIVE
  let digits = sortKey.slice(head + 1, end)
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

/**
 * A bound between sort keys: all sort keys of scores that rank before `score` are less, and with `isAfter` those of the
 * score itself too; all others are greater. It is not a sort key and cannot be decoded.
 */
export function boundOfScore(score: Decimal, ordering: Ordering, isAfter: boolean): string {
  const end = writeNumber(0, score, ordering, true)
  // The marker after a score is this value or the next. The value after both sorts behind them and before every digit
  // that could follow.
  if (isAfter) scratch[end - 1] = (scratch[end - 1] as number) + 2
  return scratch.toString('latin1', 0, end)
}

/**
 * The prefix of a sort key that encodes score and secondary score: on one leaderboard the lesser prefix has the better
 * scores.
 */
export const scoreOfSortKey = (sortKey: string): string => sortKey.slice(0, positionAt(sortKey))

/** The id at the end of a sort key. It can have any length: the fields before it determine where it begins. */
export function idOfSortKey(sortKey: string): string {
  return sortKey.slice(timeAt(sortKey) + TIME_LENGTH)
}

/** The time of a sort key in Unix milliseconds. */
export function timeOfSortKey(sortKey: string): number {
  return timeFrom(sortKey, timeAt(sortKey))
}

function timeFrom(sortKey: string, at: number): number {
  let time = 0
  for (let next = at; next < at + TIME_LENGTH; next++) time = time * (SIX_BITS + 1) + sortKey.charCodeAt(next) - ZERO
  return time
}

const timeAt = (sortKey: string): number => positionEnd(sortKey, positionAt(sortKey))

function positionAt(sortKey: string): number {
  let at = markerAt(sortKey, 1)
  if (secondaryFollows(sortKey.charCodeAt(at))) at = markerAt(sortKey, at + 2)
  return at + 1
}

function positionEnd(sortKey: string, at: number): number {
  const end = at + 1 + sortKey.charCodeAt(at) - ZERO
  return sortKey.charCodeAt(end) === PREPARE_FOLLOWS ? end + 2 + sortKey.charCodeAt(end + 1) - ZERO : end
}

/** Like `timeOfSortKey` and `idOfSortKey`, for a sort key stored in bytes: its time, given the offset of its id. */
export function timeInBytes(bytes: Uint8Array, idAt: number): number {
  let time = 0
  for (let next = idAt - TIME_LENGTH; next < idAt; next++) time = time * (SIX_BITS + 1) + (bytes[next] as number) - ZERO
  return time
}

export function idInBytes(bytes: Uint8Array, from: number): number {
  let at = from + 1
  while (isDigit(bytes[at] as number)) at++
  if (secondaryFollows(bytes[at] as number)) {
    at += 2
    while (isDigit(bytes[at] as number)) at++
  }
  let end = at + 2 + (bytes[at + 1] as number) - ZERO
  if (bytes[end] === PREPARE_FOLLOWS) end += 2 + (bytes[end + 1] as number) - ZERO
  return end + TIME_LENGTH
}

/** Whether a marker says that a secondary score follows it. */
const secondaryFollows = (marker: number): boolean => marker === MARKER_POSITIVE || marker === MARKER_NEGATIVE

const isDigit = (code: number): boolean => code >= ZERO && code <= NINE

/** The index of the next marker: the first character from `at` on that is not a digit. */
function markerAt(sortKey: string, at: number): number {
  let code = sortKey.charCodeAt(at)
  while (code >= ZERO && code <= NINE) code = sortKey.charCodeAt(++at)
  return at
}

/** Writes a number and its marker at `at`; returns the end index. */
function writeNumber(at: number, value: Decimal, ordering: Ordering, secondaryFollows: boolean): number {
  const start = value.charCodeAt(0) === MINUS ? 1 : 0
  const negative = value !== '0' && (start === 1) === (ordering === 'asc')
  const digits = at + 1
  let next = digits
  let end = digits
  let integerDigits = -1
  // A 0 before the decimal point is not counted as a digit.
  for (let from = value.charCodeAt(start) === ZERO ? start + 1 : start; from < value.length; from++) {
    const code = value.charCodeAt(from)
    if (code === POINT) {
      integerDigits = next - digits
    } else {
      scratch[next++] = negative ? ZERO + NINE - code : code
      if (code !== ZERO) end = next
    }
  }
  if (integerDigits < 0) integerDigits = next - digits
  scratch[at] = negative ? HEAD_NEGATIVE - integerDigits : HEAD_POSITIVE + integerDigits
  scratch[end] = (negative ? MARKER_NEGATIVE : MARKER_POSITIVE) + (secondaryFollows ? 0 : 1)
  return end + 1
}

/** Without the id of a restore, which is the same for all positions of a log. */
function writePosition(at: number, position: Position): number {
  const end = writeCount(at, position, 0)
  if (position.length <= POSITION_DIGITS || (HEX[position.charCodeAt(POSITION_DIGITS)] ?? -1) < 0) return end
  scratch[end] = PREPARE_FOLLOWS
  return writeCount(end + 1, position, POSITION_DIGITS)
}

/** The sixteen hexadecimal digits of a position that begin at `from`. */
function writeCount(at: number, position: Position, from: number): number {
  const first = at + 1
  let next = first
  let bits = 0
  let read = 0
  while (read < POSITION_DIGITS && position.charCodeAt(from + read) === ZERO) read++
  // The first digit makes one of six bits; after it, three digits make two.
  if (read > 0) read -= (read - 1) % 3
  for (; read < POSITION_DIGITS; read++) {
    const value = HEX[position.charCodeAt(from + read)] ?? -1
    if (value < 0) throw new RangeError(`${JSON.stringify(position)} is not a position of a log`)
    bits = (bits << 4) | value
    if (read % 3 !== 0) continue
    if (read > 0 && (next > first || bits >> 6 > 0)) scratch[next++] = ZERO + (bits >> 6)
    if (next > first || (bits & SIX_BITS) > 0) scratch[next++] = ZERO + (bits & SIX_BITS)
    bits = 0
  }
  scratch[at] = ZERO + next - first
  return next
}

function writeTime(at: number, timeMs: number): number {
  if (!Number.isInteger(timeMs) || timeMs < 0 || timeMs > MAX_TIME_MS) {
    throw new RangeError(`a ranked time must be whole milliseconds from 1970 to 9999, not ${timeMs}`)
  }
  const low = timeMs % HALF_OF_TIME
  writeHalf(at, (timeMs - low) / HALF_OF_TIME)
  writeHalf(at + TIME_LENGTH / 2, low)
  return at + TIME_LENGTH
}

/** 24 bits as four digits of six bits. */
function writeHalf(at: number, bits: number): void {
  scratch[at] = ZERO + (bits >> 18)
  scratch[at + 1] = ZERO + ((bits >> 12) & SIX_BITS)
  scratch[at + 2] = ZERO + ((bits >> 6) & SIX_BITS)
  scratch[at + 3] = ZERO + (bits & SIX_BITS)
}

function writeId(at: number, id: string): number {
  if (id.length > MAX_ID_LENGTH) throw new RangeError(`an id of ${id.length} characters cannot be ranked`)
  for (let from = 0; from < id.length; from++) {
    const code = id.charCodeAt(from)
    if (code < FIRST_PRINTABLE || code > LAST_PRINTABLE) throw new RangeError('a ranked id must be printable ASCII')
    scratch[at + from] = code
  }
  return at + id.length
}
