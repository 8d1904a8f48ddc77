import { useMemo } from 'preact/hooks'
import type { RankedScore } from '../api.ts'
import { Menu, type MenuItem } from '../components/menu.tsx'
import { Name } from '../components/name.tsx'
import { NumberText } from '../components/number-text.tsx'
import { Empty, Failed, Loading } from '../components/states.tsx'
import { Time } from '../components/time.tsx'
import { VirtualTable } from '../components/virtual-table.tsx'
import { whole } from '../format.ts'
import { problemText } from '../problem-text.ts'
import { to } from '../routes.ts'
import { texts } from '../texts.ts'
import { type RowLayout, rowLayout } from './row-layout.ts'
import type { BoardRows } from './use-board-rows.ts'

/** What a row offers. */
export interface RowActions {
  readonly open: (score: RankedScore, section?: 'why' | 'rank') => void
  /** The address of the row's panel. */
  readonly href: (score: RankedScore) => string
  readonly mayWhy: boolean
  /** Null: the key may not do it. */
  readonly ban: ((score: RankedScore) => void) | null
  readonly mayRemove: (score: RankedScore) => boolean
  readonly remove: (score: RankedScore) => void
}

interface BoardTableProps {
  readonly rows: BoardRows
  readonly isBusy: boolean
  readonly isPast: boolean
  /** Whether the rows are of a season that has ended. */
  readonly hasFinalRanks: boolean
  readonly isFiltered: boolean
  readonly target: { readonly index: number; readonly player: string } | null
  /** Index of the first row at the start. */
  readonly first: number
  readonly onFirst: (index: number) => void
  /** Id of the entry whose panel is open. */
  readonly openId: string
  readonly actions: RowActions
  readonly onClear: () => void
}

const { columns } = texts.board
/** Rows that the browser can scroll over. */
const ROWS_MAX = 200_000

export function BoardTable(props: BoardTableProps) {
  const { rows, isBusy, isPast, hasFinalRanks, isFiltered, target, first, onFirst, openId, actions, onClear } = props
  const { source } = rows
  const head = useMemo(() => <Head hasFinalRanks={hasFinalRanks} />, [hasFinalRanks])
  if (source.count === null) {
    return rows.error === null ? <Loading /> : <Failed error={rows.error} onRetry={() => void rows.refresh()} />
  }
  if (source.count === 0) return <NoRows isFiltered={isFiltered} isPast={isPast} onClear={onClear} />
  const open = (index: number) => {
    const score = source.at(index)
    if (score !== undefined) actions.open(score)
  }
  return (
    <div class="rows">
      {rows.error !== null && (
        <div class="message bad" role="alert">
          <span class="wrap">{texts.states.stale(problemText(rows.error))}</span>
          <button type="button" class="quiet" onClick={() => void rows.refresh()}>
            {texts.common.retry}
          </button>
        </div>
      )}
      <VirtualTable
        label={texts.board.table}
        look={isPast ? 'board-table past-table' : 'board-table'}
        layout={(width): RowLayout => rowLayout(width, rows.digits, hasFinalRanks)}
        head={head}
        columns={hasFinalRanks ? 7 : 6}
        count={Math.min(source.count, ROWS_MAX)}
        isBusy={isBusy}
        onRange={rows.show}
        target={target}
        first={first}
        onFirst={onFirst}
        onRow={open}
        row={(index, look) => (
          <Row
            key={index}
            index={index}
            score={source.at(index)}
            isStacked={look !== ''}
            hasFinalRanks={hasFinalRanks}
            isMarked={source.at(index)?.player === target?.player}
            isOpen={source.at(index)?.id === openId}
            actions={actions}
          />
        )}
      />
      {source.count > ROWS_MAX && <p class="soft small">{texts.board.firstRows(whole(ROWS_MAX))}</p>}
    </div>
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

function Head({ hasFinalRanks }: { readonly hasFinalRanks: boolean }) {
  return (
    <>
      <th scope="col">{columns.rank}</th>
      {hasFinalRanks && <th scope="col">{columns.finalRank}</th>}
      <th scope="col">{columns.player}</th>
      <th scope="col" class="right">
        {columns.score}
      </th>
      <th scope="col" class="right">
        {columns.secondary}
      </th>
      <th scope="col">{columns.when}</th>
      <th scope="col" class="right">
        <span class="hidden-text">{texts.common.actions}</span>
      </th>
    </>
  )
}

interface RowProps {
  readonly index: number
  readonly score: RankedScore | undefined
  readonly isStacked: boolean
  readonly hasFinalRanks: boolean
  readonly isMarked: boolean
  readonly isOpen: boolean
  readonly actions: RowActions
}

function Row({ index, score, isStacked, hasFinalRanks, isMarked, isOpen, actions }: RowProps) {
  if (score === undefined) {
    return (
      <tr aria-rowindex={index + 2} class="waiting">
        <td colSpan={hasFinalRanks ? 7 : 6}>
          <span class="soft">{texts.states.loading}</span>
        </td>
      </tr>
    )
  }
  const { final_rank: finalRank = null, secondary_score: secondary } = score
  return (
    <tr
      aria-rowindex={index + 2}
      aria-current={isOpen ? 'true' : undefined}
      class={isOpen ? 'open' : isMarked ? 'marked' : ''}
    >
      <td class="number rank">
        <NumberText value={score.rank} />
      </td>
      {hasFinalRanks && (
        <td class="number final" data-head={finalRank === null ? undefined : columns.finalRank}>
          {finalRank !== null && <NumberText value={finalRank} />}
        </td>
      )}
      <td class="player">
        <RowLink score={score} actions={actions} />
      </td>
      <td class="number score right" data-head={columns.score}>
        <NumberText value={score.score} />
      </td>
      <td class="number secondary right" data-head={secondary === null ? undefined : columns.secondary}>
        {secondary !== null && <NumberText value={secondary} />}
      </td>
      <td class="when">
        <Time at={score.updated} precision={isStacked ? 'day' : 'second'} />
      </td>
      <td class="actions-cell">
        <RowMenu score={score} actions={actions} />
      </td>
    </tr>
  )
}

interface RowPartProps {
  readonly score: RankedScore
  readonly actions: RowActions
}

/** The player's name, which opens the row's panel; with a modifier key, in another tab. */
export function RowLink({ score, actions }: RowPartProps) {
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    actions.open(score)
  }
  return (
    <a href={actions.href(score)} onClick={open}>
      <Name name={score.player_name} id={score.player} />
    </a>
  )
}

function RowMenu({ score, actions: { open, mayWhy, ban, mayRemove, remove } }: RowPartProps) {
  const items: MenuItem[] = [
    ...(mayWhy ? [{ text: texts.board.why, onAct: () => open(score, 'why') }] : []),
    { text: texts.board.rankOverTime, onAct: () => open(score, 'rank') },
    { text: texts.board.openPlayer, href: to.player(score.player) },
    ...(ban === null ? [] : [{ text: texts.players.ban, onAct: () => ban(score), isDanger: true }]),
    ...(mayRemove(score) ? [{ text: texts.board.deleteScore, onAct: () => remove(score), isDanger: true }] : []),
  ]
  return <Menu name={texts.board.more} label={<span aria-hidden="true">⋯</span>} items={items} />
}
