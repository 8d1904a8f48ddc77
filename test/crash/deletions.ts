// The deletion of a game and the deletion of players, on a folder that holds everything: what they delete, how it is asked for, and
// when nothing of it may be left.

import { deleteGame, makeGameToDelete, untilErased } from '../front-door/game-to-delete.ts'
import { makeTextFixture, writeEverything } from '../front-door/personal-texts.ts'
import { must, type World } from '../front-door/world.ts'
import { pause } from '../until.ts'
import { filesContaining } from './files-containing.ts'

/** In every text that is deleted. */
export const MARKER = 'Qzdeleted'
/** In texts that stay. */
export const STAYS = 'Qzstays'
/** By when no file contains a text of a deleted player, in ms. */
const ERASED_WITHIN_MS = 10_000

export interface Deletion {
  /** Sends the request, or repeats it with its Idempotency-Key. */
  ask(world: World): Promise<void>
  /** Resolves when the server says that everything is removed, or has had its time for that. */
  settled(world: World): Promise<void>
  /** Text in the log that says that all data is removed; null if nothing does. */
  readonly saidBy: string | null
}

/** Makes what is to be deleted. */
export type MakeDeletion = (world: World) => Promise<Deletion>

export const deletionOfGame: MakeDeletion = async (world) => {
  const doomed = await makeGameToDelete(world, MARKER)
  await makeGameToDelete(world, STAYS)
  return {
    async ask(asked) {
      const headers = { 'idempotency-key': 'delete the game' }
      must(await deleteGame(asked, doomed.game.id, doomed.name, headers), 202)
    },
    settled: (asked) => untilErased(asked, doomed.game.id),
    saidBy: 'GameErased',
  }
}

export const deletionOfPlayers: MakeDeletion = async (world) => {
  const fixture = await makeTextFixture(world)
  await writeEverything(fixture, STAYS)
  const ids = await writeEverything(fixture, MARKER)
  const { token, id: game } = fixture.game
  return {
    async ask(asked) {
      for (const id of ids) {
        const headers = { 'idempotency-key': `delete ${id}` }
        must(await asked.call('DELETE', `/api/gm/${game}/players/${id}/`, { token, headers }), 200)
      }
    },
    async settled(asked) {
      const deadline = Date.now() + ERASED_WITHIN_MS
      while (Date.now() < deadline && filesContaining(asked.dataDir, MARKER).length > 0) await pause(50)
    },
    saidBy: null,
  }
}
