// What a stranger could learn from how long an answer takes: a wrong password of a known login beside an unknown login, and
// a code requested for a known address beside an unknown one. test/sign-in/same-steps.test.ts holds what can be counted.

import { randomUUID } from 'node:crypto'
import { type Door, openDoor, PASSWORD } from '../front-door/players-at-the-door.ts'
import { openWorld, type World } from '../front-door/world.ts'
import { type Comparison, compareTimes } from './compare.ts'

const KNOWN = 5
const ADDRESSES = 20
/** Calls after which the clock is set forward, so that nobody is locked out. */
const BEFORE_LOCKED = 16
const PAST_LOCK_MS = 61_000
const PAST_MAILS_MS = 15 * 60_000 + 1_000

export async function proveSignInTiming(samples: number): Promise<Comparison[]> {
  const world = await openWorld()
  try {
    return [await passwords(world, samples), await codes(world, samples)]
  } finally {
    await world.close()
  }
}

async function passwords(world: World, samples: number): Promise<Comparison> {
  let door = await openDoor(world)
  for (let n = 0; n < KNOWN; n += 1) await door.register({ login: `known-${n}` })
  let sent = 0
  const guess = async (login: string) => {
    if (sent % BEFORE_LOCKED === 0) door = await later(door, PAST_LOCK_MS)
    sent += 1
    return timed(401, () => door.post('password', { login, password: `not ${PASSWORD}` }))
  }
  return compareTimes(
    'wrong password of a known login / unknown login',
    samples,
    (n) => guess(`known-${n % KNOWN}`),
    () => guess(randomUUID().slice(0, 7)),
  )
}

async function codes(world: World, samples: number): Promise<Comparison> {
  let door = await openDoor(world)
  const addresses = Array.from({ length: ADDRESSES }, () => `${randomUUID()}@example.com`)
  for (const email of addresses) await door.register({ login: email.slice(0, 36), email })
  let sent = 0
  const ask = async (email: string) => {
    if (sent % ADDRESSES === 0) door = await later(door, PAST_MAILS_MS)
    sent += 1
    return timed(202, () => door.post('code', { email }))
  }
  return compareTimes(
    'a code for a known address / an unknown one',
    samples,
    (n) => ask(addresses[n % ADDRESSES] ?? ''),
    () => ask(`${randomUUID()}@example.com`),
  )
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
