// A leaderboard of totals with more submissions than a page of an explanation has.

import type { Leaderboard, SubmittedScore } from '../../clients/javascript/score-shapes.ts'
import type { Player } from '../../clients/javascript/shapes.ts'
import type { ConsoleWorld } from './console-world.ts'

export interface TotalsBoard {
  readonly board: Leaderboard
  /** The player who is first. */
  readonly first: Player
  /** The scores of `first` in the order of submission. */
  readonly scores: readonly string[]
}

/** One more than two pages. */
const SUBMISSIONS = 41

const made = new WeakMap<ConsoleWorld, Promise<TotalsBoard>>()

/** The same leaderboard at each call. */
export function totalsBoard(world: ConsoleWorld): Promise<TotalsBoard> {
  const own = made.get(world) ?? makeIn(world)
  made.set(world, own)
  return own
}

async function makeIn(world: ConsoleWorld): Promise<TotalsBoard> {
  const settings = { name: 'Coins collected', key: 'coins', ordering: 'desc', keep: 'total' }
  const board = await world.send<Leaderboard>('POST', `/api/gm/${world.game}/lb/`, settings)
  const make = (name: string) => world.send<Player>('POST', `/api/gm/${world.game}/players/`, { name })
  const submit = (player: Player, score: string) =>
    world.send<SubmittedScore>('POST', `/api/lb/${board.id}/score/`, { player: player.id, score, secondary_score: '1' })
  const [first, second] = [await make('Coin collector'), await make('Coin saver')]
  const scores = Array.from({ length: SUBMISSIONS }, (_, at) => `${at + 1}.5`)
  for (const score of scores) await submit(first, score)
  await submit(second, '700')
  return { board, first, scores }
}
