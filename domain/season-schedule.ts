// The schedule of a leaderboard's seasons: at which instants one season ends and the next begins. Croner enumerates the
// local times of the expression; which instant each is follows from the clock changes of the zone (time-zone.ts).

import { Cron } from 'croner'
import { Refusal } from './decider.ts'
import { firstInstantOf, isTimeZone, localTimeAt } from './time-zone.ts'

export interface SeasonSchedule {
  /** As it was sent: five fields, or one of `NAMED`. */
  readonly cron: string
  /** An IANA name. */
  readonly timeZone: string
}

const NAMED: ReadonlyMap<string, string> = new Map([
  ['daily', '0 0 * * *'],
  ['weekly', '0 0 * * 1'],
  ['monthly', '0 0 1 * *'],
])

/** Each value of each field once, in two digits, with commas: 467 characters. */
export const MAX_CRON_LENGTH = 500

interface Field {
  readonly name: string
  /** Follows a refusal of its text: other dialects of cron have names for its values. */
  readonly hint?: string
  readonly min: number
  readonly max: number
  readonly maxStep: number
}

const MINUTE: Field = { name: 'minute', min: 0, max: 59, maxStep: 60 }
const FIELDS: readonly Field[] = [
  MINUTE,
  { name: 'hour', min: 0, max: 23, maxStep: 24 },
  { name: 'day of month', min: 1, max: 31, maxStep: 31 },
  { name: 'month', hint: 'Names such as JAN are not accepted; January is 1', min: 1, max: 12, maxStep: 12 },
  // 0 and 7 are Sunday.
  { name: 'day of week', hint: 'Names such as MON are not accepted; Monday is 1', min: 0, max: 7, maxStep: 7 },
]

export const sameSchedule = (a: SeasonSchedule | null, b: SeasonSchedule | null): boolean =>
  a?.cron === b?.cron && a?.timeZone === b?.timeZone

/** What is wrong with an expression, also one that never fires; null if nothing is. */
export function cronFault(cron: string): string | null {
  if (cron.length > MAX_CRON_LENGTH) return `is longer than ${MAX_CRON_LENGTH} characters`
  const texts = fieldsOf(cron)
  if (texts.length !== FIELDS.length || texts.includes('')) {
    const parts = 'minute, hour, day of month, month and day of week'
    return `must have five fields, ${parts}, or be daily, weekly or monthly`
  }
  // Croner accepts more than callers may send, so each field is checked here.
  for (const [index, field] of FIELDS.entries()) {
    for (const item of itemsOf(texts[index])) {
      const fault = itemFault(field, item)
      if (fault !== null) return fault
    }
  }
  return localFirings(cron).nextRun(new Date(0)) === null ? 'never fires: no month that it names has such a day' : null
}

/** What is wrong with the name of a time zone; null if nothing is. */
export const timeZoneFault = (name: string): string | null =>
  isTimeZone(name) ? null : 'is not an IANA time zone name: send one such as Europe/Berlin. Case matters'

/**
 * Throws 400 `malformed` with the fault that `cronFault` or `timeZoneFault` finds; 422 `season_too_short` if two
 * firings are less than an hour apart, by clocks that never change.
 */
export function checkSchedule({ cron, timeZone }: SeasonSchedule): void {
  refuseFault('cron', cronFault(cron))
  refuseFault('time_zone', timeZoneFault(timeZone))
  // With one minute an hour, firings are whole hours apart.
  if (minutesOf(cron).size > 1) {
    const detail = 'fires twice within an hour: give a single minute, such as `0 * * * *`'
    const errors = [{ pointer: '/seasons/cron', detail }]
    throw new Refusal('unprocessable', 'season_too_short', `seasons.cron ${detail}.`, { errors })
  }
}

/** Ascending Unix milliseconds of all boundaries after an instant. `schedule` has passed `checkSchedule`. */
export function* boundariesAfter({ cron, timeZone }: SeasonSchedule, instant: number): Generator<number, never> {
  const firings = localFirings(cron)
  let last = instant
  let local = localTimeAt(instant, timeZone)
  for (;;) {
    const firing = firings.nextRun(new Date(local))
    if (firing === null) throw new Error(`the expression does not fire after ${new Date(local).toISOString()}`)
    local = firing.getTime()
    const boundary = firstInstantOf(local, timeZone)
    // Local times that were repeated are before it, and several that one change skips are one.
    if (boundary > last) yield boundary
    last = Math.max(last, boundary)
  }
}

export const nextBoundary = (schedule: SeasonSchedule, instant: number): number =>
  boundariesAfter(schedule, instant).next().value

/** The local times of an expression, as if they were times in UTC. */
const localFirings = (cron: string): Cron => new Cron(NAMED.get(cron) ?? cron, { mode: '5-part', utcOffset: 0 })

const fieldsOf = (cron: string): readonly string[] => (NAMED.get(cron) ?? cron).split(/ +/)
const itemsOf = (text = ''): readonly string[] => text.split(',')

const ITEM = /^(?:\*|(\d{1,2})(?:-(\d{1,2}))?)(?:\/(\d{1,2}))?$/

function itemFault(field: Field, item: string): string | null {
  const { name, hint, min, max, maxStep } = field
  const match = ITEM.exec(item)
  if (match === null) {
    const allowed = 'a number, a range such as 1-5, * or a step such as */2 or 1-5/2'
    return `has ${JSON.stringify(item)} as ${name}, which is not ${allowed}${hint === undefined ? '' : `. ${hint}`}`
  }
  const [, first, second, stepText] = match
  if (stepText !== undefined && first !== undefined && second === undefined) {
    return `has a step after a single number as ${name} (${item}): send a range, such as ${first}-${max}`
  }
  const { from, to, step } = rangeOf(field, match)
  if (from < min || to > max) return `has ${item} as ${name}, which must be between ${min} and ${max}`
  if (from > to) return `has ${item} as ${name}, a range that ends before it begins`
  if (step < 1 || step > maxStep) return `has ${item} as ${name}, whose step must be between 1 and ${maxStep}`
  return null
}

/** `match`: of `ITEM`. */
function rangeOf({ min, max }: Field, [, first, second, step]: readonly (string | undefined)[]) {
  const from = first === undefined ? min : Number(first)
  const to = first === undefined ? max : Number(second ?? first)
  return { from, to, step: Number(step ?? 1) }
}

/** The minutes of an expression without fault. */
function minutesOf(cron: string): ReadonlySet<number> {
  const minutes = new Set<number>()
  for (const item of itemsOf(fieldsOf(cron)[0])) {
    const { from, to, step } = rangeOf(MINUTE, ITEM.exec(item) ?? [])
    for (let minute = from; minute <= to; minute += step) minutes.add(minute)
  }
  return minutes
}

function refuseFault(field: 'cron' | 'time_zone', fault: string | null): void {
  if (fault === null) return
  const errors = [{ pointer: `/seasons/${field}`, detail: fault }]
  throw new Refusal('malformed', 'malformed', `seasons.${field} ${fault}.`, { errors })
}
