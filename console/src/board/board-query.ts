// What a leaderboard's page shows as parameters of the API: filters, window, season and instant.

import type { ScoresQuery } from '../api.ts'
import type { BoardShown } from './board-address.ts'

export type BoardFilter = Pick<BoardShown, 'search' | 'min' | 'max' | 'window' | 'standing' | 'season'>
export type WindowName = BoardShown['window']

export const NO_FILTER = { search: '', min: '', max: '', window: 'all', standing: false, season: '' } as const

export const isFiltered = ({ search, min, max, window }: BoardFilter): boolean =>
  search.trim() !== '' || min !== '' || max !== '' || window !== 'all'

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

interface ShownMoment {
  /** The past instant to show, ISO 8601; null for now. */
  readonly instant: string | null
  readonly nowMs: number
}

/** The number or the word of a season in the address, as the API takes it; null: all time. */
export const seasonOf = (text: string): number | 'current' | 'last' | null =>
  text === 'current' || text === 'last' ? text : /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null

/**
 * `isUnique`: whether the leaderboard has one entry per player; on others each submission is an entry. A season has no
 * windows and no past instants.
 */
export function boardQuery(filter: BoardFilter, isUnique: boolean, { instant, nowMs }: ShownMoment): ScoresQuery {
  const bound = (text: string) => (text.trim() !== '' && isBound(text) ? text.trim() : null)
  const [lowest, highest, season] = [bound(filter.min), bound(filter.max), seasonOf(filter.season)]
  return {
    ...(filter.search.trim() === '' ? {} : { player_name: filter.search.trim() }),
    ...(lowest === null ? {} : { min_score: lowest }),
    ...(highest === null ? {} : { max_score: highest }),
    ...(season === null ? timesOf(filter, isUnique, { instant, nowMs }) : { season }),
  }
}

function timesOf({ window, standing }: BoardFilter, isUnique: boolean, { instant, nowMs }: ShownMoment): ScoresQuery {
  const windowMs = WINDOW_MS[window]
  const isBest = !standing && isUnique
  const since = (lengthMs: number) => {
    if (instant !== null) return Date.parse(instant) - lengthMs
    const stepMs = isBest ? lengthMs / STEPS : 1
    return Math.floor((nowMs - lengthMs) / stepMs) * stepMs
  }
  return {
    ...(windowMs === null ? {} : { since: new Date(since(windowMs)).toISOString() }),
    ...(windowMs !== null && isBest ? { window: 'best' as const } : {}),
    ...(instant === null ? {} : { as_of: instant }),
  }
}

/** Without those that leave out rows of the ranking, so that a row's index is its rank. */
export const ranksOnly = (filter: BoardFilter): BoardFilter => ({ ...filter, search: '', min: '', max: '' })
