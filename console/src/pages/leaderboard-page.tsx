import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Leaderboard } from '../api.ts'
import { BoardSection } from '../board/board-section.tsx'
import { ChangeState } from '../board/change-state.tsx'
import { ChangeKey } from '../board/key-dialog.tsx'
import { RulesPanel } from '../board/rules-panel.tsx'
import { type RuleChange, useRuleChange, whatIsNew } from '../board/use-rules.ts'
import { ActionButton } from '../components/action-button.tsx'
import { CopyButton } from '../components/copy-button.tsx'
import { Name } from '../components/name.tsx'
import { PageHead } from '../components/page-head.tsx'
import { NoPermission, Shown } from '../components/states.tsx'
import { go } from '../navigation.ts'
import { to } from '../routes.ts'
import { may, type Session } from '../session.ts'
import { program, type ShownCall } from '../snippets.ts'
import { texts } from '../texts.ts'
import { useLoad } from '../use-load.ts'

const EVERY_MS = 10_000

/** A leaderboard's own page. */
export function LeaderboardPage({ session, id }: { readonly session: Session; readonly id: string }) {
  const details = `lb:${id}:details`
  const isPermitted = may(details)
  const board = useLoad(isPermitted ? `lb ${id}` : null, () => session.api.leaderboard(id), { everyMs: EVERY_MS })
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
  const [isEditing, setEditing] = useState(false)
  const [call, setCall] = useState<ShownCall>({
    method: 'GET',
    path: `/api/lb/${id}/`,
    typescript: program('leaderboard', [id]),
  })
  const rules = useRuleChange(api, game, id, onChange)
  const { change = null, coming = null } = rules.state ?? {}
  const scores = `lb:${id}:scores`
  const blocked = rules.isRunning ? texts.rules.busy : null
  return (
    <>
      <PageHead
        title={board.name}
        heading={<Name name={board.name} id={id} whole />}
        about={board.description === '' ? undefined : <bdi>{board.description}</bdi>}
        call={call}
      >
        <BoardActions game={game} id={id} rules={rules} isEditing={isEditing} onEdit={() => setEditing(!isEditing)}>
          <ChangeKey api={api} board={board} onChange={onChange} />
        </BoardActions>
      </PageHead>
      <BoardFacts board={board} />
      <ChangeState
        api={api}
        change={change}
        coming={coming === null ? '' : whatIsNew(board, coming)}
        onCancelled={rules.reload}
      />
      {isEditing && (
        <RulesPanel
          api={api}
          board={board}
          blocked={blocked}
          applied={rules.state?.applied ?? []}
          onApplied={rules.requested}
          onClose={() => setEditing(false)}
        />
      )}
      {may(scores) ? (
        <BoardSection
          api={api}
          game={game}
          board={board}
          created={rules.state?.created ?? null}
          revision={rules.revision}
          onCall={setCall}
        />
      ) : (
        <NoPermission needed={scores} />
      )}
    </>
  )
}

/** The rules in words, and the names that calls take: the key and the id. */
function BoardFacts({ board }: { readonly board: Leaderboard }) {
  const { id, key } = board
  return (
    <div class="board-facts small">
      <p class="soft">{texts.rules.inWords(board)}</p>
      {key !== null && (
        <p>
          <span class="soft">{texts.boards.key}</span> <span class="mono">{key}</span>{' '}
          <CopyButton text={key} label={texts.copy.key} />
        </p>
      )}
      <p>
        <span class="soft">{texts.common.id}</span> <span class="mono">{id}</span>{' '}
        <CopyButton text={id} label={texts.copy.id} />
      </p>
    </div>
  )
}

interface BoardActionsProps {
  readonly game: string | null
  readonly id: string
  readonly rules: RuleChange
  readonly isEditing: boolean
  readonly onEdit: () => void
  readonly children: ComponentChildren
}

function BoardActions({ game, id, rules, isEditing, onEdit, children }: BoardActionsProps) {
  const configure = `lb:${id}:configure`
  return (
    <>
      <ActionButton onAct={onEdit} needs={configure} pressed={isEditing}>
        {texts.rules.edit}
      </ActionButton>
      {children}
      {rules.undo !== null && (
        <ActionButton
          onAct={rules.undo}
          needs={configure}
          blocked={rules.isRunning ? texts.rules.busy : null}
          about={rules.undoTo}
        >
          {texts.rules.undo}
        </ActionButton>
      )}
      {game !== null && may(`gm:${game}:history`) && (
        <a class="button" href={to.history({ board: id })}>
          {texts.history.ofBoard}
        </a>
      )}
    </>
  )
}
