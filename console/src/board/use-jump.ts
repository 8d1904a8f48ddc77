// Jumping to a player: finds their entry by name or id, removes the filters that hide other rows, and scrolls when the
// rows are there.

import { useEffect, useState } from 'preact/hooks'
import type { Api, Leaderboard, RankedScore, ScoresQuery } from '../api.ts'
import { runAction } from '../run-action.ts'
import { texts } from '../texts.ts'
import { toast } from '../toasts.tsx'
import type { ChangeShown } from './board-address.ts'
import { type BoardFilter, boardQuery, ranksOnly } from './board-query.ts'

const ID = /^[a-z2-7]{24}$/
const FOUND_MAX = 20

interface Target {
  readonly index: number
  readonly player: string
}

interface Jump {
  /** The row to scroll to. */
  readonly target: Target | null
  /** Entries to choose from, where several players match. */
  readonly found: readonly RankedScore[]
  readonly search: (text: string) => Promise<unknown>
  readonly choose: (score: RankedScore) => void
}

interface JumpSetting {
  readonly api: Api
  readonly board: Pick<Leaderboard, 'id' | 'unique'>
  readonly filter: BoardFilter
  readonly instant: string | null
  /** Whether the rows under `filter` are shown. */
  readonly isShown: boolean
  readonly onFilter: ChangeShown
}

export function useJump({ api, board, filter, instant, isShown, onFilter }: JumpSetting): Jump {
  const [target, setTarget] = useState<Target | null>(null)
  const [next, setNext] = useState<Target | null>(null)
  const [found, setFound] = useState<readonly RankedScore[]>([])

  useEffect(() => {
    if (next === null || !isShown || !showsRanks(filter)) return
    setTarget(next)
    setNext(null)
  }, [next, isShown, filter])

  const choose = (score: RankedScore) => {
    setFound([])
    onFilter(ranksOnly(filter))
    setNext({ index: score.rank - 1, player: score.player })
  }
  const search = (text: string) =>
    runAction(async () => {
      const query = boardQuery(ranksOnly(filter), board.unique, { instant, nowMs: Date.now() })
      const entries = await entriesOf(api, board.id, text, query)
      if (entries.length === 0) toast(texts.board.nobody(text), 'bad')
      else if (entries.length === 1 && entries[0] !== undefined) choose(entries[0])
      else setFound(entries)
    })
  return { target, found, search, choose }
}

/** Whether the filter leaves out no rows, so that a row's index is its rank. */
const showsRanks = ({ search, min, max }: BoardFilter): boolean => search === '' && min === '' && max === ''

/** Entries whose player matches, best first; one where a name matches exactly. `query`: the window and the instant. */
async function entriesOf(
  api: Pick<Api, 'scores'>,
  board: string,
  text: string,
  query: ScoresQuery,
): Promise<readonly RankedScore[]> {
  if (ID.test(text)) {
    const own = await api.scores(board, { ...query, player: text, limit: 1 })
    if (own.scores.length > 0) return own.scores
  }
  const { scores } = await api.scores(board, { ...query, player_name: text, limit: FOUND_MAX })
  const exact = scores.find(({ player_name: name }) => name?.toLowerCase() === text.toLowerCase())
  return exact === undefined ? scores : [exact]
}
