// What a stranger could learn from how long an answer takes: a wrong password of a known login beside an unknown login, and
// a code asked for a known address beside an unknown one. Over HTTP, one call at a time, each kind in turn; medians.

import { randomUUID } from 'node:crypto'
import { type Door, openDoor, PASSWORD } from '../test/front-door/players-at-the-door.ts'
import { openWorld, type World } from '../test/front-door/world.ts'
import { median, type Size } from './measure.ts'
import type { BenchRow } from './row.ts'

const SAMPLES = 2_000
const QUICK_SAMPLES = 200
/** How much one median may differ from the other. */
const GOAL = 0.05
const KNOWN = 5
const ADDRESSES = 20
/** Calls after which the clock is set on, so that nobody is locked out. */
const BEFORE_LOCKED = 16
const PAST_LOCK_MS = 61_000
const PAST_MAILS_MS = 15 * 60_000 + 1_000

export async function benchSignInTiming(size: Size): Promise<BenchRow[]> {
  const samples = size.quick ? QUICK_SAMPLES : SAMPLES
  const world = await openWorld()
  try {
    return [await passwords(world, samples), await codes(world, samples)]
  } finally {
    await world.close()
  }
}

async function passwords(world: World, samples: number): Promise<BenchRow> {
  let door = await openDoor(world)
  for (let n = 0; n < KNOWN; n += 1) await door.register({ login: `known-${n}` })
  let sent = 0
  const guess = async (login: string) => {
    if (sent % BEFORE_LOCKED === 0) door = await later(door, PAST_LOCK_MS)
    sent += 1
    return timed(401, () => door.post('password', { login, password: `not ${PASSWORD}` }))
  }
  return compared('wrong password of a known login / unknown login', samples, {
    known: (n) => guess(`known-${n % KNOWN}`),
    unknown: () => guess(randomUUID().slice(0, 7)),
  })
}

async function codes(world: World, samples: number): Promise<BenchRow> {
  let door = await openDoor(world)
  const addresses = Array.from({ length: ADDRESSES }, () => `${randomUUID()}@example.com`)
  for (const email of addresses) await door.register({ login: email.slice(0, 36), email })
  let sent = 0
  const ask = async (email: string) => {
    if (sent % ADDRESSES === 0) door = await later(door, PAST_MAILS_MS)
    sent += 1
    return timed(202, () => door.post('code', { email }))
  }
  return compared('a code for a known address / an unknown one', samples, {
    known: (n) => ask(addresses[n % ADDRESSES] ?? ''),
    unknown: () => ask(`${randomUUID()}@example.com`),
  })
}

/** The same game some time later, with a token of then. */
async function later(door: Door, ms: number): Promise<Door> {
  door.world.clock.nowMs += ms
  return door.renewed()
}

async function timed(status: number, call: () => Promise<{ readonly status: number }>): Promise<number> {
  const began = performance.now()
  const answer = await call()
  const seconds = (performance.now() - began) / 1_000
  if (answer.status !== status) throw new Error(`${answer.status} where ${status} was expected`)
  return seconds
}

interface Sides {
  readonly known: (n: number) => Promise<number>
  readonly unknown: (n: number) => Promise<number>
}

async function compared(what: string, samples: number, { known, unknown }: Sides): Promise<BenchRow> {
  const times = { known: [] as number[], unknown: [] as number[] }
  for (let n = -10; n < samples; n += 1) {
    // The one that is first is another one each time.
    const turns = n % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)
    for (const side of turns) {
      const seconds = await (side === 'known' ? known : unknown)(Math.abs(n))
      if (n >= 0) times[side].push(seconds)
    }
  }
  const ratio = median(times.known) / median(times.unknown)
  const told = (seconds: readonly number[]) => `${(median(seconds) * 1_000).toFixed(3)} ms`
  return {
    what: `${what}, ${samples} each`,
    limit: told(times.unknown),
    ours: told(times.known),
    ratio: ratio.toFixed(3),
    goal: `1 ± ${GOAL}`,
    met: Math.abs(ratio - 1) <= GOAL,
  }
}
