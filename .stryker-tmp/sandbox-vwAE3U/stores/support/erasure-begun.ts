// Whether the erasure of a deleted game has begun.

import { gameStream } from '../../domain/game.ts'
import type { Log } from '../contract/log.ts'
import { eventsFrom } from './events-from.ts'

/** Whether the erasure of a deleted game has begun, from the game's own stream. */
export async function hasErasureBegun(log: Pick<Log, 'readStream'>, game: string): Promise<boolean> {
  for await (const { type } of eventsFrom(log, gameStream(game))) if (type === 'GameErasureBegun') return true
  return false
}
