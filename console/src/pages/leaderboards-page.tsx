import { useState } from 'preact/hooks'
import type { Leaderboard } from '../api.ts'
import { BoardKeyField, isKeyProblem, keyIn } from '../board/key-field.tsx'
import { RulesFields, type RulesForm, rulesFault, rulesOf } from '../board/rules-fields.tsx'
import { SeasonFields, scheduleOf, seasonFormOf } from '../board/season-fields.tsx'
import { ActionButton } from '../components/action-button.tsx'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { TextField } from '../components/fields.tsx'
import { Name } from '../components/name.tsx'
import { NumberText } from '../components/number-text.tsx'
import { PageHead } from '../components/page-head.tsx'
import { PagedTable } from '../components/paged-table.tsx'
import { SearchIfLong } from '../components/search-field.tsx'
import { Empty, NoPermission, Shown } from '../components/states.tsx'
import { boardsOf } from '../lists.ts'
import { go } from '../navigation.ts'
import { typedText, wholeNumber } from '../parameters.ts'
import { to } from '../routes.ts'
import { type ListPage, searchedPage } from '../rows-of-pages.ts'
import { may, type Session } from '../session.ts'
import { program } from '../snippets.ts'
import { texts } from '../texts.ts'
import { useAddress } from '../use-address.ts'
import { useLoad } from '../use-load.ts'

const LIMIT = 50
const EVERY_MS = 10_000
const SHOWN = { search: typedText(), offset: wholeNumber() }
const NEW_RULES: RulesForm = { ordering: 'desc', secondary: 'desc', unique: true, keep: 'best', min: '', max: '' }

/** The leaderboards of the game. */
export function LeaderboardsPage({ session: { api, game } }: { readonly session: Session }) {
  const [{ search, offset }, setShown] = useAddress(SHOWN)
  const [isCreating, setCreating] = useState(false)
  const needed = `gm:${game ?? '<game>'}:boards`
  const isPermitted = game !== null && may(needed)
  const read = () =>
    searchedPage({
      search,
      offset,
      limit: LIMIT,
      read: boardsOf(api, game ?? ''),
      texts: ({ id, name, key }: Leaderboard) => [id, name, key],
    })
  const boards = useLoad(isPermitted ? `boards ${search} ${offset}` : null, read, {
    everyMs: EVERY_MS,
    keeps: true,
    tags: ['board', 'player'],
  })
  const call = {
    method: 'GET' as const,
    path: `/api/gm/${game}/lb/?limit=${LIMIT}&offset=${offset}`,
    typescript: program('leaderboards', [game, { limit: LIMIT, offset }]),
  }
  return (
    <>
      <PageHead title={texts.pages.leaderboards} call={isPermitted ? call : undefined}>
        <ActionButton look="primary" onAct={() => setCreating(true)} needs={needed}>
          {texts.boards.create}
        </ActionButton>
      </PageHead>
      {isPermitted ? (
        <>
          <SearchIfLong
            page={boards.value}
            search={search}
            onSearch={(text) => setShown({ search: text, offset: 0 })}
          />
          <Shown of={boards}>
            {(page) => (
              <BoardList page={page} isSearch={search !== ''} onOffset={(next) => setShown({ offset: next })} />
            )}
          </Shown>
        </>
      ) : (
        <NoPermission needed={needed} />
      )}
      {isCreating && game !== null && <CreateBoard api={api} game={game} onClose={() => setCreating(false)} />}
    </>
  )
}

interface BoardListProps {
  readonly page: ListPage<Leaderboard>
  readonly isSearch: boolean
  readonly onOffset: (offset: number) => void
}

function BoardList({ page, isSearch, onOffset }: BoardListProps) {
  if (page.count === 0 && isSearch) return <Empty title={texts.boards.noMatch} />
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
      columns={[
        { head: texts.common.name },
        { head: texts.boards.key },
        { head: texts.boards.rules },
        { head: texts.boards.entries, isRight: true },
      ]}
      page={page}
      onOffset={onOffset}
    >
      {page.rows.map((board) => (
        <tr key={board.id}>
          <th scope="row">
            <a href={to.leaderboard(board.id)}>
              <Name name={board.name} id={board.id} />
            </a>
          </th>
          <td class="mono small wide-only">{board.key}</td>
          <td class="soft wrap">{texts.rules.inWords(board)}</td>
          <td class="number right lead" data-head={texts.boards.entries}>
            <NumberText value={board.entries} />
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
  const [seasonForm, setSeasonForm] = useState(() => seasonFormOf(null))
  const [refused, setRefused] = useState<unknown>(null)
  const create = async () => {
    const rules = { ...rulesOf(form), seasons: scheduleOf(seasonForm) }
    const board = await api.createLeaderboard(game, { name, description, key: keyIn(key), ...rules })
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
      <SeasonFields form={seasonForm} onForm={setSeasonForm} />
    </ConfirmDialog>
  )
}
