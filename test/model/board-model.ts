// A leaderboard as docs/protocol.md, section 6, describes it, in arrays that are sorted and filtered for every query.
// It shares no code with the server: sums are of BigInts. Ids, which the server chooses, are passed in.

import { canonical, scaled } from './big-decimal.ts'
import { type Params, type Row, scoresAnswer } from './scores-model.ts'

export interface ModelRules {
  readonly ordering: 'desc' | 'asc'
  readonly secondary_ordering: 'desc' | 'asc'
  readonly unique: boolean
  readonly keep: 'best' | 'latest' | 'total'
  readonly min_score: string | null
  readonly max_score: string | null
}

export interface ScoreBody {
  readonly score: string
  readonly secondary_score?: string | null
  readonly player_name?: string | null
  readonly extra_data?: unknown
}

export interface Submission {
  readonly id: string
  readonly player: string
  readonly score: bigint
  readonly secondary: bigint | null
  readonly ownName: string | null
  readonly extra: unknown
  readonly time: string
  /** Its number in the order of arrival, which is that of the log. */
  readonly n: number
}

/** The expected answer of a GET; for a refusal only the code is compared. */
export type ExpectedAnswer =
  | { readonly status: number; readonly body: unknown }
  | { readonly status: number; readonly code: string }

export interface BoardModel {
  readonly submissions: readonly Submission[]
  rows(): Row[]
  /** The refusal, or null if the submission is accepted. */
  refuses(player: string, body: ScoreBody): { readonly status: number; readonly code: string } | null
  /** `id` is the id that the server answered for this submission, if it answered one. */
  submit(player: string, body: ScoreBody, nowMs: number, id: string): ExpectedAnswer
  remove(id: string, nowMs: number): ExpectedAnswer
  /** The tenant’s view of a player, except `created` and `banned.since`. */
  rename(player: string, name: string): ExpectedAnswer
  ban(player: string, reason: string | null): ExpectedAnswer
  unban(player: string): ExpectedAnswer
  forget(player: string): ExpectedAnswer
  scores(params: Params): ExpectedAnswer
  score(id: string): ExpectedAnswer
  leaderboard(): ExpectedAnswer
}

interface ModelSetting {
  readonly id: string
  readonly game: string
  readonly name: string
  readonly rules: ModelRules
  /** When the board was created, in Unix milliseconds: it is empty before. */
  readonly sinceMs: number
  /** Player id -> current name. */
  readonly names: Map<string, string>
}

export function createBoardModel(setting: ModelSetting): BoardModel {
  const { id: board, game, name, rules, sinceMs, names } = setting
  /** Submissions that are not deleted, in the order of arrival. */
  let submissions: Submission[] = []
  let recorded = 0
  const lastTime = new Map<string, string>()

  /** The events of a player on a board never run backwards in time. */
  const timeOf = (player: string, nowMs: number): string => {
    const now = new Date(Math.max(nowMs, sinceMs)).toISOString()
    const last = lastTime.get(player)
    if (last !== undefined && last > now) return last
    lastTime.set(player, now)
    return now
  }
  /** Player -> reason of the ban. */
  const banned = new Map<string, string | null>()
  const everyRow = () => (rules.unique ? entriesOf(rules, submissions) : submissions.map(alone)).sort(byRank(rules))
  const rows = () => everyRow().filter(({ player }) => !banned.has(player))
  const firstOf = (player: string) => rows().find((row) => row.player === player)
  const playerOf = (id: string): ExpectedAnswer => {
    const name = names.get(id)
    if (name === undefined) return { status: 404, code: 'player_not_found' }
    const ban = banned.has(id) ? { until: null, reason: banned.get(id) } : null
    return { status: 200, body: { id, name, guest: false, external_id: null, banned: ban } }
  }
  const shown = (row: Row) => scoreOf(row, names)

  return {
    get submissions() {
      return submissions
    },
    rows,
    refuses(player, { score, secondary_score: secondary = null }) {
      const value = scaled(score)
      const unfit = (code: string) => ({ status: 422, code })
      if (!names.has(player)) return unfit('unknown_player')
      if (banned.has(player)) return { status: 403, code: 'player_banned' }
      if (rules.min_score !== null && value < scaled(rules.min_score)) return unfit('score_below_minimum')
      if (rules.max_score !== null && value > scaled(rules.max_score)) return unfit('score_above_maximum')
      if (rules.keep !== 'total') return null
      for (const added of secondary === null ? [value] : [value, scaled(secondary)]) {
        if (!isBetween(added)) return unfit(added > 0n ? 'score_above_maximum' : 'score_below_minimum')
      }
      return null
    },
    submit(player, body, nowMs, id) {
      const isFirst = !submissions.some((one) => one.player === player)
      const before = firstOf(player)
      submissions = [...submissions, submissionOf(id, player, body, timeOf(player, nowMs), recorded++)]
      const made = isFirst || !rules.unique
      const ranked = rows()
      const best = ranked.findIndex((row) => row.player === player)
      const row = ranked[best] as Row
      const improved = before === undefined || byStrength(rules)(row.from, before.from) < 0
      const answer = { ...shown(row), rank: best + 1, improved, submitted: made ? id : null }
      return { status: made ? 201 : 200, body: answer }
    },
    remove(id, nowMs) {
      const row = everyRow().find((one) => one.id === id)
      if (row === undefined) return { status: 404, code: 'score_not_found' }
      timeOf(row.player, nowMs)
      submissions = submissions.filter((one) => (rules.unique ? one.player !== row.player : one.id !== id))
      return { status: 200, body: { deleted: id } }
    },
    rename(player, name) {
      if (names.has(player)) names.set(player, name)
      return playerOf(player)
    },
    ban(player, reason) {
      if (names.has(player)) banned.set(player, reason)
      return playerOf(player)
    },
    unban(player) {
      banned.delete(player)
      return playerOf(player)
    },
    forget(player) {
      if (!names.delete(player)) return playerOf(player)
      banned.delete(player)
      submissions = submissions.filter((one) => one.player !== player)
      return { status: 200, body: { deleted: player } }
    },
    scores: (params) => scoresAnswer({ board, rules, names, rows, submissions, shown }, params),
    score(id) {
      const row = rows().find((one) => one.id === id)
      return row === undefined ? { status: 404, code: 'score_not_found' } : { status: 200, body: shown(row) }
    },
    leaderboard() {
      const bounds = { min_score: tidy(rules.min_score), max_score: tidy(rules.max_score) }
      const { ordering, secondary_ordering, unique, keep } = rules
      const head = { id: board, name, description: '', game, ordering, secondary_ordering, unique }
      return { status: 200, body: { ...head, ...bounds, entries: rows().length, key: null, seasons: null, keep } }
    },
  }
}

/** A leaderboard of totals adds up scores between minus and plus this. */
const ADDED_BELOW = scaled(`1${'0'.repeat(24)}`)

const isBetween = (value: bigint): boolean => value < ADDED_BELOW && value > -ADDED_BELOW

/** Whether a leaderboard of totals adds up a submission. */
export const isAdded = ({ score, secondary }: Pick<Submission, 'score' | 'secondary'>): boolean =>
  isBetween(score) && (secondary === null || isBetween(secondary))

const tidy = (text: string | null) => (text === null ? null : canonical(scaled(text)))

function submissionOf(id: string, player: string, body: ScoreBody, time: string, n: number): Submission {
  const { secondary_score: secondary = null, player_name: ownName = null, extra_data: extra = null } = body
  const numbers = { score: scaled(body.score), secondary: secondary === null ? null : scaled(secondary) }
  return { id, player, ...numbers, ownName, extra, time, n }
}

const alone = (submission: Submission): Row => {
  return { id: submission.id, player: submission.player, added: submission.time, from: submission }
}

/** What each player's submissions make, under the id of their first one. */
function entriesOf(rules: ModelRules, submissions: readonly Submission[]): Row[] {
  const players = [...new Set(submissions.map(({ player }) => player))]
  return players.map((player) => {
    const own = submissions.filter((one) => one.player === player)
    const first = own[0] as Submission
    return { id: first.id, player, added: first.time, from: shownOf(rules, own) }
  })
}

/**
 * What an entry shows of one or more submissions: the first recorded of those that none beats, the last one, or the
 * last one with the sums of all.
 */
export function shownOf(rules: ModelRules, own: readonly Submission[]): Submission {
  const last = own[own.length - 1] as Submission
  switch (rules.keep) {
    case 'best':
      return own.reduce((best, one) => (byStrength(rules)(one, best) < 0 ? one : best))
    case 'latest':
      return last
    case 'total': {
      const secondaries = own.flatMap(({ secondary }) => (secondary === null ? [] : [secondary]))
      const secondary = secondaries.length === 0 ? null : sum(secondaries)
      return { ...last, score: sum(own.map(({ score }) => score)), secondary }
    }
  }
}

const sum = (values: readonly bigint[]) => values.reduce((total, value) => total + value, 0n)

/** Negative if `a` comes before `b`: by score, then by secondary score, none last. */
function byStrength(rules: ModelRules): (a: Submission, b: Submission) => number {
  const order = (a: bigint, b: bigint, ordering: 'desc' | 'asc') => {
    if (a === b) return 0
    return a < b === (ordering === 'asc') ? -1 : 1
  }
  return (a, b) => {
    const byScore = order(a.score, b.score, rules.ordering)
    if (byScore !== 0) return byScore
    if (a.secondary === null || b.secondary === null) return Number(a.secondary === null) - Number(b.secondary === null)
    return order(a.secondary, b.secondary, rules.secondary_ordering)
  }
}

/** The total order: strength, then the order of the log. */
export function byRank(rules: ModelRules): (a: Row, b: Row) => number {
  const stronger = byStrength(rules)
  return (a, b) => {
    const byForce = stronger(a.from, b.from)
    if (byForce !== 0) return byForce
    return a.from.n - b.from.n
  }
}

function scoreOf({ id, player, added, from }: Row, names: ReadonlyMap<string, string>) {
  return {
    id,
    player,
    player_name: from.ownName ?? names.get(player) ?? null,
    score: canonical(from.score),
    secondary_score: from.secondary === null ? null : canonical(from.secondary),
    added,
    updated: from.time,
    extra_data: from.extra,
  }
}
