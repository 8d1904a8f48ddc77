import { useState } from 'preact/hooks'
import type { Api, Game, MadeKey, Page } from '../api.ts'
import { ActionButton } from '../components/action-button.tsx'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { TextField } from '../components/fields.tsx'
import { Name } from '../components/name.tsx'
import { PageHead } from '../components/page-head.tsx'
import { PagedTable } from '../components/paged-table.tsx'
import { Empty, NoPermission, Shown } from '../components/states.tsx'
import { Time } from '../components/time.tsx'
import { IssuedKey } from '../keys/issued-key.tsx'
import { may, type Session } from '../session.ts'
import { program } from '../snippets.ts'
import { texts } from '../texts.ts'
import { useLoad } from '../use-load.ts'

const LIMIT = 50
const NEEDED = 'sys:games'

interface Created {
  readonly game: Game
  readonly key: MadeKey
}

/** The games of the installation, for the operator. */
export function GamesPage({ session: { api } }: { readonly session: Session }) {
  const [offset, setOffset] = useState(0)
  const [isCreating, setCreating] = useState(false)
  const [created, setCreated] = useState<Created | null>(null)
  const query = { limit: LIMIT, offset }
  const games = useLoad(may(NEEDED) ? `games ${offset}` : null, () => api.games(query), { keeps: true })
  const call = {
    method: 'GET' as const,
    path: `/api/gm/?limit=${LIMIT}&offset=${offset}`,
    typescript: program('games', [query]),
  }
  return (
    <>
      <PageHead title={texts.pages.games} about={texts.games.about} call={may(NEEDED) ? call : undefined}>
        <ActionButton look="primary" onAct={() => setCreating(true)} needs={NEEDED}>
          {texts.games.create}
        </ActionButton>
      </PageHead>
      {may(NEEDED) ? (
        <Shown of={games}>{(page) => <GameList page={page} onOffset={setOffset} />}</Shown>
      ) : (
        <NoPermission needed={NEEDED} />
      )}
      {isCreating && (
        <CreateGame
          api={api}
          onCreated={(made) => {
            setCreated(made)
            games.reload()
          }}
          onClose={() => setCreating(false)}
        />
      )}
      {created !== null && !isCreating && (
        <IssuedKey made={created.key} game={created.game.id} onClose={() => setCreated(null)} />
      )}
    </>
  )
}

interface GameListProps {
  readonly page: Page<'games', Game>
  readonly onOffset: (offset: number) => void
}

function GameList({ page, onOffset }: GameListProps) {
  if (page.count === 0) return <Empty title={texts.games.none} />
  return (
    <PagedTable
      label={texts.pages.games}
      columns={[{ head: texts.common.name }, { head: texts.common.id }, { head: texts.common.created }]}
      page={page}
      onOffset={onOffset}
    >
      {page.games.map((game) => (
        <tr key={game.id}>
          <th scope="row">
            <Name name={game.name} id={game.id} />
          </th>
          <td class="mono">{game.id}</td>
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
  readonly onCreated: (created: Created) => void
  readonly onClose: () => void
}

function CreateGame({ api, onCreated, onClose }: CreateGameProps) {
  const [name, setName] = useState('')
  return (
    <ConfirmDialog
      verb={texts.games.create}
      title={texts.games.create}
      look="primary"
      onConfirm={async () => onCreated(await api.createGame(name.trim()))}
      onClose={onClose}
    >
      <TextField label={texts.common.name} value={name} onValue={setName} required />
      <p class="soft">{texts.games.createAbout}</p>
    </ConfirmDialog>
  )
}
