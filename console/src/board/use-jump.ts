// Jumping to a player: finds their entry, removes the filters that hide other rows, and scrolls when the rows are
// there.

import { useEffect, useState } from 'preact/hooks'
import type { Api, RankedScore } from '../api.ts'
import { runAction } from '../run-action.ts'
import { texts } from '../texts.ts'
import { toast } from '../toasts.ts'
import { type BoardFilter, boardQuery, ranksOnly } from './board-query.ts'
import { entriesOf } from './jump.ts'

export interface Target {
  readonly index: number
  readonly player: string
}

export interface Jump {
  /** The row to scroll to. */
  readonly target: Target | null
  /** Entries to choose from, where several players match. */
  readonly found: readonly RankedScore[]
  readonly search: (text: string) => Promise<unknown>
  readonly choose: (score: RankedScore) => void
}

interface JumpSetting {
  readonly api: Api
  readonly board: string
  readonly filter: BoardFilter
  readonly instant: string | null
  /** Whether the rows under `filter` are shown. */
  readonly isShown: boolean
  readonly onFilter: (filter: BoardFilter) => void
}

export function useJump({ api, board, filter, instant, isShown, onFilter }: JumpSetting): Jump {
  const [target, setTarget] = useState<Target | null>(null)
  const [next, setNext] = useState<{ readonly to: Target; readonly under: BoardFilter } | null>(null)
  const [found, setFound] = useState<readonly RankedScore[]>([])

  useEffect(() => {
    if (next === null || !isShown || next.under !== filter) return
    setTarget(next.to)
    setNext(null)
  }, [next, isShown, filter])

  const choose = (score: RankedScore) => {
    const under = ranksOnly(filter)
    setFound([])
    onFilter(under)
    setNext({ to: { index: score.rank - 1, player: score.player }, under })
  }
  const search = (text: string) =>
    runAction(async () => {
      const entries = await entriesOf(api, board, text, boardQuery(ranksOnly(filter), instant, Date.now()))
      if (entries.length === 0) toast(texts.board.nobody(text), 'bad')
      else if (entries.length === 1 && entries[0] !== undefined) choose(entries[0])
      else setFound(entries)
    })
  return { target, found, search, choose }
}
