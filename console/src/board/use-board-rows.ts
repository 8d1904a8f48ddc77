// The rows of a leaderboard under a query. Rows of the query before stay until the first page of the new one is read.

import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { Api, RankedScore, ScoresQuery } from '../api.ts'
import { localDecimal } from '../decimals.ts'
import { repeat } from '../repeat.ts'
import { PAGE_ROWS, RowSource } from '../row-source.ts'
import { endsSession } from '../session.ts'
import type { Digits } from './row-layout.ts'

export interface BoardRows {
  readonly source: RowSource<RankedScore>
  /** The key of the query whose rows are shown; null before the first. */
  readonly shownKey: string | null
  /** Whether the shown rows belong to the query before. */
  readonly isBusy: boolean
  readonly error: unknown
  /** Of all rows that were read under the shown query. */
  readonly digits: Digits
  readonly show: (first: number, last: number) => void
  readonly refresh: () => Promise<void>
}

interface RowsQuery {
  readonly board: string
  /** Changes whenever another query begins. */
  readonly key: string
  /** The parameters, made for each read. */
  readonly make: () => ScoresQuery
  /** Milliseconds between reads of what is visible; null to read once. */
  readonly everyMs: number | null
}

/** Reads of the table of a live leaderboard may take a sixth of the time: more than reads of other data. */
const PAUSE_FACTOR = 5

interface Current {
  readonly key: string
  readonly source: RowSource<RankedScore>
  digits: Digits
}

const NO_DIGITS: Digits = { score: 0, secondary: 0, finalRank: 0 }

const shownLength = (number: string | number | null | undefined): number =>
  number == null ? 0 : localDecimal(String(number)).length

/** The longest numbers so far, and of more rows. */
const longest = (digits: Digits, rows: readonly RankedScore[]): Digits => ({
  score: Math.max(digits.score, ...rows.map(({ score }) => shownLength(score))),
  secondary: Math.max(digits.secondary, ...rows.map(({ secondary_score: own }) => shownLength(own))),
  finalRank: Math.max(digits.finalRank, ...rows.map(({ final_rank: own }) => shownLength(own))),
})

export function useBoardRows(api: Api, { board, key, make, everyMs }: RowsQuery): BoardRows {
  const [, redraw] = useState(0)
  const shown = useRef<Current | null>(null)
  const next = useRef<Current | null>(null)
  const latest = useRef(make)
  latest.current = make

  useEffect(() => {
    const changed = () => {
      if (next.current?.source.count != null) {
        shown.current?.source.end()
        shown.current = next.current
        next.current = null
      }
      const failure = (next.current ?? shown.current)?.source.error
      if (failure != null && endsSession(failure)) return
      redraw((times) => times + 1)
    }
    const own = latest.current
    const read = async (offset: number) => {
      const page = await api.scores(board, { ...own(), limit: PAGE_ROWS, offset })
      current.digits = longest(current.digits, page.scores)
      return { rows: page.scores, count: page.count }
    }
    const source = new RowSource<RankedScore>(read, changed)
    const current: Current = { key, source, digits: NO_DIGITS }
    next.current?.source.end()
    next.current = current
    source.show(0, 0)
    redraw((times) => times + 1)
  }, [api, board, key])

  const refresh = useCallback(async () => {
    await (next.current ?? shown.current)?.source.refresh()
  }, [])

  useEffect(() => {
    if (everyMs !== null) return repeat(refresh, { everyMs, pauseFactor: PAUSE_FACTOR })
  }, [refresh, everyMs])
  useEffect(
    () => () => {
      shown.current?.source.end()
      next.current?.source.end()
    },
    [],
  )

  const show = useCallback((first: number, last: number) => shown.current?.source.show(first, last), [])
  const current = shown.current ?? next.current
  return {
    source: current?.source ?? EMPTY,
    shownKey: shown.current?.key ?? null,
    isBusy: next.current !== null,
    digits: current?.digits ?? NO_DIGITS,
    error: (next.current ?? shown.current)?.source.error ?? null,
    show,
    refresh,
  }
}

const EMPTY = new RowSource<RankedScore>(
  async () => ({ rows: [], count: 0 }),
  () => {},
)
