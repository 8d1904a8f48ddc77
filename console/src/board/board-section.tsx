import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { Api, Leaderboard, RankedScore, ScoresQuery, Season } from '../api.ts'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { TextField } from '../components/fields.tsx'
import { Name } from '../components/name.tsx'
import { NumberText } from '../components/number-text.tsx'
import { localField, whole } from '../format.ts'
import { currentSearch } from '../navigation.ts'
import { PlayerDialogs } from '../player/player-dialogs.tsx'
import { to } from '../routes.ts'
import { may } from '../session.ts'
import { program, type ShownCall } from '../snippets.ts'
import { useInvalidated } from '../tags.ts'
import { texts } from '../texts.ts'
import { toast } from '../toasts.tsx'
import { useAddress } from '../use-address.ts'
import { useLoad } from '../use-load.ts'
import { useSettled } from '../use-settled.ts'
import { BOARD } from './board-address.ts'
import { type BoardFilter, boardQuery, isFiltered, NO_FILTER, ranksOnly, seasonOf } from './board-query.ts'
import { BoardTable, type RowActions } from './board-table.tsx'
import { CompareTable } from './compare-table.tsx'
import { EntryPanel } from './entry-panel.tsx'
import { ExportButton } from './export-button.tsx'
import { FilterBar } from './filter-bar.tsx'
import { MomentBar } from './moment-bar.tsx'
import { useMarks } from './moment-marks.ts'
import { useMomentSteps } from './moment-steps.ts'
import { useBoardRows } from './use-board-rows.ts'
import { useJump } from './use-jump.ts'
import { type Moment, useMoment, useNextMoment } from './use-moment.ts'
import type { AppliedRules } from './use-rules.ts'

interface BoardSectionProps {
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
const PLAYABLE = 50_000
const TYPING_MS = 250
const SEASONS_MS = 10_000
const SEASONS_MAX = 100
const DAY_MS = 86_400_000

/** The table of a leaderboard, with its filters, the slider of its past instants, and the panel of one entry. */
export function BoardSection({ api, game, board, created, applied, revision, onCall }: BoardSectionProps) {
  const [shown, setShown] = useAddress(BOARD)
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const [section, setSection] = useState<'why' | 'rank' | null>(null)
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
  const marks = useMarks({
    api,
    game,
    board: board.id,
    applied,
    seasons,
    withPlayers: created !== null && board.entries <= PLAYABLE,
  })
  const key = JSON.stringify([settled, instant, revision, board.unique])
  const make = () => boardQuery(settled, board.unique, { instant, nowMs: Date.now() })
  const everyMs = isPast ? null : settled.search === '' ? LIVE_MS : SEARCH_MS
  const rows = useBoardRows(api, { board: board.id, key, make, everyMs })
  useInvalidated([`board:${board.id}`, 'player'], () => void rows.refresh())
  useNextMoment(moment, rows.isBusy)
  const isShown = rows.shownKey === key && !rows.isBusy && moment.wanted === instant
  const isSettled = isShown && settled === filter
  const jump = useJump({ api, board, filter, instant, isShown: isSettled, onFilter: setShown })
  useShownCall(board, settled, instant, onCall)
  const actions = useRowActions({ game, board: board.id, isPast, onSection: setSection, onDialog: setDialog })
  const mayPast = game !== null && may(`gm:${game}:history`)
  const unplayable = board.entries > PLAYABLE ? texts.board.tooLargeToPlay(whole(PLAYABLE)) : null
  const isComparing = shown.compare !== '' && !isSeason
  const ranks = (at: string | null): ScoresQuery =>
    boardQuery(ranksOnly(settled), board.unique, { instant: at, nowMs: Date.now() })
  const step = useMomentSteps(api, { game, board: board.id, moment })
  const open = seasons.find(({ state }) => state === 'open')
  const chosen = seasonOf(season)
  return (
    <>
      <div class="moment-place" hidden={isSeason}>
        {created !== null && !isSeason && (
          <MomentBar
            moment={moment}
            isShown={isShown}
            unplayable={unplayable}
            marks={marks}
            onStep={step}
            seasonStart={open?.starts ?? null}
            isComparing={isComparing}
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
        <ExportButton api={api} board={board} query={make} />
      </div>
      <div class={shown.row === '' ? 'beside' : 'beside with-panel'}>
        {isComparing ? (
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
            isBusy={!isSettled}
            isPast={isPast}
            hasFinalRanks={isSeason && chosen !== 'current' && chosen !== open?.season}
            isFiltered={isFiltered(settled)}
            target={jump.target}
            first={shown.first}
            onFirst={(first) => setShown({ first })}
            openId={shown.row}
            actions={actions}
            onClear={() => setShown({ ...NO_FILTER, season })}
          />
        )}
        {shown.row !== '' && (
          <EntryPanel
            api={api}
            game={game}
            board={board}
            id={shown.row}
            row={rows.source.find(({ id }) => id === shown.row) ?? null}
            query={() => ranks(instant)}
            queryKey={key}
            marks={marks}
            actions={actions}
            section={section}
            onClose={() => setShown({ row: '' })}
          />
        )}
      </div>
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
              <NumberText value={score.rank} />. <Name name={score.player_name} id={score.player} />
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

interface CompareSectionProps {
  /** The other instant, or `now`. */
  readonly compare: string
  readonly onOther: (compare: string) => void
  readonly children: ComponentChildren
}

/** Chooses what the moment of the slider is compared with. */
function CompareSection({ compare, onOther, children }: CompareSectionProps) {
  const [typed, setTyped] = useState(compare === 'now' ? '' : localField(compare))
  const type = (text: string) => {
    setTyped(text)
    const ms = text === '' ? Number.NaN : new Date(text).getTime()
    onOther(Number.isNaN(ms) || ms >= Date.now() ? 'now' : new Date(ms).toISOString())
  }
  return (
    <section class="stack" aria-label={texts.board.compare}>
      <div class="narrow">
        <TextField
          label={texts.board.compareWith}
          hint={texts.board.compareHint}
          type="datetime-local"
          step="1"
          value={typed}
          onValue={type}
        />
      </div>
      {children}
    </section>
  )
}

interface OpenDialog {
  readonly kind: 'ban' | 'delete'
  readonly score: RankedScore
}

interface BoardDialogsProps {
  readonly api: Api
  readonly game: string | null
  readonly board: Leaderboard
  readonly open: OpenDialog
  readonly onClose: () => void
  /** Called when the entry is no longer on the leaderboard. */
  readonly onGone: () => void
}

/** The dialog that a row's action opened. */
function BoardDialogs({ api, game, board, open: { kind, score }, onClose, onGone }: BoardDialogsProps) {
  if (kind === 'ban' && game !== null) {
    const player = { id: score.player, name: score.player_name }
    return <PlayerDialogs api={api} game={game} player={player} open="ban" onClose={onClose} />
  }
  const remove = async () => {
    await api.deleteScore(score.id)
    toast(texts.board.deleted)
    onGone()
  }
  return (
    <ConfirmDialog verb={texts.board.deleteScore} title={texts.board.deleteTitle} onConfirm={remove} onClose={onClose}>
      <p class="wrap">
        <Name name={score.player_name} id={score.player} whole />: <NumberText value={score.score} />
      </p>
      <p>{board.unique ? texts.board.deletesAll : texts.board.deletesOne}</p>
    </ConfirmDialog>
  )
}
