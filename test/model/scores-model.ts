// The oracle’s GET scores: every parameter of it, one after another, on plain arrays.

import { scaled } from './big-decimal.ts'
import { byRank, type ExpectedAnswer, type ModelRules, type Submission, shownOf } from './board-model.ts'

/**
 * An entry: `from` is the submission it shows, of a total with the sums in place of its values; `id` and `added` may be
 * those of an earlier one.
 */
export interface Row {
  readonly id: string
  readonly player: string
  readonly added: string
  readonly from: Submission
}

/** The query as it is sent. */
export type Params = Readonly<Record<string, string>>

interface Setting {
  readonly board: string
  readonly rules: ModelRules
  readonly names: ReadonlyMap<string, string>
  readonly submissions: readonly Submission[]
  rows(): Row[]
  shown(row: Row): object
}

type RankedRow = Row & { readonly rank: number }

export function scoresAnswer(setting: Setting, params: Params): ExpectedAnswer {
  const window = { since: firstInside(params.since), until: firstOutside(params.until) }
  if (isReversed(params, window)) return { status: 400, code: 'malformed' }
  if (conflicting(params)) return { status: 400, code: 'conflicting_parameters' }

  const scoped = inWindow(setting, params, window).sort(byRank(setting.rules))
  const ranked = scoped.map((row, i): RankedRow => ({ ...row, rank: i + 1 }))
  const matching = ranked.filter((row) => matches(setting, params, row))
  const limit = Number(params.limit ?? 20)
  if (params.around !== undefined) return around(setting, { player: params.around, limit }, ranked, matching)

  const offset = params.page === undefined ? Number(params.offset ?? 0) : (Number(params.page) - 1) * limit
  const ordered = inOrder(matching, params.order ?? 'best')
  return { status: 200, body: pageOf(setting, ordered, offset, limit) }
}

function pageOf(setting: Setting, ordered: readonly RankedRow[], offset: number, limit: number) {
  return {
    leaderboard: setting.board,
    count: ordered.length,
    offset,
    limit,
    next_offset: offset + limit < ordered.length ? offset + limit : null,
    scores: ordered.slice(offset, offset + limit).map((row) => ({ ...setting.shown(row), rank: row.rank })),
  }
}

function around(
  setting: Setting,
  { player, limit }: { player: string; limit: number },
  ranked: readonly RankedRow[],
  matching: readonly RankedRow[],
): ExpectedAnswer {
  const best = ranked.find((row) => row.player === player)
  if (best === undefined) {
    const none = { next_offset: null, scores: [], player_rank: null, player_score: null }
    return { status: 200, body: { ...pageOf(setting, matching, 0, limit), ...none } }
  }
  const before = matching.filter((row) => row.rank < best.rank).length
  const lastStart = Math.max(0, matching.length - limit)
  const offset = Math.min(lastStart, Math.max(0, before - Math.floor(limit / 2)))
  const page = pageOf(setting, matching, offset, limit)
  return { status: 200, body: { ...page, player_rank: best.rank, player_score: best.id } }
}

interface Window {
  readonly since: string | null
  readonly until: string | null
}

const DAY = /^\d{4}-\d\d-\d\d$/

/** A date is the start of that day. */
function firstInside(text: string | undefined): string | null {
  return text === undefined ? null : new Date(DAY.test(text) ? `${text}T00:00:00Z` : text).toISOString()
}

/** A date includes that day. */
function firstOutside(text: string | undefined): string | null {
  if (text === undefined) return null
  if (!DAY.test(text)) return new Date(text).toISOString()
  const [year, month, day] = text.split('-').map(Number) as [number, number, number]
  return new Date(Date.UTC(year, month - 1, day + 1)).toISOString()
}

function isReversed(params: Params, { since, until }: Window): boolean {
  const { min_score: min, max_score: max } = params
  if (since !== null && until !== null && since > until) return true
  // A day that ends where the window begins is before it.
  if (since !== null && since === until && DAY.test(params.until ?? '')) return true
  return min !== undefined && max !== undefined && scaled(min) > scaled(max)
}

function conflicting({ around, page, offset, player, order = 'best' }: Params): boolean {
  if (around === undefined) return false
  return page !== undefined || offset !== undefined || player !== undefined || order !== 'best'
}

/** Entries set inside the window, or with `window=best` what each player’s submissions inside it make. */
function inWindow({ rules, rows, submissions }: Setting, params: Params, { since, until }: Window): Row[] {
  const inside = ({ time }: Submission) => (since === null || time >= since) && (until === null || time < until)
  if (params.window !== 'best' || !rules.unique) return rows().filter(({ from }) => inside(from))
  return rows().flatMap((row) => {
    const own = submissions.filter((one) => one.player === row.player && inside(one))
    return own.length === 0 ? [] : [{ ...row, from: shownOf(rules, own) }]
  })
}

function matches({ names }: Setting, params: Params, { player, from }: Row): boolean {
  const { player: only, player_name: part, min_score: min, max_score: max } = params
  const name = from.ownName ?? names.get(player) ?? ''
  return (
    (only === undefined || player === only) &&
    (part === undefined || caseless(name).includes(caseless(part))) &&
    (min === undefined || from.score >= scaled(min)) &&
    (max === undefined || from.score <= scaled(max))
  )
}

/** Character by character, so that a match does not depend on the surrounding text. */
function caseless(text: string): string {
  return [...text.normalize('NFC')].map((one) => one.toLowerCase().toUpperCase()).join('')
}

/** `best` is already in that order. */
function inOrder(best: readonly RankedRow[], order: string): RankedRow[] {
  if (order === 'worst') return [...best].reverse()
  if (order === 'best') return [...best]
  const sign = order === 'newest' ? -1 : 1
  return [...best].sort((a, b) => {
    if (a.from.time === b.from.time) return a.rank - b.rank
    return a.from.time < b.from.time ? -sign : sign
  })
}
