// The handshake: requests a challenge, signs it, and redeems it for a bearer token. No secret is transmitted.

import type { Clock } from './bearer.ts'
import { ProblemError, Unreachable } from './problem.ts'
import type { Algorithm, Token } from './shapes.ts'
import { type ApiKey, algorithmOf, challengeMessage, type Sign } from './signing.ts'
import type { Sender } from './transport.ts'

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
  for (let tried = 1; ; tried++) {
    try {
      return await once(setting)
    } catch (failure) {
      if (tried === TRIES || !mayHelpToRepeat(failure, setting.clock)) throw failure
    }
  }
}

async function once({ transport, key, sign, permissions, clock }: Handshake): Promise<Token> {
  const headers = { 'X-API-Key': key.prefix }
  const challengeReply = await transport.send({ method: 'POST', path: '/api/auth/jwt/challenge/', headers })
  const challenge = challengeReply.body as Challenge
  checkAlgorithm(key, challenge.algorithm)
  const unixTs = Math.floor(clock.now() / 1_000)
  const signature = await sign(challengeMessage(challenge.request_id, challenge.nonce, unixTs, permissions))
  const proof = { request_id: challenge.request_id, challenge: signature, unix_ts: unixTs }
  const body = permissions.length === 0 ? proof : { ...proof, permissions }
  const redeemed = await transport.send({ method: 'POST', path: '/api/auth/jwt/redeem/', headers, body, once: true })
  return redeemed.body as Token
}

/** Throws if the key has another algorithm than the server expects: the server knows another key by this prefix. */
function checkAlgorithm(key: ApiKey, challengeReply: Algorithm): void {
  const own = algorithmOf(key)
  if (own === challengeReply) return
  const detail = `The service asks ${key.prefix} for ${challengeReply}, and this key signs with ${own}: the prefix is unknown there, revoked, or of another key.`
  throw new ProblemError(401, { code: 'challenge_rejected', detail })
}

function mayHelpToRepeat(failure: unknown, clock: Clock): boolean {
  if (failure instanceof Unreachable) return true
  if (!(failure instanceof ProblemError)) return false
  if (failure.status >= 500) return true
  const { server_time: serverTime } = failure.fields
  if (failure.code !== 'timestamp_out_of_range' || typeof serverTime !== 'number') return false
  clock.set(serverTime)
  return true
}
