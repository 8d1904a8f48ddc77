import { useCallback, useState } from 'preact/hooks'
import type { Api, GameEvent } from '../api.ts'
import { VirtualTable } from '../components/virtual-table.tsx'
import { texts } from '../texts.ts'
import { EventDialog } from './event-dialog.tsx'
import { EVENT_COLUMNS, EventHead, EventRow } from './event-rows.tsx'
import { useNames } from './use-names.ts'

interface EventTableProps {
  readonly api: Api
  readonly game: string
  /** Oldest first; the table shows the newest first. */
  readonly events: readonly GameEvent[]
}

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
