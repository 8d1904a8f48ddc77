// The opening of each process that reacts to the deletion of a player.

import { type Position, type StoredEvent, shaped } from '../domain/event.ts'
import type { PlayerDeletedData } from '../domain/player.ts'
import type { Process } from './process.ts'

export interface DeletedPlayer extends Pick<PlayerDeletedData, 'links'> {
  readonly game: string
  readonly player: string
  /** Of their deletion. */
  readonly position: Position
}

export function onPlayerDeleted(
  name: string,
  react: (gone: DeletedPlayer, signal: AbortSignal) => Promise<void>,
): Process {
  return {
    name,
    takes: ['PlayerDeleted'],
    async react({ data, meta, position }: StoredEvent, signal) {
      const { game, player } = meta
      const { links } = shaped<PlayerDeletedData>(data)
      if (game !== null && player !== undefined) await react({ game, player, position, links }, signal)
    },
  }
}
