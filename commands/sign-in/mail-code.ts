// Mails a code to sign in by. Asking for one does the same for every mail address, whether or not it is somebody's. Mails
// are limited for each mail address, network address and game.

import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { keyedDigest } from '../../credentials/master.ts'
import { Refusal } from '../../domain/decider.ts'
import { linkOf } from '../../domain/links.ts'
import type { WindowSpec } from '../../stores/contract/transient.ts'
import { limitsOf } from '../game.ts'
import { playerNow } from '../player-now.ts'
import { storeShortLived } from '../store-secret.ts'
import { currentClaim, digestOf } from './claims.ts'
import { CODE_LIFETIME_MS, codeDigest, codeKey } from './code.ts'
import { tooMany } from './lock-out.ts'
import type { SignInDeps } from './sign-in-deps.ts'

const WITHIN_MS = 15 * 60_000
export const MAILS_PER_EMAIL = 3
export const MAILS_PER_NETWORK = 30
/** Looking an address up takes this long at least: there is more to read of one that is somebody's. */
const LOOK_UP_MS = 5

export interface CodeRequest {
  readonly game: { readonly id: string; readonly name: string }
  readonly email: string
  /** The caller's network address. */
  readonly network: string
}

/** A limit on mails, and the words for who has reached it. */
interface Limit extends WindowSpec {
  readonly reached: string
}

/**
 * Mails a new code, which takes the place of the one before. 429 `rate_limited` past 3 mails in 15 minutes to one address,
 * whatever the game; past 30 asked for from one network address; past what the game may send to addresses that are not
 * confirmed. 503 `mail_unavailable` where no mail can be sent.
 */
export async function mailCode(deps: SignInDeps, { game, email, network }: CodeRequest, nowMs: number): Promise<void> {
  const { mail } = deps
  if (mail === null) throw mailUnavailable()
  const [isConfirmed] = await Promise.all([isConfirmedAddress(deps, game.id, email), setTimeout(LOOK_UP_MS)])
  const limits = [ofEmail(deps, email)]
  if (deps.countsNetworks) limits.push(ofNetwork(network))
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
  return { key, most: MAILS_PER_EMAIL, withinMs: WITHIN_MS, reached: 'Enough codes were mailed to this address.' }
}

const ofNetwork = (network: string): Limit => ({
  key: `mail_address:{${network}}`,
  most: MAILS_PER_NETWORK,
  withinMs: WITHIN_MS,
  reached: 'Enough codes were asked for from this network address.',
})

const ofGame = (game: string, most: number): Limit => ({
  key: `mail_game:{${game}}`,
  most,
  withinMs: WITHIN_MS,
  reached: 'Enough codes were mailed for this game.',
})

/** Takes a place in each, and gives all back where one is full or `send` fails. One after the other: a key a call. */
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

/** Whether the address is a player's who has proven it. As many reads for an address that is nobody's. */
async function isConfirmedAddress(deps: SignInDeps, game: string, email: string): Promise<boolean> {
  const digest = digestOf(deps, 'email', game, email)
  const holder = await currentClaim(deps, 'email', game, digest)
  const state = await playerNow(deps, holder?.player ?? digest)
  if (holder === null || state === null || state.deleted) return false
  const link = linkOf(state, 'email')
  return link !== null && link.secret === holder.secret && link.confirmed
}

function mailUnavailable(): Refusal {
  const detail = 'This installation cannot send mail just now. Sign in another way, or try again later.'
  return new Refusal('unavailable', 'mail_unavailable', detail, { retry_after: 5 })
}
