import { useMemo } from 'preact/hooks'
import type { RankedScore } from '../api.ts'
import { ActionButton } from '../components/action-button.tsx'
import { PlayerLink } from '../components/name.tsx'
import { Empty, Failed, Loading } from '../components/states.tsx'
import { Time } from '../components/time.tsx'
import { VirtualTable } from '../components/virtual-table.tsx'
import { whole } from '../format.ts'
import { texts } from '../texts.ts'
import { rowLayout } from './row-layout.ts'
import type { BoardRows } from './use-board-rows.ts'

/** What a row's buttons do. */
export interface RowActions {
  readonly why: (score: RankedScore) => void
  readonly rankOverTime: (score: RankedScore) => void
  readonly remove: (score: RankedScore) => void
  readonly whyNeeds: string | undefined
  /** Why scores cannot be deleted now; null if they can. */
  readonly keeps: string | null
}

interface BoardTableProps {
  readonly rows: BoardRows
  readonly isBusy: boolean
  readonly isPast: boolean
  readonly isFiltered: boolean
  readonly target: { readonly index: number; readonly player: string } | null
  readonly actions: RowActions
  readonly onClear: () => void
}

const { columns } = texts.board
const COLUMNS = 6
/** Rows that the browser can scroll over. */
const ROWS_MAX = 200_000

export function BoardTable({ rows, isBusy, isPast, isFiltered, target, actions, onClear }: BoardTableProps) {
  const { source } = rows
  const head = useMemo(() => <Head />, [])
  if (source.count === null) {
    return rows.error === null ? <Loading /> : <Failed error={rows.error} onRetry={() => void rows.refresh()} />
  }
  if (source.count === 0) return <NoRows isFiltered={isFiltered} isPast={isPast} onClear={onClear} />
  return (
    <>
      <VirtualTable
        label={texts.board.table}
        look={isPast ? 'board-table past-table' : 'board-table'}
        layout={(width) => rowLayout(width, rows.digits)}
        head={head}
        columns={COLUMNS}
        count={Math.min(source.count, ROWS_MAX)}
        isBusy={isBusy}
        onRange={rows.show}
        target={target}
        row={(index) => (
          <Row key={index} index={index} score={source.at(index)} marked={target?.player} actions={actions} />
        )}
      />
      {source.count > ROWS_MAX && <p class="soft small">{texts.board.firstRows(whole(ROWS_MAX))}</p>}
    </>
  )
}

function NoRows({ isFiltered, isPast, onClear }: Pick<BoardTableProps, 'isFiltered' | 'isPast' | 'onClear'>) {
  if (!isFiltered) {
    return (
      <Empty title={texts.board.noScores}>
        <p>{isPast ? texts.board.noPastScores : texts.board.noScoresAbout}</p>
      </Empty>
    )
  }
  return (
    <Empty title={texts.board.noMatch}>
      <button type="button" onClick={onClear}>
        {texts.board.clearFilters}
      </button>
    </Empty>
  )
}

function Head() {
  return (
    <>
      <th scope="col">{columns.rank}</th>
      <th scope="col">{columns.player}</th>
      <th scope="col" class="right">
        {columns.score}
      </th>
      <th scope="col" class="right">
        {columns.secondary}
      </th>
      <th scope="col">{columns.when}</th>
      <th scope="col" class="right">
        {texts.common.actions}
      </th>
    </>
  )
}

interface RowProps {
  readonly index: number
  readonly score: RankedScore | undefined
  readonly marked: string | undefined
  readonly actions: RowActions
}

function Row({ index, score, marked, actions }: RowProps) {
  if (score === undefined) {
    return (
      <tr aria-rowindex={index + 2}>
        <td colSpan={COLUMNS}>
          <span class="soft">{texts.states.loading}</span>
        </td>
      </tr>
    )
  }
  const deletes = `score:${score.id}:delete`
  return (
    <tr aria-rowindex={index + 2} class={score.player === marked ? 'marked' : ''}>
      <td class="number rank">{score.rank}</td>
      <td class="player">
        <PlayerLink id={score.player} name={score.player_name} />
      </td>
      <td class="number right" data-head={columns.score}>
        {score.score}
      </td>
      <td class="number right" data-head={score.secondary_score === null ? undefined : columns.secondary}>
        {score.secondary_score}
      </td>
      <td class="when">
        <Time at={score.updated} />
      </td>
      <td class="actions-cell">
        <ActionButton
          look="quiet"
          onAct={() => actions.why(score)}
          {...(actions.whyNeeds ? { needs: actions.whyNeeds } : {})}
        >
          {texts.board.why}
        </ActionButton>
        <ActionButton look="quiet" onAct={() => actions.rankOverTime(score)}>
          {texts.board.rankOverTime}
        </ActionButton>
        <ActionButton look="quiet danger" onAct={() => actions.remove(score)} needs={deletes} blocked={actions.keeps}>
          {texts.board.deleteScore}
        </ActionButton>
      </td>
    </tr>
  )
}
