// Command contexts for reactions: in the reaction's own name, or in the name of the request that it completes. In both
// cases the commands depend only on state, so repeating them changes nothing, and they create no ids or secrets.

import { randomUUID } from 'node:crypto'
import type { CommandContext } from '../commands/command-context.ts'
import type { EventMeta } from '../domain/event.ts'

const nothing = { call: null, repeated: false, generator: { id: never, secret: never } } as const

export const ownContext = (nowMs: number): CommandContext => {
  return { ...nothing, command: randomUUID(), actor: null, request: null, nowMs }
}

/** In the name of the request that recorded the event, for effects that are not part of its response. */
export function onBehalfOf({ command, actor, request, time }: EventMeta, nowMs: number): CommandContext {
  return { ...nothing, command, actor, request, nowMs, notBefore: time }
}

/** As the request itself would continue. Whichever of the two runs second finds the other's events and adds nothing. */
export function asTheCall(meta: EventMeta, nowMs: number): CommandContext {
  return { ...onBehalfOf(meta, nowMs), call: meta.call ?? null }
}

function never(): never {
  throw new Error('a reaction makes no ids')
}
