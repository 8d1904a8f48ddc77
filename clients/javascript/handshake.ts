// The handshake: requests a challenge, signs it, and redeems it for a bearer token. No secret is transmitted.

import type { Clock } from './bearer.ts'
import { ProblemError } from './problem.ts'
import type { Algorithm, Token } from './shapes.ts'
import { type ApiKey, algorithmOf, challengeMessage, type Sign } from './signing.ts'
import type { Patience, Sender } from './transport.ts'

interface Challenge {
  readonly request_id: string
  readonly nonce: string
  readonly algorithm: Algorithm
}

export interface Handshake {
  readonly transport: Sender
  readonly key: ApiKey
  readonly sign: Sign
  /** Permissions to request; empty: all of the key. */
  readonly permissions: readonly string[]
  readonly clock: Clock
}

/** A challenge can be redeemed once, so a lost answer or a wrong clock needs a new one. */
const TRIES = 3

/**
 * Rejects with ProblemError `challenge_rejected` if the prefix is unknown or revoked, or the secret is wrong. The
 * server does not reveal which.
 */
export async function handshake(setting: Handshake): Promise<Token> {
  const { transport, clock } = setting
  const patience = transport.patience()
  for (let tried = 1; ; tried++) {
    const challenge = await requested(setting, patience)
    try {
      return await redeemed(setting, challenge, patience)
    } catch (failure) {
      if (tried === TRIES) throw failure
      if (!isCorrected(failure, clock) && !(await patience.wait(failure, tried, 0))) throw failure
    }
  }
}

async function requested({ transport, key }: Handshake, patience: Patience): Promise<Challenge> {
  const headers = { 'X-API-Key': key.prefix }
  const answer = await transport.send({ method: 'POST', path: '/api/auth/jwt/challenge/', headers, patience })
  const challenge = answer.body as Challenge
  checkAlgorithm(key, challenge.algorithm)
  return challenge
}

async function redeemed(setting: Handshake, { request_id, nonce }: Challenge, patience: Patience): Promise<Token> {
  const { transport, key, sign, permissions, clock } = setting
  const unixTs = Math.floor(clock.now() / 1_000)
  const proof = {
    request_id,
    challenge: await sign(challengeMessage(request_id, nonce, unixTs, permissions)),
    unix_ts: unixTs,
  }
  const body = permissions.length === 0 ? proof : { ...proof, permissions }
  const sending = { method: 'POST', headers: { 'X-API-Key': key.prefix }, body, once: true, patience } as const
  return (await transport.send({ ...sending, path: '/api/auth/jwt/redeem/' })).body as Token
}

/** Throws if the key has another algorithm than the server expects: the server knows another key by this prefix. */
function checkAlgorithm(key: ApiKey, challengeReply: Algorithm): void {
  const own = algorithmOf(key)
  if (own === challengeReply) return
  const detail = `The service asks ${key.prefix} for ${challengeReply}, and this key signs with ${own}: the prefix is unknown there, revoked, or of another key.`
  throw new ProblemError(401, { code: 'challenge_rejected', detail })
}

/** Whether the time was refused; the clock then has the server's. */
function isCorrected(failure: unknown, clock: Clock): boolean {
  if (!(failure instanceof ProblemError) || failure.code !== 'timestamp_out_of_range') return false
  const { server_time: serverTime } = failure.fields
  if (typeof serverTime !== 'number') return false
  clock.set(serverTime)
  return true
}
