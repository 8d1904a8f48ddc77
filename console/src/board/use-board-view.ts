// What is shown of a leaderboard, by the address: the moment or the season, the filters, and their rows.

import { useEffect, useMemo } from 'preact/hooks'
import type { Api, Leaderboard, Season } from '../api.ts'
import { program, type ShownCall } from '../snippets.ts'
import { useInvalidated } from '../tags.ts'
import { useAddress } from '../use-address.ts'
import { useLoad } from '../use-load.ts'
import { useSettled } from '../use-settled.ts'
import { BOARD } from './board-address.ts'
import { type BoardFilter, boardQuery, seasonOf } from './board-query.ts'
import { useMarks } from './moment-marks.ts'
import { useBoardRows } from './use-board-rows.ts'
import { useJump } from './use-jump.ts'
import { useMoment, useNextMoment } from './use-moment.ts'
import type { AppliedRules } from './use-rules.ts'

export interface BoardSectionProps {
  readonly api: Api
  readonly game: string | null
  readonly board: Leaderboard
  /** When the leaderboard was created, ISO 8601; null while unknown. */
  readonly created: string | null
  /** The rules at creation and after each change, oldest first. */
  readonly applied: readonly AppliedRules[]
  /** Changes when the rows have to be read again. */
  readonly revision: string
  readonly onCall: (call: ShownCall) => void
}

const LIVE_MS = 1_500
const SEARCH_MS = 5_000
/** Boards of more entries do not play: each past instant is computed from the whole history. */
export const PLAYABLE = 50_000
const TYPING_MS = 250
const SEASONS_MS = 10_000
const SEASONS_MAX = 100

export type BoardView = ReturnType<typeof useBoardView>

/** Reads it again as the address changes, and the live rows every few seconds. */
export function useBoardView({ api, game, board, created, applied, revision, onCall }: BoardSectionProps) {
  const [shown, setShown] = useAddress(BOARD)
  const { search, min, max, window, standing, season } = shown
  const filter = useMemo(
    () => ({ search, min, max, window, standing, season }),
    [search, min, max, window, standing, season],
  )
  const settled = useSettled(filter, TYPING_MS)
  const isSeason = seasonOf(season) !== null
  const moment = useMoment({ created, at: isSeason ? null : shown.at, onMove: (at) => setShown({ at }) })
  const { instant } = moment
  const isPast = instant !== null
  const seasons = useSeasons(api, board)
  const withPlayers = created !== null && board.entries <= PLAYABLE
  const marks = useMarks({ api, game, board: board.id, applied, seasons, withPlayers })
  const key = JSON.stringify([settled, instant, revision, board.unique])
  const query = () => boardQuery(settled, board.unique, { instant, nowMs: Date.now() })
  const everyMs = isPast ? null : settled.search === '' ? LIVE_MS : SEARCH_MS
  const rows = useBoardRows(api, { board: board.id, key, make: query, everyMs })
  useInvalidated([`board:${board.id}`, 'player'], () => void rows.refresh())
  useNextMoment(moment, rows.isBusy)
  const isShown = rows.shownKey === key && !rows.isBusy && moment.wanted === instant
  const isSettled = isShown && settled === filter
  const jump = useJump({ api, board, filter, instant, isShown: isSettled, onFilter: setShown })
  useShownCall(board, settled, instant, onCall)
  const isComparing = shown.compare !== '' && !isSeason
  return {
    filter,
    settled,
    isSeason,
    moment,
    isPast,
    seasons,
    marks,
    key,
    query,
    rows,
    isShown,
    isSettled,
    jump,
    isComparing,
  }
}

export const openSeason = (seasons: readonly Season[]): Season | undefined =>
  seasons.find(({ state }) => state === 'open')

/** The open season is first. */
function useSeasons(api: Api, { id, seasons }: Leaderboard): readonly Season[] {
  const list = useLoad(`seasons ${id}`, () => api.seasons(id, { limit: SEASONS_MAX }), {
    keeps: true,
    tags: [`board:${id}`],
    ...(seasons === null ? {} : { everyMs: SEASONS_MS }),
  })
  return list.value?.seasons ?? NO_SEASONS
}

const NO_SEASONS: readonly Season[] = []

/** The read that the table shows, for the buttons that copy it. */
function useShownCall(
  { id: board, unique }: Leaderboard,
  filter: BoardFilter,
  instant: string | null,
  onCall: (call: ShownCall) => void,
): void {
  useEffect(() => {
    const query = { ...boardQuery(filter, unique, { instant, nowMs: Date.now() }), limit: 100 }
    const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
    onCall({
      method: 'GET',
      path: `/api/lb/${board}/score/?${search}`,
      typescript: program('scores', [board, query]),
    })
  }, [board, unique, filter, instant, onCall])
}
