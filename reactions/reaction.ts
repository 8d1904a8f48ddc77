// A reaction: a name, the event types that it handles, and what it does after each. Delivery is at least once, so it
// must be idempotent. It holds no state of its own. server/node/reactions.ts creates all of them with what they need.

import { randomUUID } from 'node:crypto'
import type { CommandContext, WaitForProjection } from '../commands/command-context.ts'
import type { CommandDeps } from '../commands/command-deps.ts'
import { type EventMeta, type Position, type StoredEvent, unsafeCast } from '../domain/event.ts'
import type { PlayerDeletedData } from '../domain/player.ts'
import type { QueryDeps } from '../queries/deps.ts'
import type { FileStore } from '../stores/contract/files.ts'

export interface Reaction {
  readonly name: string
  readonly takes: readonly string[]
  /**
   * Sends the resulting commands. If it rejects, the failure is reported and the event is delivered again. The signal
   * aborts when the node stops.
   */
  react(event: StoredEvent, signal: AbortSignal): Promise<void>
}

export interface ReactionDeps {
  readonly commands: CommandDeps
  readonly queries: QueryDeps
  /** Unix milliseconds. */
  now(): number
  /** True if a game is deleted. Another reaction removes all its data, and its commands are refused. */
  isDeleted?(game: string | null): boolean
  /** See `waitForViews` in wait.ts. */
  readonly waitForProjection: WaitForProjection
}

/** For reactions that compare the file store with the views. */
export interface StoreReactionDeps extends Pick<ReactionDeps, 'queries' | 'now'> {
  readonly files: FileStore
  /** Waits until the views contain what the log held at the call; false if they do not. */
  untilViewsCurrent(): Promise<boolean>
}

// Contexts: the commands of a reaction depend only on state, so repeating them changes nothing, and they create no ids
// or secrets.

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

export interface DeletedPlayer extends PlayerDeletedData {
  readonly game: string
  readonly player: string
  /** Position of the deletion event. */
  readonly position: Position
  readonly meta: EventMeta
}

/** The common start of all reactions to the deletion of a player. */
export function onPlayerDeleted(
  name: string,
  react: (deleted: DeletedPlayer, signal: AbortSignal) => Promise<void>,
): Reaction {
  return {
    name,
    takes: ['PlayerDeleted'],
    async react({ data, meta, position }: StoredEvent, signal) {
      const { game, player } = meta
      if (game === null || player === undefined) return
      await react({ ...unsafeCast<PlayerDeletedData>(data), game, player, position, meta }, signal)
    },
  }
}
