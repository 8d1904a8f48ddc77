// What was accepted can be stored, and what was stored can be projected, however odd it is: sends odd inputs through
// the front door, reads each back, and in the end looks into the stores: no stream is parked, and rebuilt views equal
// live ones.

import { rm } from 'node:fs/promises'
import { differencesIn } from '../crash/stores-of.ts'
import { Random } from '../random.ts'
import { freshPlaces } from '../servers/places.ts'
import { checkPlayer, checkScore, type OddTenant, openOddTenant, sendOdd } from './odd-calls.ts'
import { openWorld, type World } from './world.ts'

/** Each with a game of its own, at work at the same time. */
const TENANTS = 8
const SEED_STEP = 1_000_003
/** Of each tenant's, read again after a restart. */
const READ_AGAIN = 40
const FAULTS_TOLD = 20
const CLOCK_AHEAD_MS = 3_600_000

export interface OddProof {
  readonly tried: number
  readonly seed: number
  /** One line for each thing that was not as it should be; at most some of the same tenant's. */
  readonly faults: readonly string[]
  /** Entries and players made. */
  readonly entries: number
  readonly players: number
}

export interface OddWish {
  readonly inputs: number
  readonly seed: number
  /** `last`: the last thing that was not as it should be. */
  readonly told?: (tried: number, faults: number, last: string) => void
}

export async function proveOddInputs({ inputs, seed, told = () => {} }: OddWish): Promise<OddProof> {
  const places = await freshPlaces()
  // The stores are looked into when the server has ended, and are still to be there then.
  const world = await openWorld({ places: { ...places, end: async () => {} }, logLevel: 'warn' })
  // The clock of the test stands: ahead, so that the process that finishes claims leaves
  // them to the calls that made them.
  world.clock.nowMs += CLOCK_AHEAD_MS
  const faults: string[] = []
  let tried = 0
  try {
    const opening = Array.from({ length: TENANTS }, (_, n) => openOddTenant(world, new Random(seed + n * SEED_STEP)))
    const tenants = await Promise.all(opening)
    const noted = async (tenant: number, what: string, work: () => Promise<void>) => {
      await work().catch((failure: Error) => {
        faults.push(`seed ${seed}, tenant ${tenant}, ${what}: ${failure.message}${whyOf(failure.message, world)}`)
      })
    }
    const send = async (tenant: OddTenant, n: number) => {
      for (let i = n; i < inputs && faults.length < FAULTS_TOLD; i += TENANTS) {
        await noted(n, `input ${i}`, () => sendOdd(tenant))
        tried += 1
        told(tried, faults.length, faults.at(-1) ?? '')
      }
    }
    await Promise.all(tenants.map(send))
    await world.restart()
    const readAgain = async (tenant: OddTenant, n: number) => {
      const random = new Random(seed)
      const some = (ids: Iterable<string>) => random.shuffled([...ids]).slice(0, READ_AGAIN)
      for (const id of some(tenant.scores.keys())) await noted(n, `again ${id}`, () => checkScore(tenant, id))
      for (const id of some(tenant.players.keys())) await noted(n, `again ${id}`, () => checkPlayer(tenant, id))
    }
    await Promise.all(tenants.map(readAgain))
    await world.end()
    faults.push(
      ...(await differencesIn(world).catch((failure: Error) => [`live cannot be compared: ${failure.stack}`])),
    )
    const count = (of: (tenant: OddTenant) => number) => tenants.reduce((sum, tenant) => sum + of(tenant), 0)
    const made = { entries: count(({ scores }) => scores.size), players: count(({ players }) => players.size) }
    return { tried, seed, faults, ...made }
  } finally {
    await ended(world)
    await places.end()
  }
}

/** What the log says of a request that an answer names. */
function whyOf(answer: string, { lines }: World): string {
  const [, id] = /"request_id":"([^"]+)"/.exec(answer) ?? []
  return lines.filter((line) => id !== undefined && line.includes(id)).join('')
}

/** Also where it has ended already. */
async function ended(world: World): Promise<void> {
  await world.end()
  await rm(world.dataDir, { recursive: true, force: true })
}
