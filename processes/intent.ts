// In whose name a process sends commands: its own, or that of the call which it finishes. Either way it asks for what the
// state decides alone, so that asking twice changes nothing more, and it makes no ids and no secrets.

import { randomUUID } from 'node:crypto'
import type { Intent } from '../commands/intent.ts'
import type { EventMeta } from '../domain/event.ts'

const nothing = { call: null, repeated: false, mint: { id: never, secret: never } } as const

export const ownIntent = (nowMs: number): Intent => {
  return { ...nothing, command: randomUUID(), actor: null, request: null, nowMs }
}

/** A context in the name of the call that recorded an event, for effects that its repeat does not answer. */
export function onBehalfOf({ command, actor, request, time }: EventMeta): Intent {
  return { ...nothing, command, actor, request, nowMs: Date.parse(time) }
}

/** As the call itself would go on: whichever of the two comes second finds the other's events and adds nothing. */
export function asTheCall(meta: EventMeta): Intent {
  return { ...onBehalfOf(meta), call: meta.call ?? null }
}

function never(): never {
  throw new Error('a process makes no ids')
}
