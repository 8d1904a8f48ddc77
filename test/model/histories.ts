// Random boards, histories and queries for fast-check: few different scores, so that ties are frequent, and many events
// in one millisecond.

import fc from 'fast-check'
import type { ModelRules, ScoreBody } from './board-model.ts'

const VALUES_MAX = 5
const PLAYERS_MAX = 4
const STEPS_MAX = 24
const LAST_READS = 6

const NAMES = [
  'Ada',
  'ADA',
  'Åda Ångström',
  'åDA',
  'ΟΔΟΣ',
  'ΟΔΟΣΑ',
  'οδος',
  'Straße',
  'STRASSE',
  'İnci ',
  '日本の',
  '100%_*',
  '𝔘nicode',
  'é',
].map((name) => name.trim())
const PARTS = [
  'a',
  'A',
  'da',
  'å',
  'Å',
  'ΟΔΟΣ',
  'σ',
  'ς',
  'ss',
  'SSE',
  'ß',
  'i',
  'İ',
  '本',
  '%',
  '_',
  '*',
  '𝔘',
  'É',
  ' ',
  'zz',
]

/** A time of the history, shifted by some milliseconds and written in one of the accepted forms. */
export interface Bound {
  readonly pick: number
  readonly deltaMs: number
  readonly form: 'utc' | 'offset' | 'day'
}

export interface Question {
  readonly order?: string
  readonly limit?: number
  readonly offset?: number
  readonly page?: number
  readonly window?: 'best'
  readonly player_name?: string
  readonly min_score?: number
  readonly max_score?: number
  readonly since?: Bound
  readonly until?: Bound
  readonly player?: number
  readonly around?: number
}

export type Step = { readonly afterMs: number } & (
  | { readonly do: 'submit'; readonly player: number; readonly score: number; readonly rest: Omit<Rest, 'score'> }
  | { readonly do: 'delete'; readonly pick: number }
  | { readonly do: 'rename'; readonly player: number; readonly name: string }
  | { readonly do: 'ban'; readonly player: number; readonly reason: string | null }
  | { readonly do: 'unban'; readonly player: number }
  | { readonly do: 'forget'; readonly player: number }
  | { readonly do: 'list'; readonly question: Question }
  | { readonly do: 'read'; readonly pick: number }
)

interface Rest extends Omit<ScoreBody, 'secondary_score'> {
  /** Index into `values`; null: sent as null; absent: not sent. */
  readonly secondary?: number | null
}

export interface History {
  /** `keep` only counts where `unique` is true. */
  readonly rules: Omit<ModelRules, 'min_score' | 'max_score'> & {
    readonly min: number | null
    readonly max: number | null
  }
  /** Scores are drawn from these, written in any accepted form. */
  readonly values: readonly string[]
  readonly names: readonly string[]
  readonly steps: readonly Step[]
}

const digits = (maxDigits: number) =>
  fc
    .array(fc.constantFrom(...'0123456789'), { minLength: 1, maxLength: maxDigits, size: 'max' })
    .map((list) => list.join(''))

const randomDecimal = fc.tuple(fc.boolean(), digits(30), fc.option(digits(18))).map(([negative, integer, fraction]) => {
  const tidy = integer.replace(/^0+(?=.)/, '')
  return `${negative ? '-' : ''}${tidy}${fraction === null ? '' : `.${fraction}`}`
})

const NINES = `${'9'.repeat(30)}.${'9'.repeat(18)}`
const ONE_BELOW = `${'9'.repeat(30)}.${'9'.repeat(17)}8`
/** What a leaderboard of totals refuses, and the numbers next to it. */
const TOTALLED_BELOW = `1${'0'.repeat(24)}`
const MOST_TOTALLED = `${'9'.repeat(24)}.${'9'.repeat(18)}`
const TINY = `0.${'0'.repeat(17)}1`
const plainDecimal = fc.constantFrom(
  ...['0', '-0', '0.0', '1', '1.0', '1.000', '2', '9', '10', '10.5', '99', '100', '-1', '-1.5', '-1.50', '-10', '-9'],
  ...[TOTALLED_BELOW, `-${TOTALLED_BELOW}`, MOST_TOTALLED, `-${MOST_TOTALLED}`],
  ...['0.1', '0.10', '0.01', '-0.1', NINES, `-${NINES}`, ONE_BELOW, `-${ONE_BELOW}`, TINY, `-${TINY}`],
)
const decimal = fc.oneof({ weight: 4, arbitrary: plainDecimal }, { weight: 1, arbitrary: randomDecimal })

const value = fc.nat(VALUES_MAX - 1)
const player = fc.nat(PLAYERS_MAX - 1)
const ordering = fc.constantFrom('desc' as const, 'asc' as const)
const extra = fc.constantFrom<unknown>(null, 0, '', false, [], {}, { level: 3, items: ['a', { b: null }] }, 'é𝔘')
const afterMs = fc.constantFrom(0, 0, 0, 0, 0, 1, 1, 999, 3_600_000, 43_200_000, 86_400_000, -1, -5_000)

const bound: fc.Arbitrary<Bound> = fc.record({
  pick: fc.nat(30),
  deltaMs: fc.constantFrom(0, 0, 1, -1),
  form: fc.constantFrom('utc' as const, 'offset' as const, 'day' as const),
})

const narrowing = {
  limit: fc.integer({ min: 1, max: 7 }),
  window: fc.constant('best' as const),
  player_name: fc.constantFrom(...PARTS),
  min_score: value,
  max_score: value,
  since: bound,
  until: bound,
}
const placing = {
  order: fc.constantFrom('best', 'worst', 'newest', 'oldest'),
  offset: fc.nat(7),
  page: fc.integer({ min: 1, max: 4 }),
  player: fc.nat(PLAYERS_MAX),
}
/** Only a window: large boards have an index for those. */
const windowed = { limit: narrowing.limit, window: narrowing.window, since: bound, until: bound }
const { page: _, ...withoutPage } = placing
/** One more than there are players: an unknown player. */
const around = { around: fc.nat(PLAYERS_MAX) }

const question: fc.Arbitrary<Question> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ ...narrowing, ...placing }, { requiredKeys: [] }) },
  { weight: 1, arbitrary: fc.record(placing, { requiredKeys: [] }) },
  { weight: 3, arbitrary: fc.record({ ...narrowing, ...around }, { requiredKeys: ['around'] }) },
  { weight: 1, arbitrary: fc.record({ limit: narrowing.limit, ...around }, { requiredKeys: ['around'] }) },
  { weight: 1, arbitrary: fc.record({ ...narrowing, ...placing, ...around }, { requiredKeys: [] }) },
  { weight: 2, arbitrary: fc.record({ ...windowed, ...withoutPage }, { requiredKeys: ['since'] }) },
  { weight: 2, arbitrary: fc.record({ ...windowed, ...withoutPage }, { requiredKeys: ['until'] }) },
  { weight: 2, arbitrary: fc.record({ ...windowed, ...around }, { requiredKeys: ['around', 'since'] }) },
)

const rest = fc.record(
  {
    secondary: fc.option(value),
    player_name: fc.option(fc.constantFrom(...NAMES)),
    extra_data: extra,
  },
  { requiredKeys: [] },
)

const list = fc.record({ do: fc.constant('list' as const), afterMs: fc.constant(0), question })
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 45, arbitrary: fc.record({ do: fc.constant('submit' as const), afterMs, player, score: value, rest }) },
  { weight: 10, arbitrary: fc.record({ do: fc.constant('delete' as const), afterMs, pick: fc.nat(30) }) },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('rename' as const), afterMs, player, name: fc.constantFrom(...NAMES) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('ban' as const), afterMs, player, reason: fc.constantFrom(null, 'unfair') }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('unban' as const), afterMs, player }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('forget' as const), afterMs, player }) },
  { weight: 15, arbitrary: list },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('read' as const), afterMs: fc.constant(0), pick: fc.nat(30) }) },
)

export const history: fc.Arbitrary<History> = fc
  .record({
    rules: fc.record({
      ordering,
      secondary_ordering: ordering,
      unique: fc.boolean(),
      keep: fc.constantFrom('best' as const, 'latest' as const, 'total' as const),
      min: fc.option(value, { freq: 3 }),
      max: fc.option(value, { freq: 3 }),
    }),
    values: fc.array(decimal, { minLength: VALUES_MAX, maxLength: VALUES_MAX }),
    names: fc.array(fc.constantFrom(...NAMES), { minLength: PLAYERS_MAX, maxLength: PLAYERS_MAX }),
    steps: fc.array(step, { maxLength: STEPS_MAX, size: 'max' }),
    reads: fc.array(list, { minLength: LAST_READS, maxLength: LAST_READS }),
  })
  .map(({ reads, ...rest }) => ({ ...rest, steps: [...rest.steps, ...reads] }))
