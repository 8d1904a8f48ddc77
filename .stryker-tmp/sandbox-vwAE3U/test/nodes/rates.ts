// One API key far over its limit, on two nodes: what is admitted is what the limit says, over both.

import type { Answered } from '../front-door/http-client.ts'
import { makeGame, makeKey } from '../front-door/scenery.ts'
import { tokenOf, type World } from '../front-door/world.ts'

export interface Limit {
  readonly perSecond: number
  readonly burst: number
}

interface RatesProof {
  readonly sent: number
  readonly admitted: number
  /** Of the calls, how many times as many as the limit were sent a second. */
  readonly timesTheLimit: number
  /** No more may be admitted: from the first call sent to the last answer. */
  readonly most: number
  /** As much there was to admit while it was asked for: from the first answer to the last call sent. */
  readonly due: number
  /** One line for each answer that is neither the list nor 429. */
  readonly faults: readonly string[]
}

const CALLERS = 32

/** RATE_LIMITS of a node, as its environment says it: this for a key, and nothing else that counts. */
export function rateLimits(key: Limit): string {
  const far = { perSecond: 1_000_000, burst: 1_000_000 }
  return JSON.stringify({ key, player: far, address: far, handshake: far, guest: far })
}

/** The nodes limit a key so. Asks for `forMs`, after the key's bucket is full. */
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
  const begun = performance.now()
  const ask = async (caller: number) => {
    for (let n = caller; performance.now() - begun < forMs; n++) {
      lastSent = performance.now()
      sent++
      const answer = await (worlds[n % worlds.length] as World).call('GET', path, { token })
      firstAnswer = Math.min(firstAnswer, performance.now())
      if (answer.status === 200) admitted++
      else if (answer.status !== 429) faults.push(told(answer))
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, (_, caller) => ask(caller)))
  const within = (ms: number) => Math.floor((perSecond * ms) / 1_000 + burst)
  const ended = performance.now()
  const timesTheLimit = (sent - burst) / ((perSecond * (ended - begun)) / 1_000)
  return { sent, admitted, timesTheLimit, most: within(ended - begun), due: within(lastSent - firstAnswer), faults }
}

const told = ({ status, text }: Answered) => `answered ${status}: ${text}`
