import { useEffect, useState } from 'preact/hooks'
import type { Api, Room } from '../api.ts'
import { Name, PlayerLink } from '../components/name.tsx'
import { ScrollRegion } from '../components/scroll-region.tsx'
import { Time } from '../components/time.tsx'
import { readableJson } from '../format.ts'
import { texts } from '../texts.ts'
import { type Heard, listenToRoom } from './listen.ts'

interface RoomViewProps {
  readonly api: Api
  readonly game: string
  readonly room: Room
}

/** A room's members, and its messages as they come. Nobody in the room sees that somebody listens. */
export function RoomView({ api, game, room }: RoomViewProps) {
  const [heard, setHeard] = useState<Heard>({ state: 'connecting', detail: null, members: room.members, messages: [] })
  useEffect(() => listenToRoom(api, game, room.id, setHeard), [api, game, room.id])
  const players = new Map(heard.members.map(({ member, player }) => [member, player]))
  return (
    <section class="panel" aria-label={texts.rooms.room}>
      <h2>
        <Name name={room.name} id={room.id} whole />
      </h2>
      <p class="soft" role="status">
        {texts.rooms.states[heard.state]} {heard.detail ?? ''}
      </p>
      <h3>{texts.rooms.members(heard.members.length, room.max_members)}</h3>
      <ul class="choices">
        {heard.members.map(({ member, player }) => (
          <li key={member}>{player === null ? <span class="mono">{member}</span> : <PlayerLink {...player} />}</li>
        ))}
      </ul>
      <h3>{texts.rooms.messages}</h3>
      {heard.messages.length === 0 ? (
        <p class="soft">{texts.rooms.noMessages}</p>
      ) : (
        <ScrollRegion label={texts.rooms.messages} long>
          <table>
            <thead>
              <tr>
                <th scope="col">{texts.board.columns.when}</th>
                <th scope="col">{texts.rooms.from}</th>
                <th scope="col">{texts.rooms.data}</th>
              </tr>
            </thead>
            <tbody>
              {heard.messages.toReversed().map((message) => {
                const player = players.get(message.from)
                return (
                  <tr key={`${message.seq} ${message.sent_at}`}>
                    <td>
                      <Time at={message.sent_at} />
                    </td>
                    <td>{player == null ? <span class="mono">{message.from}</span> : <PlayerLink {...player} />}</td>
                    <td>
                      <code class="message-data">{readableJson(message.data)}</code>
                    </td>
                  </tr>
                )
              })}
            </tbody>
          </table>
        </ScrollRegion>
      )}
    </section>
  )
}
