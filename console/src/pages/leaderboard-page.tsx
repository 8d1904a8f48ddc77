import { useEffect, useState } from 'preact/hooks'
import type { Leaderboard } from '../api.ts'
import { BOARD } from '../board/board-address.ts'
import { BoardSection } from '../board/board-section.tsx'
import { ChangeOutcome } from '../board/change-outcome.tsx'
import { ChangeState } from '../board/change-state.tsx'
import { KeyDialog } from '../board/key-dialog.tsx'
import { RulesPanel } from '../board/rules-panel.tsx'
import { type AppliedRules, type RuleChange, useRuleChange, whatIsNew } from '../board/use-rules.ts'
import { ActionButton } from '../components/action-button.tsx'
import { Menu, type MenuItem } from '../components/menu.tsx'
import { Name } from '../components/name.tsx'
import { PageHead } from '../components/page-head.tsx'
import { NoPermission, Shown } from '../components/states.tsx'
import { go } from '../navigation.ts'
import { to } from '../routes.ts'
import { may, type Session } from '../session.ts'
import { program, type ShownCall } from '../snippets.ts'
import { texts } from '../texts.ts'
import { toast } from '../toasts.tsx'
import { useAddress } from '../use-address.ts'
import { useIsNarrow } from '../use-is-narrow.ts'
import { useLoad } from '../use-load.ts'

const EVERY_MS = 10_000
const NO_RULES: readonly AppliedRules[] = []

/** A leaderboard's own page. */
export function LeaderboardPage({ session, id }: { readonly session: Session; readonly id: string }) {
  const details = `lb:${id}:details`
  const isPermitted = may(details)
  const board = useLoad(isPermitted ? `lb ${id}` : null, () => session.api.leaderboard(id), {
    everyMs: EVERY_MS,
    tags: [`board:${id}`],
  })
  const found = board.value?.id
  useEffect(() => {
    // A key in the address may later name another leaderboard.
    if (found !== undefined && found !== id) go(to.leaderboard(found), { replace: true })
  }, [found, id])
  if (board.value !== null) return <Board session={session} board={board.value} onChange={board.reload} />
  return (
    <>
      <PageHead title={texts.pages.leaderboard} />
      {isPermitted ? <Shown of={board}>{() => null}</Shown> : <NoPermission needed={details} />}
    </>
  )
}

interface BoardProps {
  readonly session: Session
  readonly board: Leaderboard
  readonly onChange: () => void
}

function Board({ session: { api, game }, board, onChange }: BoardProps) {
  const { id } = board
  const [{ rules: form }, setShown] = useAddress(BOARD)
  const [isChangingKey, setChangingKey] = useState(false)
  const isNarrow = useIsNarrow()
  const [call, setCall] = useState<ShownCall>({
    method: 'GET',
    path: `/api/lb/${id}/`,
    typescript: program('leaderboard', [id]),
  })
  const rules = useRuleChange(api, game, id, onChange)
  const { change = null, coming = null, previous = null } = rules.state ?? {}
  const scores = `lb:${id}:scores`
  const blocked = rules.isRunning ? texts.rules.busy : null
  return (
    <>
      <PageHead
        title={board.name}
        heading={<Name name={board.name} id={id} whole />}
        about={isNarrow || board.description === '' ? undefined : <bdi>{board.description}</bdi>}
        call={call}
      >
        <BoardActions
          game={game}
          board={board}
          rules={rules}
          form={form}
          onForm={(next) => setShown({ rules: next })}
          onKey={() => setChangingKey(true)}
        />
      </PageHead>
      {isNarrow ? <NarrowFacts board={board} /> : <BoardFacts board={board} />}
      {isChangingKey && <KeyDialog api={api} board={board} onClose={() => setChangingKey(false)} />}
      <ChangeState api={api} change={change} coming={coming === null ? '' : whatIsNew(board, coming)} />
      <ChangeOutcome change={change} onBack={() => setShown({ rules: 'back' })} />
      {(form === 'edit' || (form === 'back' && previous !== null)) && (
        <RulesPanel
          key={form}
          api={api}
          board={board}
          start={form === 'back' ? previous : null}
          blocked={blocked}
          applied={rules.state?.applied ?? []}
          onRequested={rules.requested}
          onClose={() => setShown({ rules: '' })}
        />
      )}
      {may(scores) ? (
        <BoardSection
          api={api}
          game={game}
          board={board}
          created={rules.state?.created ?? null}
          applied={rules.state?.applied ?? NO_RULES}
          revision={rules.revision}
          onCall={setCall}
        />
      ) : (
        <NoPermission needed={scores} />
      )}
    </>
  )
}

/** What the head of the page has no place for in a narrow window. */
function NarrowFacts({ board }: { readonly board: Leaderboard }) {
  return (
    <details class="board-about">
      <summary>{texts.boards.about}</summary>
      {board.description !== '' && (
        <p class="wrap">
          <bdi>{board.description}</bdi>
        </p>
      )}
      <BoardFacts board={board} />
    </details>
  )
}

/** The rules and the schedule in words, and the names that calls take: the key and the id. */
function BoardFacts({ board }: { readonly board: Leaderboard }) {
  const { id, key, seasons } = board
  return (
    <p class="board-facts soft small">
      <span>{texts.rules.inWords(board)}</span>
      {seasons !== null && <span>{texts.seasons.fact(seasons.cron, seasons.time_zone)}</span>}
      {key !== null && (
        <span>
          {texts.boards.key} <span class="mono">{key}</span>
        </span>
      )}
      <span>
        {texts.common.id} <span class="mono">{id}</span>
      </span>
    </p>
  )
}

type RulesForm = '' | 'edit' | 'back'

interface BoardActionsProps {
  readonly game: string | null
  readonly board: Leaderboard
  readonly rules: RuleChange
  readonly form: RulesForm
  readonly onForm: (form: RulesForm) => void
  readonly onKey: () => void
}

/** What can be done with the leaderboard. What the key may not do is left out; links to pages stay. */
function BoardActions({ game, board: { id, key }, rules, form, onForm, onKey }: BoardActionsProps) {
  const mayConfigure = may(`lb:${id}:configure`)
  const previous = rules.state?.previous ?? null
  const toggle = (own: RulesForm) => () => onForm(form === own ? '' : own)
  const copy = async (text: string) => {
    await navigator.clipboard.writeText(text)
    toast(texts.copy.copied(text))
  }
  const items: MenuItem[] = [
    ...(mayConfigure ? [{ text: texts.boards.changeKey, onAct: onKey }] : []),
    ...(game === null ? [] : [{ text: texts.history.ofBoard, href: to.history({ board: id }) }]),
    ...(key === null ? [] : [{ text: texts.copy.code(texts.copy.key), onAct: () => copy(key) }]),
    { text: texts.copy.code(texts.copy.id), onAct: () => copy(id) },
  ]
  return (
    <>
      {mayConfigure && (
        <ActionButton onAct={toggle('edit')} pressed={form === 'edit'}>
          {texts.rules.edit}
        </ActionButton>
      )}
      {mayConfigure && previous !== null && (
        <ActionButton
          onAct={toggle('back')}
          blocked={rules.isRunning ? texts.rules.busy : null}
          pressed={form === 'back'}
          about={texts.rules.backTo(texts.rules.inWords(previous))}
        >
          {texts.rules.undo}
        </ActionButton>
      )}
      <Menu name={texts.boards.more} label={<span aria-hidden="true">⋯</span>} items={items} look="" />
    </>
  )
}
