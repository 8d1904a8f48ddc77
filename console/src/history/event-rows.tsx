import type { GameEvent } from '../api.ts'
import { Name } from '../components/name.tsx'
import { Time } from '../components/time.tsx'
import { to } from '../routes.ts'
import { texts } from '../texts.ts'
import type { Names } from './use-names.ts'

const { columns } = texts.history

export const EVENT_COLUMNS = 6

export function EventHead() {
  return (
    <>
      {[columns.time, columns.type, columns.leaderboard, columns.player, columns.by, columns.request].map((name) => (
        <th key={name} scope="col">
          {name}
        </th>
      ))}
    </>
  )
}

interface EventRowProps {
  readonly event: GameEvent
  readonly index: number
  readonly names: Names
  readonly onOpen: (event: GameEvent) => void
}

const textIn = (event: GameEvent, name: string): string | null => {
  const value = event.meta[name]
  return typeof value === 'string' ? value : null
}

/** An event with links to what it is about, and who did it. */
export function EventRow({ event, index, names, onOpen }: EventRowProps) {
  const [board, player, actor, request] = ['board', 'player', 'actor', 'request'].map((name) => textIn(event, name))
  return (
    <tr aria-rowindex={index + 2}>
      <td>
        <Time at={event.time} />
      </td>
      <td>
        <button type="button" class="quiet" onClick={() => onOpen(event)}>
          {event.type}
        </button>
      </td>
      <td>
        {board != null && (
          <a href={to.leaderboard(board)}>
            <Name name={names.boards.get(board)} id={board} />
          </a>
        )}
      </td>
      <td>
        {player != null && (
          <a href={to.player(player)} class="mono">
            {player}
          </a>
        )}
      </td>
      <td>
        {actor == null ? (
          <span class="soft">{texts.history.service}</span>
        ) : (
          <Name name={names.keys.get(actor)} id={actor} />
        )}
      </td>
      <td>
        {request != null && (
          <a href={to.history({ request })} class="mono" title={texts.history.ofRequest}>
            {request}
          </a>
        )}
      </td>
    </tr>
  )
}
