import { useCallback, useState } from 'preact/hooks'
import type { Api, GameEvent } from '../api.ts'
import { rulesIn } from '../board/use-rules.ts'
import { Dialog } from '../components/dialog.tsx'
import { JsonView } from '../components/json-view.tsx'
import { Name } from '../components/name.tsx'
import { Time } from '../components/time.tsx'
import { VirtualTable } from '../components/virtual-table.tsx'
import { to } from '../routes.ts'
import { may } from '../session.ts'
import { texts } from '../texts.ts'
import { useLoad } from '../use-load.ts'

const { columns } = texts.history
const EVENT_COLUMNS = 6

interface EventTableProps {
  readonly api: Api
  readonly game: string
  /** Oldest first; the table shows the newest first. */
  readonly events: readonly GameEvent[]
}

/** Events, newest first, each with a dialog that shows all of it. */
export function EventTable({ api, game, events }: EventTableProps) {
  const names = useNames(api, game)
  const [open, setOpen] = useState<GameEvent | null>(null)
  const close = useCallback(() => setOpen(null), [])
  const row = (index: number) => {
    const event = events[events.length - 1 - index]
    return event === undefined ? null : (
      <EventRow key={event.position} event={event} index={index} names={names} onOpen={setOpen} />
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
      />
      {open !== null && <EventDialog event={open} onClose={close} />}
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

const textIn = (event: GameEvent, name: string): string | null => {
  const value = event.meta[name]
  return typeof value === 'string' ? value : null
}

/** An event with links to what it is about, and who did it. */
function EventRow({ event, index, names, onOpen }: EventRowProps) {
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

interface EventDialogProps {
  readonly event: GameEvent
  readonly onClose: () => void
}

/** One event in full. */
function EventDialog({ event, onClose }: EventDialogProps) {
  const { request } = event.meta
  const rules = rulesIn(event)
  return (
    <Dialog title={event.type} onClose={onClose} wide>
      <p>
        <Time at={event.time} />
      </p>
      {rules !== null && <p>{texts.rules.inWords(rules)}</p>}
      <JsonView value={event} label={event.type} />
      <div class="actions">
        {typeof request === 'string' && (
          <a class="button" href={to.history({ request })} onClick={onClose}>
            {texts.history.ofRequest}
          </a>
        )}
        <button type="button" onClick={onClose}>
          {texts.common.close}
        </button>
      </div>
    </Dialog>
  )
}

/** Names of the keys and leaderboards that events refer to. */
interface Names {
  readonly keys: ReadonlyMap<string, string>
  readonly boards: ReadonlyMap<string, string>
}

const NONE: Names = { keys: new Map(), boards: new Map() }
const NAMES_PER_READ = 100
/** Of more keys and leaderboards, events show the prefix and the id. */
const READS_MAX = 5

function useNames(api: Api, game: string): Names {
  const read = async (): Promise<Names> => {
    const keys = new Map<string, string>()
    const boards = new Map<string, string>()
    if (may(`gm:${game}:keys`)) {
      await pages(async (offset) => {
        const page = await api.keys(game, { limit: NAMES_PER_READ, offset })
        for (const { prefix, name } of page.keys) keys.set(prefix, name)
        return page.next_offset
      })
    }
    if (may(`gm:${game}:boards`)) {
      await pages(async (offset) => {
        const page = await api.leaderboards(game, { limit: NAMES_PER_READ, offset })
        for (const { id, name } of page.leaderboards) boards.set(id, name)
        return page.next_offset
      })
    }
    return { keys, boards }
  }
  return useLoad(`names ${game}`, read).value ?? NONE
}

async function pages(read: (offset: number) => Promise<number | null>): Promise<void> {
  let offset: number | null = 0
  for (let page = 0; page < READS_MAX && offset !== null; page++) offset = await read(offset)
}
