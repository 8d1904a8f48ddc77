import type { GameEvent } from '../api.ts'
import { Name } from '../components/name.tsx'
import { Time } from '../components/time.tsx'
import { stackedBelow, VirtualTable } from '../components/virtual-table.tsx'
import { PlayerById } from '../player/player-by-id.tsx'
import { to } from '../routes.ts'
import { texts } from '../texts.ts'
import { textIn } from './event-fields.ts'
import type { Names } from './names.ts'
import { useOpenEvent } from './use-open-event.tsx'

const { columns } = texts.history
const EVENT_COLUMNS = 6
const layout = stackedBelow(56, 'events-stacked', 5.25)

interface EventTableProps {
  readonly names: Names
  /** Oldest first; the table shows the newest first. */
  readonly events: readonly GameEvent[]
}

/** Events, newest first, each with a dialog that shows all of it. */
export function EventTable({ names, events }: EventTableProps) {
  const [open, dialog] = useOpenEvent(events)
  const row = (index: number) => {
    const event = events[events.length - 1 - index]
    return event === undefined ? null : (
      <EventRow key={event.position} event={event} index={index} names={names} onOpen={open} />
    )
  }
  return (
    <>
      <VirtualTable
        label={texts.history.events}
        head={<EventHead />}
        columns={EVENT_COLUMNS}
        count={events.length}
        row={row}
        layout={layout}
      />
      {dialog}
    </>
  )
}

function EventHead() {
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

/** An event with links to what it is about, and who did it. */
function EventRow({ event, index, names, onOpen }: EventRowProps) {
  const [board, player, actor, request] = ['board', 'player', 'actor', 'request'].map((name) =>
    textIn(event.meta, name),
  )
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
      <td>{player != null && <PlayerById id={player} />}</td>
      <td>
        {actor == null ? (
          <span class="soft">{texts.history.service}</span>
        ) : (
          <Name name={names.keys.get(actor)?.name} id={actor} />
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
