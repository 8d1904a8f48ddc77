import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import type { Api, Leaderboard, RankedScore, ScoresQuery } from '../api.ts'
import { ActionButton } from '../components/action-button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { JsonView } from '../components/json-view.tsx'
import { Name } from '../components/name.tsx'
import { NumberText } from '../components/number-text.tsx'
import { Shown } from '../components/states.tsx'
import { Time } from '../components/time.tsx'
import { to } from '../routes.ts'
import { texts } from '../texts.ts'
import { useIsNarrow } from '../use-is-narrow.ts'
import { useLoad } from '../use-load.ts'
import type { RowActions } from './board-table.tsx'
import type { Mark } from './moment-marks.ts'
import { RankSection } from './rank-section.tsx'
import { WhySection } from './why-section.tsx'

interface EntryPanelProps {
  readonly api: Api
  readonly game: string | null
  readonly board: Leaderboard
  /** The id of the entry. */
  readonly id: string
  /** The entry among the rows of the table; null if it is not there. */
  readonly row: RankedScore | null
  /** The moment or season of the table, without its filters. */
  readonly query: () => ScoresQuery
  /** Changes with `query`. */
  readonly queryKey: string
  readonly marks: readonly Mark[]
  readonly actions: RowActions
  /** The section to show first. */
  readonly section: 'why' | 'rank' | null
  readonly onClose: () => void
}

const EVERY_MS = 5_000
const ENTRIES_MAX = 100

/** One entry of the leaderboard, beside the table; on narrow windows above it. */
export function EntryPanel(props: EntryPanelProps) {
  const { api, board, id, row, query, queryKey, onClose } = props
  const isNarrow = useIsNarrow()
  const entry = useLoad(row === null ? `entry ${id} ${queryKey}` : null, () => entryOf(api, board.id, id, query()), {
    everyMs: EVERY_MS,
    tags: [`board:${board.id}`, 'player'],
  })
  const score = row ?? entry.value
  const title = score === null ? texts.entry.title : <EntryTitle score={score} />
  const content = score === null ? <Shown of={entry}>{() => null}</Shown> : <EntryDetails {...props} score={score} />
  if (isNarrow) {
    return (
      <Dialog title={title} onClose={onClose} look="sheet">
        {content}
        <div class="actions">
          <button type="button" onClick={onClose}>
            {texts.common.close}
          </button>
        </div>
      </Dialog>
    )
  }
  return (
    <SidePanel key={id} title={title} onClose={onClose}>
      {content}
    </SidePanel>
  )
}

/** The entry with its rank. Rejects if it is not on the leaderboard at this moment. */
async function entryOf(api: Api, board: string, id: string, query: ScoresQuery): Promise<RankedScore> {
  const instant = query.as_of === undefined ? {} : { as_of: query.as_of }
  const { player } = await api.score(id, instant)
  const { scores } = await api.scores(board, { ...query, player, limit: ENTRIES_MAX })
  const found = scores.find((one) => one.id === id)
  if (found === undefined) throw new Error(texts.entry.notHere)
  return found
}

interface SidePanelProps {
  readonly title: ComponentChildren
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** Takes the focus when it opens. Escape closes it, and the focus returns to the row. */
function SidePanel({ title, onClose, children }: SidePanelProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const panel = useRef<HTMLElement>(null)
  useEffect(() => {
    // The section to show first has the focus already.
    if (!panel.current?.contains(document.activeElement)) heading.current?.focus({ preventScroll: true })
  }, [])
  // Before the effects of the sections.
  useLayoutEffect(() => {
    const opener = document.activeElement
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true })
    }
  }, [])
  return (
    <aside
      ref={panel}
      class="panel entry"
      aria-label={texts.entry.title}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) onClose()
      }}
    >
      <div class="entry-head">
        <h2 ref={heading} tabIndex={-1} class="wrap">
          {title}
        </h2>
        <button type="button" class="quiet" onClick={onClose}>
          {texts.common.close}
        </button>
      </div>
      {children}
    </aside>
  )
}

function EntryTitle({ score: { rank, player_name: name, player } }: { readonly score: RankedScore }) {
  return (
    <>
      <NumberText value={rank} />. <Name name={name} id={player} whole />
    </>
  )
}

function EntryDetails(props: EntryPanelProps & { readonly score: RankedScore }) {
  const { api, game, board, score, marks, actions, section } = props
  const { ban, mayRemove, remove } = actions
  const why = actions.mayWhy && (
    <Section key="why" title={texts.board.why} isFirst={section === 'why'}>
      <WhySection api={api} game={game} score={score} />
    </Section>
  )
  const rank = (
    <Section key="rank" title={texts.board.rankOverTime} isFirst={section === 'rank'}>
      <RankSection api={api} board={board} player={score.player} marks={marks} />
    </Section>
  )
  return (
    <>
      <EntryFacts score={score} />
      <div class="actions">
        <a class="button" href={to.player(score.player)}>
          {texts.board.openPlayer}
        </a>
        {ban !== null && (
          <ActionButton look="danger" onAct={() => ban(score)}>
            {texts.players.ban}
          </ActionButton>
        )}
        {mayRemove(score) && (
          <ActionButton look="danger" onAct={() => remove(score)}>
            {texts.board.deleteScore}
          </ActionButton>
        )}
      </div>
      {section === 'rank' ? [rank, why] : [why, rank]}
      {score.extra_data !== null && (
        <Section title={texts.entry.extra} isFirst={false}>
          <JsonView value={score.extra_data} label={texts.entry.extraJson} />
        </Section>
      )}
    </>
  )
}

function EntryFacts({ score }: { readonly score: RankedScore }) {
  const { columns } = texts.board
  const { final_rank: finalRank } = score
  return (
    <dl class="facts entry-facts">
      <div class={placeOf(score.score)}>
        <dt>{columns.score}</dt>
        <dd class="big">
          <NumberText value={score.score} />
        </dd>
      </div>
      {score.secondary_score !== null && (
        <div class={placeOf(score.secondary_score)}>
          <dt>{columns.secondary}</dt>
          <dd>
            <NumberText value={score.secondary_score} />
          </dd>
        </div>
      )}
      {finalRank != null && (
        <div>
          <dt>{columns.finalRank}</dt>
          <dd>
            <NumberText value={finalRank} />
          </dd>
        </div>
      )}
      <div>
        <dt>{texts.entry.updated}</dt>
        <dd>
          <Time at={score.updated} />
        </dd>
      </div>
      <div>
        <dt>{texts.entry.added}</dt>
        <dd>
          <Time at={score.added} />
        </dd>
      </div>
    </dl>
  )
}

/** Characters of a number that fits into a column of the facts. */
const SHORT_MAX = 12
const placeOf = (number: string): string => (number.length > SHORT_MAX ? 'whole-line' : '')

interface SectionProps {
  readonly title: string
  /** Whether it takes the focus, and scrolls into view. */
  readonly isFirst: boolean
  readonly children: ComponentChildren
}

function Section({ title, isFirst, children }: SectionProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (!isFirst) return
    heading.current?.focus({ preventScroll: true })
    heading.current?.scrollIntoView({ block: 'nearest' })
  }, [isFirst])
  return (
    <section class="stack" aria-label={title}>
      <h3 ref={heading} tabIndex={-1}>
        {title}
      </h3>
      {children}
    </section>
  )
}
