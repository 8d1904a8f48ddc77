import type { Page, Room } from '../api.ts'
import { Later } from '../components/later.tsx'
import { Name } from '../components/name.tsx'
import { NumberText } from '../components/number-text.tsx'
import { PageHead } from '../components/page-head.tsx'
import { PagedTable } from '../components/paged-table.tsx'
import { Empty, NoPermission, Shown } from '../components/states.tsx'
import { chosenText, wholeNumber } from '../parameters.ts'
import { may, type Session } from '../session.ts'
import { program } from '../snippets.ts'
import { texts } from '../texts.ts'
import { useAddress } from '../use-address.ts'
import { useLoad } from '../use-load.ts'

const LIMIT = 50
const EVERY_MS = 3_000
const SHOWN = { room: chosenText(), offset: wholeNumber() }

/** The open rooms of the game, and one of them as it is now. */
export function RoomsPage({ session: { api, game } }: { readonly session: Session }) {
  const [{ room: chosen, offset }, setShown] = useAddress(SHOWN)
  const needed = `gm:${game ?? '<game>'}:realtime`
  const isPermitted = game !== null && may(needed)
  const query = { limit: LIMIT, offset }
  const read = () => api.rooms(game ?? '', query)
  const rooms = useLoad(isPermitted ? `rooms ${offset}` : null, read, { everyMs: EVERY_MS, keeps: true })
  const room = rooms.value?.rooms.find(({ id }) => id === chosen)
  const call = {
    method: 'GET' as const,
    path: `/api/gm/${game}/rooms/?limit=${LIMIT}&offset=${offset}`,
    typescript: program('rooms', [game, query]),
  }
  return (
    <>
      <PageHead title={texts.pages.rooms} about={texts.rooms.about} call={isPermitted ? call : undefined} />
      {isPermitted ? (
        <Shown of={rooms}>
          {(page) => (
            <RoomList
              page={page}
              chosen={chosen}
              onChoose={(id) => setShown({ room: id })}
              onOffset={(next) => setShown({ offset: next })}
            />
          )}
        </Shown>
      ) : (
        <NoPermission needed={needed} />
      )}
      {game !== null && room !== undefined && (
        <Later key={room.id} name="room" load={() => import('../rooms/room-view.tsx')}>
          {({ RoomView }) => <RoomView api={api} game={game} room={room} />}
        </Later>
      )}
    </>
  )
}

interface RoomListProps {
  readonly page: Page<'rooms', Room>
  readonly chosen: string
  readonly onChoose: (room: string) => void
  readonly onOffset: (offset: number) => void
}

function RoomList({ page, chosen, onChoose, onOffset }: RoomListProps) {
  if (page.count === 0) {
    return (
      <Empty title={texts.rooms.none}>
        <p>{texts.rooms.noneAbout}</p>
      </Empty>
    )
  }
  return (
    <PagedTable
      label={texts.pages.rooms}
      columns={[
        { head: texts.rooms.room },
        { head: texts.rooms.membersColumn },
        { head: texts.rooms.kind },
        { head: texts.common.actions, isRight: true },
      ]}
      page={page}
      onOffset={onOffset}
    >
      {page.rooms.map((room) => (
        <tr key={room.id}>
          <th scope="row">
            <Name name={room.name} id={room.id} />
          </th>
          <td>
            <NumberText value={room.members.length} /> / <NumberText value={room.max_members} />
          </td>
          <td>{room.fixed ? texts.rooms.fixed : texts.rooms.open}</td>
          <td class="actions-cell">
            <button type="button" class="quiet" aria-pressed={room.id === chosen} onClick={() => onChoose(room.id)}>
              {texts.rooms.watch}
            </button>
          </td>
        </tr>
      ))}
    </PagedTable>
  )
}
