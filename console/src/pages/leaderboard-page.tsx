import { useCallback, useEffect, useMemo, useState } from 'preact/hooks'
import type { Leaderboard, RankedScore } from '../api.ts'
import { BoardSection } from '../board/board-section.tsx'
import { ChangeProgress } from '../board/change-progress.tsx'
import { RulesPanel } from '../board/rules-panel.tsx'
import { isRunning, useRules } from '../board/use-rules.ts'
import { ActionButton } from '../components/action-button.tsx'
import { Name } from '../components/name.tsx'
import { PageHead } from '../components/page-head.tsx'
import { NoPermission, Shown } from '../components/states.tsx'
import { to } from '../routes.ts'
import { runAction } from '../run-action.ts'
import { may, type Session } from '../session.ts'
import { program, type ShownCall } from '../snippets.ts'
import { texts } from '../texts.ts'
import { useLoad } from '../use-load.ts'

export type Deleting = RankedScore | null

/** A leaderboard's own page. */
export function LeaderboardPage({ session, id }: { readonly session: Session; readonly id: string }) {
  const details = `lb:${id}:details`
  const board = useLoad(may(details) ? `lb ${id}` : null, () => session.api.leaderboard(id), { everyMs: 10_000 })
  if (!may(details)) {
    return (
      <>
        <PageHead title={texts.pages.leaderboard} />
        <NoPermission needed={details} />
      </>
    )
  }
  if (board.value === null) {
    return (
      <>
        <PageHead title={texts.pages.leaderboard} />
        <Shown of={board}>{() => null}</Shown>
      </>
    )
  }
  return <Board session={session} board={board.value} onChange={board.reload} />
}

interface BoardProps {
  readonly session: Session
  readonly board: Leaderboard
  readonly onChange: () => void
}

function Board({ session: { api, game }, board, onChange }: BoardProps) {
  const [isEditing, setEditing] = useState(false)
  const [isApplied, setApplied] = useState(false)
  const rules = useRules(api, game, board.id, isApplied)
  const state = rules.value
  const runs = isRunning(state?.change ?? null)
  const configure = `lb:${board.id}:configure`
  const changeKey = `${state?.change?.id} ${state?.change?.state}`

  useEffect(() => {
    if (state === null) return
    setApplied(runs)
    onChange()
  }, [changeKey])

  const applied = useCallback(() => {
    setApplied(true)
    rules.reload()
  }, [rules.reload])
  const previous = state?.previous ?? null
  const undo = () =>
    previous === null
      ? undefined
      : runAction(
          () => api.changeRules(board.id, previous),
          () => texts.rules.undoing,
        ).then(applied)
  const [call, setCall] = useState<ShownCall>()
  const head = useMemo(() => texts.rules.inWords(board), [board])
  return (
    <>
      <PageHead
        title={board.name}
        heading={<Name name={board.name} id={board.id} whole />}
        about={board.description === '' ? undefined : <bdi>{board.description}</bdi>}
        call={call ?? { method: 'GET', path: `/api/lb/${board.id}/`, typescript: program('leaderboard', [board.id]) }}
      >
        <ActionButton onAct={() => setEditing(!isEditing)} needs={configure} pressed={isEditing}>
          {texts.rules.edit}
        </ActionButton>
        {previous !== null && (
          <ActionButton onAct={undo} needs={configure} blocked={runs ? texts.rules.busy : null}>
            {texts.rules.undo}
          </ActionButton>
        )}
        {game !== null && may(`gm:${game}:history`) && (
          <a class="button" href={to.history({ board: board.id })}>
            {texts.pages.history}
          </a>
        )}
      </PageHead>
      <p class="soft small">
        {head} · <span class="mono">{board.id}</span>
      </p>
      {state?.change != null && runs && <ChangeProgress api={api} change={state.change} onCancelled={rules.reload} />}
      {state?.change?.state === 'failed' && (
        <p class="message bad" role="alert">
          {texts.rules.failed(state.change.error ?? '')}
        </p>
      )}
      {isEditing && (
        <RulesPanel
          api={api}
          board={board}
          blocked={runs ? texts.rules.busy : null}
          onApplied={applied}
          onClose={() => setEditing(false)}
        />
      )}
      <BoardSection
        api={api}
        game={game}
        board={board}
        created={state?.created ?? null}
        revision={changeKey}
        onCall={setCall}
      />
    </>
  )
}
