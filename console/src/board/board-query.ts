// What a leaderboard's page shows: filters, window and instant, as parameters of the API.

import type { ScoresQuery } from '../api.ts'

export type WindowName = 'all' | 'hour' | 'day' | 'week' | 'month'

export interface BoardFilter {
  readonly search: string
  readonly lowest: string
  readonly highest: string
  readonly window: WindowName
  /** On a board with one entry per player: ranks by what each player submitted inside the window. */
  readonly best: boolean
}

export const NO_FILTER: BoardFilter = { search: '', lowest: '', highest: '', window: 'all', best: true }

const HOUR_MS = 3_600_000
const WINDOW_MS: Readonly<Record<WindowName, number | null>> = {
  all: null,
  hour: HOUR_MS,
  day: 24 * HOUR_MS,
  week: 7 * 24 * HOUR_MS,
  month: 30 * 24 * HOUR_MS,
}

const DECIMAL = /^-?(0|[1-9]\d{0,29})(\.\d{1,18})?$/

/** Whether a bound is empty or a decimal. */
export const isBound = (text: string): boolean => text.trim() === '' || DECIMAL.test(text.trim())

/**
 * A live window of submissions begins at a multiple of this part of its length. The server indexes a window that
 * is requested twice, so repeated reads of a large leaderboard have to request the same one.
 */
const STEPS = 60

export interface ShownMoment {
  /** The past instant to show, ISO 8601; null for now. */
  readonly instant: string | null
  readonly nowMs: number
}

/** `isUnique`: whether the leaderboard has one entry per player; on others each submission is an entry. */
export function boardQuery(filter: BoardFilter, isUnique: boolean, { instant, nowMs }: ShownMoment): ScoresQuery {
  const windowMs = WINDOW_MS[filter.window]
  const isBest = filter.best && isUnique
  const since = (lengthMs: number) => {
    if (instant !== null) return Date.parse(instant) - lengthMs
    const stepMs = isBest ? lengthMs / STEPS : 1
    return Math.floor((nowMs - lengthMs) / stepMs) * stepMs
  }
  const bound = (text: string) => (text.trim() !== '' && isBound(text) ? text.trim() : null)
  const [lowest, highest] = [bound(filter.lowest), bound(filter.highest)]
  return {
    ...(filter.search.trim() === '' ? {} : { player_name: filter.search.trim() }),
    ...(lowest === null ? {} : { min_score: lowest }),
    ...(highest === null ? {} : { max_score: highest }),
    ...(windowMs === null ? {} : { since: new Date(since(windowMs)).toISOString() }),
    ...(windowMs !== null && isBest ? { window: 'best' as const } : {}),
    ...(instant === null ? {} : { as_of: instant }),
  }
}

/** Without those that leave out rows of the ranking, so that a row's index is its rank. */
export const ranksOnly = (filter: BoardFilter): BoardFilter => ({
  ...NO_FILTER,
  window: filter.window,
  best: filter.best,
})
