import { useMemo, useState } from 'preact/hooks'
import type { ScoresQuery } from '../api.ts'
import { whole } from '../format.ts'
import { currentSearch } from '../navigation.ts'
import { to } from '../routes.ts'
import { may } from '../session.ts'
import { texts } from '../texts.ts'
import { useAddress } from '../use-address.ts'
import { BOARD } from './board-address.ts'
import { BoardDialogs, type OpenDialog } from './board-dialogs.tsx'
import { boardQuery, isFiltered, NO_FILTER, ranksOnly, seasonOf } from './board-query.ts'
import { BoardTable, type RowActions } from './board-table.tsx'
import { CompareSection } from './compare-section.tsx'
import { CompareTable } from './compare-table.tsx'
import { EntryPanel } from './entry-panel.tsx'
import { ExportButton } from './export-button.tsx'
import { FilterBar } from './filter-bar.tsx'
import { FoundPlayers } from './found-players.tsx'
import { MomentBar } from './moment-bar.tsx'
import { useMomentSteps } from './moment-steps.ts'
import { type BoardSectionProps, type BoardView, openSeason, PLAYABLE, useBoardView } from './use-board-view.ts'
import type { Moment } from './use-moment.ts'

const DAY_MS = 86_400_000

/** The table of a leaderboard, with its filters, the slider of its past instants, and the panel of one entry. */
export function BoardSection(props: BoardSectionProps) {
  const { api, game, board, created } = props
  const [, setShown] = useAddress(BOARD)
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const [section, setSection] = useState<'why' | 'rank' | null>(null)
  const view = useBoardView(props)
  const { filter, moment, isSeason, isPast, seasons, rows, jump } = view
  const actions = useRowActions({ game, board: board.id, isPast, onSection: setSection, onDialog: setDialog })
  const mayPast = game !== null && may(`gm:${game}:history`)
  const step = useMomentSteps(api, { game, board: board.id, moment })
  return (
    <>
      <div class="moment-place" hidden={isSeason}>
        {created !== null && !isSeason && (
          <MomentBar
            moment={moment}
            isShown={view.isShown}
            unplayable={board.entries > PLAYABLE ? texts.board.tooLargeToPlay(whole(PLAYABLE)) : null}
            marks={view.marks}
            onStep={step}
            seasonStart={openSeason(seasons)?.starts ?? null}
            isComparing={view.isComparing}
            onCompare={(on) => setShown({ compare: on ? comparedWith(moment) : '', offset: 0 })}
          />
        )}
        {!mayPast && <p class="soft small">{texts.board.noPast(game)}</p>}
      </div>
      <FilterBar
        filter={filter}
        onFilter={setShown}
        board={board}
        seasons={seasons}
        onJump={(text) => void jump.search(text)}
      />
      <FoundPlayers found={jump.found} onChoose={jump.choose} />
      <div class="actions table-head">
        <span class="soft" role="status">
          {rows.source.count === null ? texts.states.loading : texts.board.rows(whole(rows.source.count), isPast)}
        </span>
        <ExportButton api={api} board={board} query={view.query} />
      </div>
      <RowsAndPanel {...props} view={view} actions={actions} section={section} />
      {dialog !== null && (
        <BoardDialogs
          api={api}
          game={game}
          board={board}
          open={dialog}
          onClose={() => setDialog(null)}
          onGone={() => setShown({ row: '' })}
        />
      )}
    </>
  )
}

interface RowsAndPanelProps extends BoardSectionProps {
  readonly view: BoardView
  readonly actions: RowActions
  readonly section: 'why' | 'rank' | null
}

/** The rows, or two moments compared, and beside them the panel of the chosen entry. */
function RowsAndPanel({ api, game, board, revision, view, actions, section }: RowsAndPanelProps) {
  const [shown, setShown] = useAddress(BOARD)
  const { settled, moment, seasons, rows } = view
  const ranks = (at: string | null): ScoresQuery =>
    boardQuery(ranksOnly(settled), board.unique, { instant: at, nowMs: Date.now() })
  const chosen = seasonOf(shown.season)
  return (
    <div class={shown.row === '' ? 'beside' : 'beside with-panel'}>
      {view.isComparing ? (
        <CompareSection compare={shown.compare} onOther={(compare) => setShown({ compare, offset: 0 })}>
          <CompareTable
            api={api}
            board={board}
            shown={moment.instant}
            other={shown.compare === 'now' ? null : shown.compare}
            query={ranks}
            queryKey={JSON.stringify([ranksOnly(settled), revision])}
            offset={shown.offset}
            onOffset={(offset) => setShown({ offset })}
            actions={actions}
          />
        </CompareSection>
      ) : (
        <BoardTable
          rows={rows}
          isBusy={!view.isSettled}
          isPast={view.isPast}
          hasFinalRanks={view.isSeason && chosen !== 'current' && chosen !== openSeason(seasons)?.season}
          isFiltered={isFiltered(settled)}
          target={view.jump.target}
          first={shown.first}
          onFirst={(first) => setShown({ first })}
          openId={shown.row}
          actions={actions}
          onClear={() => setShown({ ...NO_FILTER, season: shown.season })}
        />
      )}
      {shown.row !== '' && (
        <EntryPanel
          api={api}
          game={game}
          board={board}
          id={shown.row}
          row={rows.source.find(({ id }) => id === shown.row) ?? null}
          query={() => ranks(moment.instant)}
          queryKey={view.key}
          marks={view.marks}
          actions={actions}
          section={section}
          onClose={() => setShown({ row: '' })}
        />
      )}
    </div>
  )
}

/** What a comparison begins with: now beside the moment that is shown, or the day before beside now. */
function comparedWith({ wanted, span }: Moment): string {
  return wanted !== null ? 'now' : new Date(Math.max(span.from, Date.now() - DAY_MS)).toISOString()
}

interface RowActionsOf {
  readonly game: string | null
  readonly board: string
  readonly isPast: boolean
  readonly onSection: (section: 'why' | 'rank' | null) => void
  readonly onDialog: (dialog: OpenDialog) => void
}

function useRowActions({ game, board, isPast, onSection, onDialog }: RowActionsOf): RowActions {
  const [, setShown] = useAddress(BOARD)
  const mayBan = game !== null && may(`gm:${game}:players`)
  const mayWhy = game !== null && may(`gm:${game}:history`)
  return useMemo<RowActions>(
    () => ({
      open: (score, section) => {
        onSection(section ?? null)
        setShown({ row: score.id })
      },
      href: (score) => {
        const search = currentSearch()
        search.set('row', score.id)
        return to.leaderboard(board, Object.fromEntries(search))
      },
      mayWhy,
      ban: mayBan ? (score) => onDialog({ kind: 'ban', score }) : null,
      mayRemove: (score) => !isPast && may(`score:${score.id}:delete`),
      remove: (score) => onDialog({ kind: 'delete', score }),
    }),
    [board, isPast, mayBan, mayWhy, setShown, onSection, onDialog],
  )
}
