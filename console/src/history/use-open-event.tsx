import type { ComponentChildren } from 'preact'
import type { GameEvent } from '../api.ts'
import { chosenText } from '../parameters.ts'
import { useAddress } from '../use-address.ts'
import { EventDialog } from './event-dialog.tsx'

const SHOWN = { event: chosenText() }

/** Opens an event of a list in full; which one is in the address. Returns how to open one, and its dialog. */
export function useOpenEvent(events: readonly GameEvent[]): readonly [(event: GameEvent) => void, ComponentChildren] {
  const [{ event: position }, setShown] = useAddress(SHOWN)
  const open = position === '' ? undefined : events.find((event) => event.position === position)
  return [
    (event) => setShown({ event: event.position }),
    open === undefined ? null : <EventDialog event={open} onClose={() => setShown({ event: '' })} />,
  ]
}
