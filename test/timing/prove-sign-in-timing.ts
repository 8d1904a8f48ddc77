// Soak test: the duration of an answer must not reveal whether a login or an e-mail address is known: wrong password
// against unknown login, and a code for a known against an unknown address.
// test/commands/sign-in/same-steps.test.ts checks what can be counted.

import { randomUUID } from 'node:crypto'
import { openSignInApi, PASSWORD, type SignInApi } from '../front-door/sign-in-api.ts'
import { openWorld, type World } from '../front-door/world.ts'
import { type Comparison, compareTimes } from './compare.ts'

const KNOWN = 5
const ADDRESSES = 20
/** Calls after which the clock is advanced, so that no login is locked out. */
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
  let api = await openSignInApi(world)
  for (let n = 0; n < KNOWN; n += 1) await api.register({ login: `known-${n}` })
  let sent = 0
  const guess = async (login: string) => {
    if (sent % BEFORE_LOCKED === 0) api = await later(api, PAST_LOCK_MS)
    sent += 1
    return timed(401, () => api.post('password', { login, password: `not ${PASSWORD}` }))
  }
  return compareTimes(
    'wrong password of a known login / unknown login',
    samples,
    (n) => guess(`known-${n % KNOWN}`),
    () => guess(randomUUID().slice(0, 7)),
  )
}

async function codes(world: World, samples: number): Promise<Comparison> {
  let api = await openSignInApi(world)
  const addresses = Array.from({ length: ADDRESSES }, () => `${randomUUID()}@example.com`)
  for (const email of addresses) await api.register({ login: email.slice(0, 36), email })
  let sent = 0
  const ask = async (email: string) => {
    if (sent % ADDRESSES === 0) api = await later(api, PAST_MAILS_MS)
    sent += 1
    return timed(202, () => api.post('code', { email }))
  }
  return compareTimes(
    'a code for a known address / an unknown one',
    samples,
    (n) => ask(addresses[n % ADDRESSES] ?? ''),
    () => ask(`${randomUUID()}@example.com`),
  )
}

/** The same game later, with a token of that time. */
async function later(api: SignInApi, ms: number): Promise<SignInApi> {
  api.world.clock.nowMs += ms
  return api.withNewToken()
}

async function timed(status: number, call: () => Promise<{ readonly status: number }>): Promise<number> {
  const began = performance.now()
  const answer = await call()
  const seconds = (performance.now() - began) / 1_000
  if (answer.status !== status) throw new Error(`${answer.status} where ${status} was expected`)
  return seconds
}
