// The deletion of a game and the deletion of players, who have left everything that they can leave: the requests, and
// when nothing may be left.

import { deleteGame, makeGameToDelete, untilErased } from '../front-door/game-to-delete.ts'
import type { Answered } from '../front-door/http-client.ts'
import { makeTextFixture, writeEverything } from '../front-door/personal-texts.ts'
import { storedWith } from '../front-door/stored-texts.ts'
import { must, type World } from '../front-door/world.ts'
import { pause } from '../until.ts'

/** By when no store has a text of a deleted player, in ms, on a machine that may be far slower than intended. */
const ERASED_WITHIN_MS = 60_000

export interface Deletion {
  /** Sends the requests, or repeats them with their Idempotency-Keys. */
  ask(world: World): Promise<void>
  /** Resolves when the server says that everything is removed, or has had its time for that. */
  settled(world: World): Promise<void>
  /** What an embedded log has once it says that all data is removed; null if nothing says so. */
  readonly saidBy: string | null
}

/** Makes what is to be deleted. `marker`, letters only, is in each of its texts. */
export type MakeDeletion = (world: World, marker: string) => Promise<Deletion>

/** As a client does: a killed process holds the Idempotency-Key of its call for some seconds. */
async function untilEnded(call: () => Promise<Answered>): Promise<Answered> {
  for (;;) {
    const answer = await call()
    if (answer.body?.code !== 'idempotency_in_progress') return answer
    await pause(100)
  }
}

export const deletionOfGame: MakeDeletion = async (world, marker) => {
  const { game, name } = await makeGameToDelete(world, marker)
  return {
    async ask(asked) {
      const key = { 'idempotency-key': `delete ${game.id}` }
      must(await untilEnded(() => deleteGame(asked, game.id, name, key)), 202)
    },
    settled: (asked) => untilErased(asked, game.id),
    saidBy: `"game":"${game.id}","events":`,
  }
}

export const deletionOfPlayers: MakeDeletion = async (world, marker) => {
  const fixture = await makeTextFixture(world)
  const ids = await writeEverything(fixture, marker)
  const { token, id: game } = fixture.game
  return {
    async ask(asked) {
      for (const id of ids) {
        const headers = { 'idempotency-key': `delete ${id}` }
        const path = `/api/gm/${game}/players/${id}/`
        must(await untilEnded(() => asked.call('DELETE', path, { token, headers })), 200)
      }
    },
    async settled(asked) {
      const deadline = Date.now() + ERASED_WITHIN_MS
      while (Date.now() < deadline && (await storedWith(asked, marker)).length > 0) await pause(50)
    },
    saidBy: null,
  }
}
