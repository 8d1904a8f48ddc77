// Whether a deleted game is being removed.

import { gameStream } from '../../domain/game.ts'
import type { Log } from '../contract/log.ts'
import { eventsFrom } from './events-from.ts'

/** Whether the removal of a deleted game's events has begun, by its own stream. */
export async function hasErasureBegun(log: Pick<Log, 'readStream'>, game: string): Promise<boolean> {
  for await (const { type } of eventsFrom(log, gameStream(game))) if (type === 'GameErasureBegun') return true
  return false
}
