import { useState } from 'preact/hooks'
import type { Leaderboard, Page } from '../api.ts'
import { BoardKeyField, isKeyProblem, keyIn } from '../board/key-field.tsx'
import { RulesFields, type RulesForm, rulesFault, rulesOf } from '../board/rules-fields.tsx'
import { ActionButton } from '../components/action-button.tsx'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { TextField } from '../components/fields.tsx'
import { Name } from '../components/name.tsx'
import { PageHead } from '../components/page-head.tsx'
import { PagedTable } from '../components/paged-table.tsx'
import { Empty, NoPermission, Shown } from '../components/states.tsx'
import { whole } from '../format.ts'
import { go } from '../navigation.ts'
import { Pulse } from '../pulse.tsx'
import { to } from '../routes.ts'
import { may, type Session } from '../session.ts'
import { program } from '../snippets.ts'
import { texts } from '../texts.ts'
import { useLoad } from '../use-load.ts'

const LIMIT = 50
const NEW_RULES: RulesForm = { ordering: 'desc', secondary: 'desc', unique: true, keep: 'best', min: '', max: '' }

/** The start page: how the service is doing, and the leaderboards of the game. */
export function LeaderboardsPage({ session: { api, game } }: { readonly session: Session }) {
  const [offset, setOffset] = useState(0)
  const [isCreating, setCreating] = useState(false)
  const needed = `gm:${game ?? '<game>'}:boards`
  const isPermitted = game !== null && may(needed)
  const query = { limit: LIMIT, offset }
  const boards = useLoad(isPermitted ? `boards ${offset}` : null, () => api.leaderboards(game ?? '', query), {
    everyMs: 10_000,
    keeps: true,
  })
  const call = {
    method: 'GET' as const,
    path: `/api/gm/${game}/lb/?limit=${LIMIT}&offset=${offset}`,
    typescript: program('leaderboards', [game, query]),
  }
  return (
    <>
      <PageHead title={texts.pages.leaderboards} call={isPermitted ? call : undefined}>
        <ActionButton look="primary" onAct={() => setCreating(true)} needs={needed}>
          {texts.boards.create}
        </ActionButton>
      </PageHead>
      <Pulse api={api} game={game} />
      {isPermitted ? (
        <Shown of={boards}>{(page) => <BoardList page={page} onOffset={setOffset} />}</Shown>
      ) : (
        <NoPermission needed={needed} />
      )}
      {isCreating && game !== null && <CreateBoard api={api} game={game} onClose={() => setCreating(false)} />}
    </>
  )
}

interface BoardListProps {
  readonly page: Page<'leaderboards', Leaderboard>
  readonly onOffset: (offset: number) => void
}

function BoardList({ page, onOffset }: BoardListProps) {
  if (page.count === 0) {
    return (
      <Empty title={texts.boards.none}>
        <p>{texts.boards.noneAbout}</p>
      </Empty>
    )
  }
  return (
    <PagedTable
      label={texts.pages.leaderboards}
      stacks
      columns={[
        { head: texts.common.name },
        { head: texts.boards.key },
        { head: texts.boards.rules },
        { head: texts.boards.entries, isRight: true },
      ]}
      page={page}
      onOffset={onOffset}
    >
      {page.leaderboards.map((board) => (
        <tr key={board.id}>
          <th scope="row">
            <a href={to.leaderboard(board.id)}>
              <Name name={board.name} id={board.id} />
            </a>
          </th>
          <td class="mono small" data-head={texts.boards.key}>
            {board.key}
          </td>
          <td class="soft wrap">{texts.rules.inWords(board)}</td>
          <td class="number right" data-head={texts.boards.entries}>
            {whole(board.entries)}
          </td>
        </tr>
      ))}
    </PagedTable>
  )
}

function CreateBoard({
  api,
  game,
  onClose,
}: Pick<Session, 'api'> & { readonly game: string; readonly onClose: () => void }) {
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const [key, setKey] = useState('')
  const [form, setForm] = useState<RulesForm>(NEW_RULES)
  const [refused, setRefused] = useState<unknown>(null)
  const create = async () => {
    const board = await api.createLeaderboard(game, { name, description, key: keyIn(key), ...rulesOf(form) })
    go(to.leaderboard(board.id))
  }
  return (
    <ConfirmDialog
      verb={texts.boards.create}
      title={texts.boards.create}
      look="primary"
      onConfirm={create}
      onClose={onClose}
      isReady={rulesFault(form) === null}
      onRefused={setRefused}
      shownAtField={isKeyProblem}
    >
      <TextField label={texts.common.name} value={name} onValue={setName} required />
      <TextField label={texts.common.description} value={description} onValue={setDescription} />
      <BoardKeyField value={key} onValue={setKey} refused={refused} />
      <RulesFields form={form} onForm={setForm} />
    </ConfirmDialog>
  )
}
