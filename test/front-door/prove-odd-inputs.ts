// Accepted input can be stored, and stored input can be projected, however unusual it is: sends unusual input over
// HTTP, reads each back, and finally checks the stores: no stream is quarantined, and rebuilt views equal live
// ones.

import { rm } from 'node:fs/promises'
import { differencesIn } from '../crash/stores-of.ts'
import { Random } from '../random.ts'
import { freshStores } from '../servers/store-urls.ts'
import { checkPlayer, checkScore, type OddTenant, openOddTenant, sendOdd } from './odd-calls.ts'
import { openWorld, type World } from './world.ts'

/** Each has its own game; all run in parallel. */
const TENANTS = 8
const SEED_STEP = 1_000_003
/** How many of each tenant are read again after a restart. */
const READ_AGAIN = 40
const MAX_FAULTS = 20
const CLOCK_AHEAD_MS = 3_600_000

export interface OddProof {
  readonly tried: number
  readonly seed: number
  /** One line per fault; for one tenant only some. */
  readonly faults: readonly string[]
  /** Entries and players made. */
  readonly entries: number
  readonly players: number
}

export interface OddInputsOptions {
  readonly inputs: number
  readonly seed: number
  /** `last`: the last fault. */
  readonly onProgress?: (tried: number, faults: number, last: string) => void
}

export async function proveOddInputs({ inputs, seed, onProgress = () => {} }: OddInputsOptions): Promise<OddProof> {
  const storeUrls = await freshStores()
  // The stores are read after the server has ended, so they must not be removed before.
  const world = await openWorld({ storeUrls: { ...storeUrls, end: async () => {} }, logLevel: 'warn' })
  // The fixed clock of the test is ahead, so that the reaction that finishes claims leaves them to the
  // calls that made them.
  world.clock.nowMs += CLOCK_AHEAD_MS
  const faults: string[] = []
  let tried = 0
  try {
    const opening = Array.from({ length: TENANTS }, (_, n) => openOddTenant(world, new Random(seed + n * SEED_STEP)))
    const tenants = await Promise.all(opening)
    const noted = async (tenant: number, what: string, work: () => Promise<void>) => {
      await work().catch((failure: Error) => {
        faults.push(`seed ${seed}, tenant ${tenant}, ${what}: ${failure.message}${logOf(failure.message, world)}`)
      })
    }
    const send = async (tenant: OddTenant, n: number) => {
      for (let i = n; i < inputs && faults.length < MAX_FAULTS; i += TENANTS) {
        await noted(n, `input ${i}`, () => sendOdd(tenant))
        tried += 1
        onProgress(tried, faults.length, faults.at(-1) ?? '')
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
    await storeUrls.end()
  }
}

/** The log lines of the request that an answer names. */
function logOf(answer: string, { lines }: World): string {
  const [, id] = /"request_id":"([^"]+)"/.exec(answer) ?? []
  return lines.filter((line) => id !== undefined && line.includes(id)).join('')
}

/** Also if it has already ended. */
async function ended(world: World): Promise<void> {
  await world.end()
  await rm(world.dataDir, { recursive: true, force: true })
}
