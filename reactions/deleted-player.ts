// The common start of all reactions to the deletion of a player.

import { type EventMeta, type Position, type StoredEvent, unsafeCast } from '../domain/event.ts'
import type { PlayerDeletedData } from '../domain/player.ts'
import type { Reaction } from './reaction.ts'

export interface DeletedPlayer extends PlayerDeletedData {
  readonly game: string
  readonly player: string
  /** Position of the deletion event. */
  readonly position: Position
  readonly meta: EventMeta
}

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
