// A server with players who submit, 64 calls in flight.

import { type Fresh, freshServer } from './fresh-server.ts'
import type { Loader } from './processes.ts'
import { bodyOf, signIn, submitText } from './test-game.ts'

export const IN_FLIGHT = 64
const PLAYERS = 500

interface Submitting extends Fresh {
  /** A bearer token for each player. */
  readonly tokens: readonly string[]
  /** Submissions, each better than any before. */
  requests(count: number): string[]
  cost(count: number): Promise<number>
  /** The body of the answer. */
  sample(): Promise<object>
}

/** A server with players who submit. */
export async function submitting(loader: Loader, env: NodeJS.ProcessEnv, checkout?: string): Promise<Submitting> {
  return submittingTo(await freshServer(env, checkout), loader)
}

/** Players who submit to a server. */
export async function submittingTo(fresh: Fresh, loader: Loader): Promise<Submitting> {
  const { server, world } = fresh
  const tokens = await signIn(server.port, world, PLAYERS)
  let score = 100_000
  const requests = (count: number) =>
    Array.from({ length: count }, () => {
      score++
      return submitText(world.board, tokens[score % PLAYERS] ?? '', { score: `${score}.25` })
    })
  return {
    ...fresh,
    tokens,
    requests,
    cost: (count) => loader.cost(server, IN_FLIGHT, requests(count)),
    sample: async () =>
      bodyOf((await loader.load({ port: server.port, connections: 1, requests: requests(1) })).sample),
  }
}
