// In whose name a process sends commands: its own, or that of the call which it finishes. Either way it asks for what the
// state decides alone, so that asking twice changes nothing more, and it makes no ids and no secrets.

import { randomUUID } from 'node:crypto'
import type { Intent } from '../commands/intent.ts'
import type { EventMeta } from '../domain/event.ts'

const nothing = { call: null, repeated: false, mint: { id: never, secret: never } } as const

export const ownIntent = (nowMs: number): Intent => {
  return { ...nothing, command: randomUUID(), actor: null, request: null, nowMs }
}

/** That of the call which recorded an event. */
export function intentOf({ command, actor, request, time }: EventMeta): Intent {
  return { ...nothing, command, actor, request, nowMs: Date.parse(time) }
}

function never(): never {
  throw new Error('a process makes no ids')
}
