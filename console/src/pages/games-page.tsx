import { useState } from 'preact/hooks'
import type { Api, Game } from '../api.ts'
import { ActionButton } from '../components/action-button.tsx'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { TextField } from '../components/fields.tsx'
import { Name } from '../components/name.tsx'
import { PageHead } from '../components/page-head.tsx'
import { PagedTable } from '../components/paged-table.tsx'
import { SearchIfLong } from '../components/search-field.tsx'
import { Empty, NoPermission, Shown } from '../components/states.tsx'
import { Time } from '../components/time.tsx'
import { showKey } from '../keys/shown-key.tsx'
import { gamesOf } from '../lists.ts'
import { typedText, wholeNumber } from '../parameters.ts'
import { to } from '../routes.ts'
import { type ListPage, searchedPage } from '../rows-of-pages.ts'
import { may, type Session } from '../session.ts'
import { program } from '../snippets.ts'
import { texts } from '../texts.ts'
import { useAddress } from '../use-address.ts'
import { useLoad } from '../use-load.ts'

const LIMIT = 50
const NEEDED = 'sys:games'
const SHOWN = { search: typedText(), offset: wholeNumber() }

/** The games of the installation, for the operator, who enters one by its row. */
export function GamesPage({ session: { api } }: { readonly session: Session }) {
  const [{ search, offset }, setShown] = useAddress(SHOWN)
  const [isCreating, setCreating] = useState(false)
  const read = () =>
    searchedPage({
      search,
      offset,
      limit: LIMIT,
      read: gamesOf(api),
      texts: ({ id, name }: Game) => [id, name],
    })
  const games = useLoad(may(NEEDED) ? `games ${search} ${offset}` : null, read, { keeps: true, tags: ['game'] })
  const call = {
    method: 'GET' as const,
    path: `/api/gm/?limit=${LIMIT}&offset=${offset}`,
    typescript: program('games', [{ limit: LIMIT, offset }]),
  }
  return (
    <>
      <PageHead title={texts.pages.games} about={texts.games.about} call={may(NEEDED) ? call : undefined}>
        <ActionButton look="primary" onAct={() => setCreating(true)} needs={NEEDED}>
          {texts.games.create}
        </ActionButton>
      </PageHead>
      {may(NEEDED) ? (
        <>
          <SearchIfLong page={games.value} search={search} onSearch={(text) => setShown({ search: text, offset: 0 })} />
          <Shown of={games}>
            {(page) => (
              <GameList page={page} isSearch={search !== ''} onOffset={(next) => setShown({ offset: next })} />
            )}
          </Shown>
        </>
      ) : (
        <NoPermission needed={NEEDED} />
      )}
      {isCreating && <CreateGame api={api} onClose={() => setCreating(false)} />}
    </>
  )
}

interface GameListProps {
  readonly page: ListPage<Game>
  readonly isSearch: boolean
  readonly onOffset: (offset: number) => void
}

function GameList({ page, isSearch, onOffset }: GameListProps) {
  if (page.count === 0) return <Empty title={isSearch ? texts.games.noMatch : texts.games.none} />
  return (
    <PagedTable
      label={texts.pages.games}
      columns={[{ head: texts.common.name }, { head: texts.common.id }, { head: texts.common.created }]}
      page={page}
      onOffset={onOffset}
    >
      {page.rows.map((game) => (
        <tr key={game.id}>
          <th scope="row">
            <a class="row-link" href={to.game(game.id)}>
              <Name name={game.name} id={game.id} />
            </a>
          </th>
          <td class="mono wide-only">{game.id}</td>
          <td>
            <Time at={game.created} />
          </td>
        </tr>
      ))}
    </PagedTable>
  )
}

interface CreateGameProps {
  readonly api: Api
  readonly onClose: () => void
}

function CreateGame({ api, onClose }: CreateGameProps) {
  const [name, setName] = useState('')
  const create = async () => {
    const { game, key } = await api.createGame(name.trim())
    showKey(key, game.id)
  }
  return (
    <ConfirmDialog
      verb={texts.games.create}
      title={texts.games.create}
      look="primary"
      onConfirm={create}
      onClose={onClose}
    >
      <TextField label={texts.common.name} value={name} onValue={setName} required />
      <p class="soft">{texts.games.createAbout}</p>
    </ConfirmDialog>
  )
}
