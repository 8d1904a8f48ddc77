import type { Page, Player } from '../api.ts'
import { PlayerLink } from '../components/name.tsx'
import { PageHead } from '../components/page-head.tsx'
import { PagedTable } from '../components/paged-table.tsx'
import { SearchField } from '../components/search-field.tsx'
import { Empty, NoPermission, Shown } from '../components/states.tsx'
import { Time } from '../components/time.tsx'
import { typedText, wholeNumber } from '../parameters.ts'
import { PlayerState } from '../player/player-state.tsx'
import { may, type Session } from '../session.ts'
import { program } from '../snippets.ts'
import { texts } from '../texts.ts'
import { useAddress } from '../use-address.ts'
import { useLoad } from '../use-load.ts'

const LIMIT = 50
const SHOWN = { search: typedText(), offset: wholeNumber() }

/** The players of the game, and the search by name. */
export function PlayersPage({ session: { api, game } }: { readonly session: Session }) {
  const [{ search: name, offset }, setShown] = useAddress(SHOWN)
  const needed = `gm:${game ?? '<game>'}:players`
  const isPermitted = game !== null && may(needed)
  const query = { limit: LIMIT, offset, ...(name === '' ? {} : { name }) }
  const players = useLoad(isPermitted ? JSON.stringify(query) : null, () => api.players(game ?? '', query), {
    keeps: true,
    tags: ['player'],
  })
  const search = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]))
  const call = {
    method: 'GET' as const,
    path: `/api/gm/${game}/players/?${search}`,
    typescript: program('players', [game, query]),
  }
  return (
    <>
      <PageHead title={texts.pages.players} call={isPermitted ? call : undefined} />
      {isPermitted ? (
        <>
          <div class="fields narrow">
            <SearchField value={name} onSearch={(search) => setShown({ search, offset: 0 })} />
          </div>
          <Shown of={players}>
            {(page) => (
              <PlayerList page={page} onOffset={(next) => setShown({ offset: next })} isSearch={name !== ''} />
            )}
          </Shown>
        </>
      ) : (
        <NoPermission needed={needed} />
      )}
    </>
  )
}

interface PlayerListProps {
  readonly page: Page<'players', Player>
  readonly onOffset: (offset: number) => void
  readonly isSearch: boolean
}

function PlayerList({ page, onOffset, isSearch }: PlayerListProps) {
  if (page.count === 0) {
    return (
      <Empty title={isSearch ? texts.players.noMatch : texts.players.none}>
        <p>{isSearch ? texts.players.noMatchAbout : texts.players.noneAbout}</p>
      </Empty>
    )
  }
  return (
    <PagedTable
      label={texts.pages.players}
      columns={[
        { head: texts.common.name },
        { head: texts.common.id },
        { head: texts.common.created },
        { head: texts.players.state },
      ]}
      page={page}
      onOffset={onOffset}
    >
      {page.players.map((player) => (
        <tr key={player.id}>
          <th scope="row">
            <PlayerLink id={player.id} name={player.name} />
          </th>
          <td class="mono wide-only">{player.id}</td>
          <td>
            <Time at={player.created} />
          </td>
          <td class="lead">
            <PlayerState player={player} />
          </td>
        </tr>
      ))}
    </PagedTable>
  )
}
