// Schema fields shared by the routes: request fields (validated and normalised) and response fields (for the OpenAPI
// document and the tests). Every message says what was wrong and how to fix it.

import { z } from 'zod'
import { hasIdForm, isBoardKey, KEY_MAX_CHARACTERS } from '../domain/board-key.ts'
import { decimalFault, parseDecimal } from '../domain/decimal.ts'
import { ID_GRAMMAR, ID_MAX_CHARACTERS } from '../domain/id-text.ts'
import { DAY_MS, dayStartMs, instantMs, LAST_INSTANT_MS } from '../domain/iso-input.ts'
import { composedName, isLongerThan, NAME_MAX_CHARACTERS, nameFault, storedNameFault } from '../domain/name.ts'
import { PERMISSION_GRAMMAR, PERMISSION_MAX_LENGTH, PERMISSIONS_ASKED_MAX } from '../domain/permissions.ts'
import { hasControlOrBidiInLines } from '../domain/text.ts'

const DESCRIPTION_MAX_CHARACTERS = 1_000
/** More UTF-16 code units per character than any composed text needs. */
const UNITS_PER_CHARACTER = 8
const LIMIT_MAX = 100
const LIMIT_DEFAULT = 20
const EXTERNAL_ID_MAX = 255
const OFFSET_MAX = 1_000_000_000

/** A body: these fields and no others. */
export const fields = z.strictObject

/** The seven rules of a folder, each with a value of this schema. */
export const folderRulesOf = <Level extends z.ZodType>(level: Level) =>
  fields({
    list_folders: level,
    list_files: level,
    mkdir: level,
    create: level,
    read: level,
    overwrite: level,
    delete: level,
  })

/** The tenant’s own id of a player. */
export const externalId = z
  .string('must be text')
  .min(1, 'must not be empty: leave it out')
  .max(EXTERNAL_ID_MAX, `must be at most ${EXTERNAL_ID_MAX} characters`)

/** The grammar of a decimal in JSON Schema. */
export const DECIMAL_PATTERN = '^-?(0|[1-9][0-9]{0,29})(\\.[0-9]{1,18})?$'

/**
 * A score or a bound as a decimal string, normalised. JSON numbers are refused, as parsing has already lost digits.
 */
export const decimal = z
  .string({
    error: (issue) =>
      typeof issue.input === 'number'
        ? 'must be a decimal string such as "12.5": a number would lose digits'
        : 'must be a decimal string such as "12.5"',
  })
  .transform((text, context) => {
    const parsed = parseDecimal(text)
    if (parsed !== null) return parsed
    context.addIssue(decimalFault(text))
    return z.NEVER
  })
  .meta({
    description: 'A decimal number as a string, so that no precision is lost.',
    pattern: DECIMAL_PATTERN,
    examples: ['1250.5'],
  })

/**
 * An optional field of a POST body: null means left out, as serializers of engines cannot omit a field. For an
 * Idempotency-Key the two are the same call. Fields whose null has a meaning of its own are `.nullable()` instead, and
 * fields of a PUT body `.optional()`.
 */
export function nullAsLeftOut<Field extends z.ZodType>(field: Field) {
  return field.nullish().transform((value) => value ?? undefined)
}

function nameField(faultOf: (name: string) => string | null) {
  return z.string('must be text').transform((text, context) => {
    const composed = composedName(text)
    const fault = faultOf(composed)
    if (fault === null) return composed
    context.addIssue(fault)
    return z.NEVER
  })
}

/** A name that is set: NFC, 1 to 64 characters (code points) that show something. */
export const name = nameField(nameFault).meta({
  description:
    'Shown to people. Brought to NFC; shows something; no control, bidi, invisible or private use characters, no space at either end.',
  minLength: 1,
  maxLength: NAME_MAX_CHARACTERS,
  examples: ['Ada'],
})

/** A name that is compared with a stored one, which may have been set under earlier rules. */
export const storedName = nameField(storedNameFault).meta({
  description: 'Compared with the stored name, after NFC.',
  minLength: 1,
  maxLength: NAME_MAX_CHARACTERS,
  examples: ['Ada'],
})

/** Longer text shown to people; may be empty and may have line breaks. */
export const description = z
  .string('must be text')
  .transform((text, context) => {
    const composed = text.length > DESCRIPTION_MAX_CHARACTERS * UNITS_PER_CHARACTER ? text : text.normalize('NFC')
    if (isLongerThan(composed, DESCRIPTION_MAX_CHARACTERS))
      context.addIssue('must be at most 1,000 characters: shorten it')
    else if (hasControlOrBidiInLines(composed))
      context.addIssue('must not contain control or bidi characters: remove them')
    else return composed
    return z.NEVER
  })
  .meta({ description: 'Text shown to people, brought to NFC.', maxLength: DESCRIPTION_MAX_CHARACTERS })

/** Syntax of an id made by the server. Existence is not checked here. */
export const idText = z
  .string('must be an id, which is text')
  .min(1, 'must not be empty: give an id')
  .max(ID_MAX_CHARACTERS, `must be an id of at most ${ID_MAX_CHARACTERS} characters`)
  .regex(ID_GRAMMAR, 'must be an id: only letters, digits, _ and -')
  .meta({ description: 'An id made by the server.' })

/** The key of a leaderboard. */
export const boardKey = z
  .string('must be text, or null for none')
  .refine((text) => !hasIdForm(text), {
    message: 'must not have the form of an id, 24 characters of a-z and 2-7: add a hyphen, or make it shorter',
    abort: true,
  })
  .refine(
    isBoardKey,
    'must be 2 to 63 characters of a-z, 0-9 and hyphens that begin with a letter, such as "weekly-best"',
  )
  .meta({ pattern: '^[a-z][a-z0-9-]{1,62}$', maxLength: KEY_MAX_CHARACTERS, examples: ['weekly'] })

/** One permission: parts of `[A-Za-z0-9_-]+` or `*`, joined by `:`. */
export const permissionString = z
  .string('must be a permission, which is text')
  .max(PERMISSION_MAX_LENGTH, `must be a permission of at most ${PERMISSION_MAX_LENGTH} characters`)
  .regex(
    PERMISSION_GRAMMAR,
    'must be a permission: parts of letters, digits, _ and -, or *, joined by a colon, such as lb:*:submit',
  )
  .meta({ description: 'A permission; `*` stands for any one part.', examples: ['lb:*:submit'] })

/** Requested or granted permissions: at most 64, without duplicates. */
export const permissionList = z
  .array(permissionString, 'must be an array of permissions')
  .max(PERMISSIONS_ASKED_MAX, `must be at most ${PERMISSIONS_ASKED_MAX} permissions`)
  .refine((list) => new Set(list).size === list.length, 'must not name a permission twice: remove the repeated one')
  .meta({ uniqueItems: true })

const WHOLE_NUMBER = /^(?:0|[1-9][0-9]{0,15})$/

/** A whole number in a query, within bounds (inclusive): digits only, so `+5`, `05` and `1e3` are refused. */
export function wholeNumber(min: number, max: number, about: string) {
  const message = `must be a whole number from ${min} to ${max}, in plain digits`
  return z
    .string(message)
    .transform((text, context) => {
      const value = WHOLE_NUMBER.test(text) ? Number(text) : Number.NaN
      if (value >= min && value <= max) return value
      context.addIssue(message)
      return z.NEVER
    })
    .meta({ type: 'integer', minimum: min, maximum: max, description: about })
}

const namedSeason = z.enum(['current', 'last']).meta({ id: 'NamedSeason' })

/** Of any length: a number that no season has is not malformed, but unknown. Infinity if it has too many digits. */
const numberedSeason = z
  .string()
  .regex(/^(?:0|[1-9][0-9]*)$/)
  .transform(Number)
  .meta({ type: 'integer', minimum: 1, pattern: undefined })

/** A season: its number, or which one it is now. */
export const wantedSeason = z
  .union([namedSeason, numberedSeason], 'must be the number of a season, current or last')
  .meta({
    description:
      'Ranks only what was submitted in this season: its number, `current`, or `last` (the newest one that has ended). Cannot be ' +
      'combined with since, until, window or as_of.',
  })

export const limit = wholeNumber(1, LIMIT_MAX, `Page size. Default: ${LIMIT_DEFAULT}.`)
  .default(LIMIT_DEFAULT)
  .meta({ default: LIMIT_DEFAULT })
const plainOffset = wholeNumber(0, OFFSET_MAX, 'Number of rows to skip. Default: 0.')
export const offset = plainOffset.default(0).meta({ default: 0 })
/** `offset` for routes that must know whether it was sent: undefined means 0. */
export const givenOffset = plainOffset.optional().meta({ default: 0 })
/** `page`, from 1; replaces `offset` if given. */
export const page = wholeNumber(1, OFFSET_MAX, 'Page number, from 1; replaces `offset`.').optional()

interface Paged {
  readonly limit: number
  readonly offset: number
  readonly page?: number | undefined
}

/** For `.transform` of a list's query: converts `page` to an offset. */
export function pageAsOffset<Query extends Paged>({ page: wanted, ...rest }: Query) {
  return wanted === undefined ? rest : { ...rest, offset: (wanted - 1) * rest.limit }
}

export const paging = fields({ limit, offset, page }).transform(pageAsOffset)

/** Text in a query that must be one of these words. */
export function word<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words, words.length === 1 ? `must be ${words[0]}` : `must be one of ${words.join(', ')}`)
}

/** For `.superRefine`: rejects text in which `faultOf` finds a fault. */
export const withoutFault =
  (faultOf: (text: string) => string | null) =>
  (text: string, context: { addIssue(message: string): void }): void => {
    const fault = faultOf(text)
    if (fault !== null) context.addIssue(fault)
  }

/**
 * For `.superRefine`: rejects a reversed range, at field `low`. `isAfter` compares the parsed values; either field may
 * be missing.
 */
export function inOrder<Low extends string, High extends string, From, To = From>(
  low: Low,
  high: High,
  isAfter: (low: From, high: To) => boolean,
) {
  type Range = { readonly [name in Low]?: From | null | undefined } & {
    readonly [name in High]?: To | null | undefined
  }
  return (
    value: Range,
    context: { addIssue(issue: { code: 'custom'; path: string[]; message: string; input: unknown }): void },
  ): void => {
    const from: From | null | undefined = value[low]
    const to: To | null | undefined = value[high]
    if (from === undefined || from === null || to === undefined || to === null || !isAfter(from, to)) return
    const message = `must not be beyond ${high}: swap the two`
    context.addIssue({ code: 'custom', path: [low], message, input: from })
  }
}

/** Any JSON. Its size is checked by the route. */
export const freeJson = z.unknown().meta({ description: 'Any JSON.' })

// Response fields.

export const isoTime = z.string().meta({
  description: 'ISO 8601, UTC, milliseconds.',
  format: 'date-time',
  examples: ['2026-11-21T07:05:01.123Z'],
})
export const id = z.string().meta({ description: 'Made by the server: URL-safe, never sequential.' })
export const decimalOut = z.string().meta({
  description: 'A decimal number as a string, in canonical form: no trailing zeros, no `-0`.',
  examples: ['1250.5'],
})
export const count = z.int().nonnegative()
export const nextOffset = count.nullable().meta({ description: '`offset` of the next page; null on the last one.' })

/** A page of a list: `{<plural>: […], count, offset, limit, next_offset}`. */
export function listOf<const Plural extends string, Item extends z.ZodType>(plural: Plural, item: Item) {
  const items = { [plural]: z.array(item) } as { [name in Plural]: z.ZodArray<Item> }
  return fields({ ...items, count, offset: count, limit: count, next_offset: nextOffset })
}

// Fields for times, normalised to ISO 8601, UTC, milliseconds, `Z`. Every message says what to send instead.

const NOT_AN_INSTANT =
  'must be an ISO 8601 datetime with its offset, such as 2026-11-21T07:05:01Z (in a query, send the + of an offset as %2B)'
const NOT_A_DAY_OR_INSTANT = `must be a date such as 2026-11-21, or ${NOT_AN_INSTANT.slice('must be '.length)}`

function timeField<Read>(read: (text: string) => Read | null, message: string, description: string) {
  return z
    .string(message)
    .transform((text, context) => {
      const found = read(text)
      if (found !== null) return found
      context.addIssue(message)
      return z.NEVER
    })
    .meta({ description, examples: ['2026-11-21T07:05:01.123Z'] })
}

/** ISO 8601, UTC, milliseconds; null stays. */
const isoOf = (ms: number | null): string | null =>
  ms === null ? null : new Date(Math.min(ms, LAST_INSTANT_MS)).toISOString()

/** A datetime with offset; becomes ISO 8601, UTC, milliseconds, `Z`. */
export const instant = timeField((text) => isoOf(instantMs(text)), NOT_AN_INSTANT, 'ISO 8601 datetime with its offset.')

/** A past instant as ISO 8601, UTC, milliseconds. */
export const pastInstant = timeField(
  (text) => isoOf(instantMs(text)),
  NOT_AN_INSTANT,
  'The state after the last event that is not later. ISO 8601 datetime with its offset, not in the future.',
)

/** The first instant inside: a bare date means the start of that day in UTC. Becomes ISO 8601, UTC, milliseconds. */
export const sinceInstant = timeField(
  (text) => isoOf(dayStartMs(text) ?? instantMs(text)),
  NOT_A_DAY_OR_INSTANT,
  'From this instant on (inclusive). ISO 8601 datetime with its offset, or a date, which means the start of that day in UTC.',
)

/** The end of a window: the first instant outside, as ISO 8601, UTC, milliseconds. A bare date includes that day. */
export interface Until {
  readonly before: string
  readonly wholeDay: boolean
}

/** The first instant outside the window, and whether a whole day was given. */
export const untilInstant = timeField(
  (text): Until | null => {
    const day = dayStartMs(text)
    const before = isoOf(day === null ? instantMs(text) : day + DAY_MS)
    return before === null ? null : { before, wholeDay: day !== null }
  },
  NOT_A_DAY_OR_INSTANT,
  'Up to this instant (exclusive). ISO 8601 datetime with its offset, or a date, which includes that day in UTC.',
)
