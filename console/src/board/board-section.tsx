import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Api, Leaderboard, RankedScore } from '../api.ts'
import { Name } from '../components/name.tsx'
import { NoPermission } from '../components/states.tsx'
import { whole } from '../format.ts'
import { runAction } from '../run-action.ts'
import { may } from '../session.ts'
import { program, type ShownCall } from '../snippets.ts'
import { texts } from '../texts.ts'
import { toast } from '../toasts.ts'
import { BoardDialogs, type OpenDialog } from './board-dialogs.tsx'
import { type BoardFilter, boardQuery, NO_FILTER, ranksOnly } from './board-query.ts'
import { BoardTable, type RowActions } from './board-table.tsx'
import { ExportButton } from './export-button.tsx'
import { FilterBar } from './filter-bar.tsx'
import { entriesOf } from './jump.ts'
import { MomentBar } from './moment-bar.tsx'
import { instantAt, POSITIONS } from './moments.ts'
import { useBoardRows } from './use-board-rows.ts'

interface BoardSectionProps {
  readonly api: Api
  readonly game: string | null
  readonly board: Leaderboard
  readonly created: string | null
  /** Changes when the rows have to be read again. */
  readonly revision: string
  readonly onCall: (call: ShownCall) => void
}

const LIVE_MS = 1_500
const SEARCH_MS = 5_000
/** Boards of more entries do not play: each past instant is computed from the whole history. */
const PLAYABLE = 50_000
const TYPING_MS = 250

/** The table of a leaderboard, with its filters and its moments. */
export function BoardSection({ api, game, board, created, revision, onCall }: BoardSectionProps) {
  const [filter, setFilter] = useState<BoardFilter>(NO_FILTER)
  const settled = useSettled(filter, TYPING_MS)
  const [span, setSpan] = useState({ from: 0, to: 0 })
  const [wanted, setWanted] = useState(POSITIONS)
  const [position, setPosition] = useState(POSITIONS)
  const [target, setTarget] = useState<{ index: number; player: string } | null>(null)
  const [jumping, setJumping] = useState<{ index: number; player: string } | null>(null)
  const [found, setFound] = useState<readonly RankedScore[]>([])
  const [dialog, setDialog] = useState<OpenDialog | null>(null)

  const moment = instantAt(span, position)
  const key = JSON.stringify([settled, moment, revision])
  const make = () => boardQuery(settled, moment, Date.now())
  const everyMs = moment !== null ? null : settled.search === '' ? LIVE_MS : SEARCH_MS
  const rows = useBoardRows(api, { board: board.id, key, make, everyMs })
  const isShown = rows.shownKey === key && !rows.isBusy && wanted === position

  // One instant is read at a time; the last one wanted is next.
  useEffect(() => {
    if (!rows.isBusy && wanted !== position) setPosition(wanted)
  }, [rows.isBusy, wanted, position])

  // The rows of the ranking without filters have to be there before the table can scroll to one.
  useEffect(() => {
    if (jumping === null || !isShown || settled !== filter) return
    setTarget(jumping)
    setJumping(null)
  }, [jumping, isShown, settled, filter])

  const move = useCallback(
    (to: number) => {
      if (created !== null && wanted >= POSITIONS) setSpan({ from: Date.parse(created), to: Date.now() })
      setWanted(to)
    },
    [created, wanted],
  )

  useEffect(() => {
    const query = { ...boardQuery(settled, moment, Date.now()), limit: 100 }
    const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
    onCall({
      method: 'GET',
      path: `/api/lb/${board.id}/score/?${search}`,
      typescript: program('scores', [board.id, query]),
    })
  }, [board.id, settled, moment, onCall])

  const jumpTo = (score: RankedScore) => {
    setFound([])
    setFilter(ranksOnly(filter))
    setJumping({ index: score.rank - 1, player: score.player })
  }
  const jump = (text: string) =>
    runAction(async () => {
      const entries = await entriesOf(api, board.id, text, boardQuery(ranksOnly(settled), moment, Date.now()))
      if (entries.length === 0) toast(texts.board.nobody(text), 'bad')
      else if (entries.length === 1 && entries[0] !== undefined) jumpTo(entries[0])
      else setFound(entries)
    })
  const actions = useMemo<RowActions>(
    () => ({
      why: (score) => setDialog({ kind: 'why', score }),
      rankOverTime: (score) => setDialog({ kind: 'rank', score }),
      remove: (score) => setDialog({ kind: 'delete', score }),
      whyNeeds: game === null ? undefined : `gm:${game}:history`,
      keeps: moment === null ? null : texts.board.pastIsFixed,
    }),
    [game, moment],
  )
  const scores = `lb:${board.id}:scores`
  if (!may(scores)) return <NoPermission needed={scores} />
  const count = rows.source.count
  return (
    <>
      {created !== null && (
        <MomentBar
          span={span}
          position={wanted}
          onPosition={move}
          isShown={isShown}
          unplayable={board.entries > PLAYABLE ? texts.board.tooLargeToPlay(whole(PLAYABLE)) : null}
        />
      )}
      <FilterBar filter={filter} onFilter={setFilter} isUnique={board.unique} onJump={jump} />
      {found.length > 0 && (
        <section class="panel" aria-label={texts.board.several}>
          <h2>{texts.board.several}</h2>
          <ul class="choices">
            {found.map((score) => (
              <li key={score.id}>
                <button type="button" onClick={() => jumpTo(score)}>
                  {score.rank}. <Name name={score.player_name} id={score.player} />
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      <div class="actions">
        <span class="soft" role="status">
          {count === null ? texts.states.loading : texts.board.rows(whole(count), moment !== null)}
        </span>
        <ExportButton api={api} board={board} query={make} />
      </div>
      <BoardTable
        rows={rows}
        isBusy={!isShown}
        isPast={moment !== null}
        isFiltered={settled !== NO_FILTER}
        target={target}
        actions={actions}
      />
      {dialog !== null && (
        <BoardDialogs
          api={api}
          board={board}
          open={dialog}
          onClose={() => setDialog(null)}
          onDeleted={() => void rows.refresh()}
        />
      )}
    </>
  )
}

/** A value once it has not changed for a while. */
function useSettled<Value>(value: Value, afterMs: number): Value {
  const [settled, setSettled] = useState(value)
  const first = useRef(true)
  useEffect(() => {
    if (first.current) {
      first.current = false
      return
    }
    const timer = setTimeout(() => setSettled(() => value), afterMs)
    return () => clearTimeout(timer)
  }, [value, afterMs])
  return settled
}
