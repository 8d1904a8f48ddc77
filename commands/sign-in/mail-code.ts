// Mails a sign-in code. The answer is the same for every e-mail address, whether or not a player has it. Mails are
// limited per e-mail address, network address and game.

import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { keyedDigest } from '../../credentials/master.ts'
import { Refusal } from '../../domain/decider.ts'
import { linkOf } from '../../domain/links.ts'
import type { Window } from '../../runtime/rate-limits.ts'
import type { WindowSpec } from '../../stores/contract/transient.ts'
import { limitsOf } from '../game.ts'
import { playerNow } from '../player-now.ts'
import { storeShortLived } from '../store-secret.ts'
import { currentClaim, digestOf } from './claims.ts'
import { CODE_LIFETIME_MS, codeDigest, codeKey } from './code.ts'
import { tooMany, windowOf } from './lock-out.ts'
import type { SignInDeps } from './sign-in-deps.ts'

const WITHIN_MS = 15 * 60_000
export const MAILS_PER_EMAIL = 3
/** Minimum duration of looking up an address, because a known address needs more reads than an unknown one. */
const LOOK_UP_MS = 5

export interface CodeRequest {
  readonly game: { readonly id: string; readonly name: string }
  readonly email: string
  /** The caller's network address. */
  readonly network: string
}

/** A limit on mails, and the error text if it is reached. */
interface Limit extends WindowSpec {
  readonly reached: string
}

/**
 * Mails a new code, which replaces the previous one. 429 `rate_limited` after 3 mails in 15 minutes to one address
 * (over all games), after as many requests from one network address as the operator allows, and after the game's limit of
 * mails to unconfirmed addresses. 503 `mail_unavailable` if no mail can be sent.
 */
export async function mailCode(deps: SignInDeps, { game, email, network }: CodeRequest, nowMs: number): Promise<void> {
  const { mail } = deps
  if (mail === null) throw mailUnavailable()
  const [isConfirmed] = await Promise.all([isConfirmedAddress(deps, game.id, email), setTimeout(LOOK_UP_MS)])
  const limits = [ofEmail(deps, email)]
  if (deps.countsNetworks) limits.push(ofNetwork(deps.addressLimits.mail_address, network))
  if (!isConfirmed) limits.push(ofGame(game.id, (await limitsOf(deps, game.id)).mailsPerQuarterHour))
  await within(deps, limits, nowMs, async () => {
    const code = String(randomInt(1_000_000)).padStart(6, '0')
    const storeKey = codeKey(game.id, digestOf(deps, 'email', game.id, email))
    const times = { nowMs, expiresMs: nowMs + CODE_LIFETIME_MS }
    await storeShortLived(deps.transient, storeKey, codeDigest(deps, game.id, email, code), times)
    if (!mail.send({ email, code, game: game.name, gameId: game.id })) throw mailUnavailable()
  })
}

function ofEmail({ keys }: SignInDeps, email: string): Limit {
  const key = `mail:${keyedDigest(keys.digest, 'mail', email).toString('base64url')}`
  return { key, max: MAILS_PER_EMAIL, withinMs: WITHIN_MS, reached: 'Too many codes were mailed to this address.' }
}

const ofNetwork = (window: Window, network: string): Limit => ({
  key: `mail_address:{${network}}`,
  ...windowOf(window),
  reached: 'Too many codes were requested from this network address.',
})

const ofGame = (game: string, max: number): Limit => ({
  key: `mail_game:{${game}}`,
  max,
  withinMs: WITHIN_MS,
  reached: 'Too many codes were mailed for this game.',
})

/**
 * Counts the mail in each window, and uncounts it if one is full or `send` fails. Sequential: one key per store call.
 */
async function within(
  { windows }: SignInDeps,
  limits: readonly Limit[],
  nowMs: number,
  send: () => Promise<void>,
): Promise<void> {
  const attempt = randomUUID()
  const entered: Limit[] = []
  try {
    for (const limit of limits) {
      const [waitMs = 0] = await windows.enter([limit], attempt, nowMs)
      if (waitMs > 0) throw tooMany(limit.key.split(':')[0] ?? '', waitMs, limit.reached)
      entered.push(limit)
    }
    await send()
  } catch (error) {
    for (const limit of entered) await windows.leave([limit], attempt)
    throw error
  }
}

/** Whether a player has confirmed the address. An unknown address needs as many reads. */
async function isConfirmedAddress(deps: SignInDeps, game: string, email: string): Promise<boolean> {
  const digest = digestOf(deps, 'email', game, email)
  const holder = await currentClaim(deps, 'email', game, digest)
  const state = await playerNow(deps, holder?.player ?? digest)
  if (holder === null || state === null || state.deleted) return false
  const link = linkOf(state, 'email')
  return link !== null && link.secret === holder.secret && link.confirmed
}

function mailUnavailable(): Refusal {
  const detail = 'This server cannot send mail at the moment. Use another sign-in method, or try again later.'
  return new Refusal('unavailable', 'mail_unavailable', detail, { retry_after: 5 })
}
