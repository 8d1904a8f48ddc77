// A server to which new guests sign in.

import type { Fresh } from './fresh-server.ts'
import type { Loader } from './processes.ts'
import { IN_FLIGHT } from './submissions.ts'
import { clientToken, postText } from './test-game.ts'

interface Guests extends Fresh {
  /** Processor seconds of the server for each sign-in. */
  cost(count: number): Promise<number>
}

export async function guestsOf(fresh: Fresh, loader: Loader): Promise<Guests> {
  const { server, world } = fresh
  const token = await clientToken(server.port, world)
  let guest = 0
  /** Sign-ins, each of a new guest. */
  const requests = (count: number) =>
    Array.from({ length: count }, () => {
      guest++
      return postText(`/api/gm/${world.game}/player/guest/`, token, { name: `Guest ${guest}` })
    })
  return { ...fresh, cost: (count) => loader.cost(server, IN_FLIGHT, requests(count)) }
}
