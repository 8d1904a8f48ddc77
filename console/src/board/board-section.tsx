import { useEffect, useMemo, useState } from 'preact/hooks'
import type { Api, Leaderboard, RankedScore } from '../api.ts'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { Name } from '../components/name.tsx'
import { whole } from '../format.ts'
import { may } from '../session.ts'
import { program, type ShownCall } from '../snippets.ts'
import { texts } from '../texts.ts'
import { toast } from '../toasts.tsx'
import { useSettled } from '../use-settled.ts'
import { type BoardFilter, boardQuery, NO_FILTER } from './board-query.ts'
import { BoardTable, type RowActions } from './board-table.tsx'
import { ExportButton } from './export-button.tsx'
import { FilterBar } from './filter-bar.tsx'
import { MomentBar } from './moment-bar.tsx'
import { RankDialog } from './rank-dialog.tsx'
import { useBoardRows } from './use-board-rows.ts'
import { useJump } from './use-jump.ts'
import { useMoment, useNextMoment } from './use-moment.ts'
import { WhyDialog } from './why-dialog.tsx'

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

/** The table of a leaderboard, with its filters and the slider of its past instants. */
export function BoardSection({ api, game, board, created, revision, onCall }: BoardSectionProps) {
  const [filter, setFilter] = useState<BoardFilter>(NO_FILTER)
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const settled = useSettled(filter, TYPING_MS)
  const moment = useMoment(created)
  const { instant } = moment
  const key = JSON.stringify([settled, instant, revision, board.unique])
  const make = () => boardQuery(settled, board.unique, { instant, nowMs: Date.now() })
  const everyMs = instant !== null ? null : settled.search === '' ? LIVE_MS : SEARCH_MS
  const rows = useBoardRows(api, { board: board.id, key, make, everyMs })
  useNextMoment(moment, rows.isBusy)
  const isShown = rows.shownKey === key && !rows.isBusy && moment.wanted === moment.position
  const isSettled = isShown && settled === filter
  const jump = useJump({ api, board, filter, instant, isShown: isSettled, onFilter: setFilter })
  useShownCall(board, settled, instant, onCall)
  const actions = useRowActions(game, instant, setDialog)
  const { count } = rows.source
  const mayPast = game !== null && may(`gm:${game}:history`)
  const unplayable = board.entries > PLAYABLE ? texts.board.tooLargeToPlay(whole(PLAYABLE)) : null
  return (
    <>
      <div class="moment-place">
        {created !== null && <MomentBar moment={moment} isShown={isShown} unplayable={unplayable} />}
        {!mayPast && <p class="soft small">{texts.board.noPast(game)}</p>}
      </div>
      <FilterBar filter={filter} onFilter={setFilter} board={board} onJump={jump.search} />
      <FoundPlayers found={jump.found} onChoose={jump.choose} />
      <div class="actions">
        <span class="soft" role="status">
          {count === null ? texts.states.loading : texts.board.rows(whole(count), instant !== null)}
        </span>
        <ExportButton api={api} board={board} query={make} />
      </div>
      <BoardTable
        rows={rows}
        isBusy={!isSettled}
        isPast={instant !== null}
        isFiltered={settled !== NO_FILTER}
        target={jump.target}
        actions={actions}
        onClear={() => setFilter(NO_FILTER)}
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

function useRowActions(game: string | null, instant: string | null, open: (dialog: OpenDialog) => void): RowActions {
  return useMemo<RowActions>(
    () => ({
      why: (score) => open({ kind: 'why', score }),
      rankOverTime: (score) => open({ kind: 'rank', score }),
      remove: (score) => open({ kind: 'delete', score }),
      whyNeeds: game === null ? undefined : `gm:${game}:history`,
      keeps: instant === null ? null : texts.board.pastIsFixed,
    }),
    [game, instant, open],
  )
}

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

interface FoundPlayersProps {
  readonly found: readonly RankedScore[]
  readonly onChoose: (score: RankedScore) => void
}

/** The players to choose from, where several match. */
function FoundPlayers({ found, onChoose }: FoundPlayersProps) {
  if (found.length === 0) return null
  return (
    <section class="panel" aria-label={texts.board.several}>
      <h2>{texts.board.several}</h2>
      <ul class="choices">
        {found.map((score) => (
          <li key={score.id}>
            <button type="button" onClick={() => onChoose(score)}>
              {score.rank}. <Name name={score.player_name} id={score.player} />
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

interface OpenDialog {
  readonly kind: 'why' | 'rank' | 'delete'
  readonly score: RankedScore
}

interface BoardDialogsProps {
  readonly api: Api
  readonly board: Leaderboard
  readonly open: OpenDialog
  readonly onClose: () => void
  readonly onDeleted: () => void
}

/** The dialog that a row's button opened. */
function BoardDialogs({ api, board, open: { kind, score }, onClose, onDeleted }: BoardDialogsProps) {
  if (kind === 'why') return <WhyDialog api={api} score={score} onClose={onClose} />
  if (kind === 'rank') return <RankDialog api={api} board={board.id} score={score} onClose={onClose} />
  const remove = async () => {
    await api.deleteScore(score.id)
    toast(texts.board.deleted)
    onDeleted()
  }
  return (
    <ConfirmDialog verb={texts.board.deleteScore} title={texts.board.deleteTitle} onConfirm={remove} onClose={onClose}>
      <p class="wrap">
        <Name name={score.player_name} id={score.player} whole />: <span class="number">{score.score}</span>
      </p>
      <p>{board.unique ? texts.board.deletesAll : texts.board.deletesOne}</p>
    </ConfirmDialog>
  )
}
