// Submissions of a tenant in calls of 100, beside single calls of the same players. Each submission is an improvement
// on a unique board.

import type { Fresh } from './fresh-server.ts'
import type { Loader } from './processes.ts'
import { call, handshake, makePlayers, postText } from './test-game.ts'

export const IN_A_CALL = 100
const PLAYERS = 500
const SINGLE_IN_FLIGHT = 64
const CALLS_IN_FLIGHT = 2

/** Processor seconds of the server per submission, of as many submissions as so many calls have. */
export interface ManySubmissions {
  single(calls: number): Promise<number>
  many(calls: number): Promise<number>
  /** Sends a call with this many submissions, from this process. */
  send(length: number): Promise<unknown>
}

export async function manySubmissionsOf({ server, world }: Fresh, loader: Loader): Promise<ManySubmissions> {
  const token = await handshake(server.port, world.key)
  const players = await makePlayers(server.port, world, token, PLAYERS)
  let score = 100_000
  const next = () => {
    score++
    return { player: players[score % PLAYERS], score: `${score}.25` }
  }
  const single = () => postText(`/api/lb/${world.board}/score/`, token, next())
  const path = `/api/gm/${world.game}/scores/`
  const body = (length: number) => ({
    submissions: Array.from({ length }, () => ({ leaderboard: world.board, ...next() })),
  })
  const many = () => postText(path, token, body(IN_A_CALL))
  const texts = (count: number, make: () => string) => Array.from({ length: count }, make)
  return {
    single: (calls) => loader.cost(server, SINGLE_IN_FLIGHT, texts(calls * IN_A_CALL, single)),
    many: async (calls) => (await loader.cost(server, CALLS_IN_FLIGHT, texts(calls, many))) / IN_A_CALL,
    send: (length) => call(server.port, 'POST', path, { token, body: body(length) }),
  }
}
