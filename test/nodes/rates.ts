// One API key far above its rate limit, on two nodes: together they admit what the limit allows.

import { makeGame, makeKey } from '../front-door/game-fixtures.ts'
import type { Answered } from '../front-door/http-client.ts'
import { tokenOf, type World } from '../front-door/world.ts'

export interface Limit {
  readonly perSecond: number
  readonly burst: number
}

interface RatesProof {
  readonly sent: number
  readonly admitted: number
  /** Sent calls per second, as a multiple of the limit. */
  readonly timesTheLimit: number
  /** Maximum that may be admitted: from the first call to the last answer. */
  readonly most: number
  /** Minimum that must be admitted: from the first answer to the last call. */
  readonly due: number
  /** One line for each answer that is neither the list nor 429. */
  readonly faults: readonly string[]
}

const CALLERS = 32

/** RATE_LIMITS in the environment of a node: this limit for a key, and no other limit that matters. */
export function rateLimits(key: Limit): string {
  const far = { perSecond: 1_000_000, burst: 1_000_000 }
  return JSON.stringify({ key, player: far, address: far, handshake: far, guest: far })
}

/** The nodes limit a key to this rate. Sends calls for `forMs`, starting with a full bucket. */
export async function proveRates(
  worlds: readonly World[],
  { perSecond, burst }: Limit,
  forMs: number,
): Promise<RatesProof> {
  const [world] = worlds as [World]
  const game = await makeGame(world)
  const token = await tokenOf(world, await makeKey(world, game))
  const faults: string[] = []
  const path = `/api/gm/${game.id}/`
  let [sent, admitted] = [0, 0]
  let [firstAnswer, lastSent] = [Number.POSITIVE_INFINITY, 0]
  const startedMs = performance.now()
  const ask = async (caller: number) => {
    for (let n = caller; performance.now() - startedMs < forMs; n++) {
      lastSent = performance.now()
      sent++
      const answer = await (worlds[n % worlds.length] as World).call('GET', path, { token })
      firstAnswer = Math.min(firstAnswer, performance.now())
      if (answer.status === 200) admitted++
      else if (answer.status !== 429) faults.push(describe(answer))
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, (_, caller) => ask(caller)))
  const within = (ms: number) => Math.floor((perSecond * ms) / 1_000 + burst)
  const ended = performance.now()
  const timesTheLimit = (sent - burst) / ((perSecond * (ended - startedMs)) / 1_000)
  return { sent, admitted, timesTheLimit, most: within(ended - startedMs), due: within(lastSent - firstAnswer), faults }
}

const describe = ({ status, text }: Answered) => `answered ${status}: ${text}`
