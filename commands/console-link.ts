// Links that open the console signed in: a code, valid once within 30 s, that is exchanged for a token with the
// permissions and the expiry of the token that created it. Only the code's hash is stored. Nothing is recorded.

import { createHash } from 'node:crypto'
import { fromBase64url, toBase64url } from '../credentials/text.ts'
import type { Tokens } from '../credentials/tokens.ts'
import { Refusal } from '../domain/decider.ts'
import type { Key } from '../domain/key.ts'
import type { Transient } from '../stores/contract/transient.ts'
import type { CommandContext } from './command-context.ts'
import type { Token } from './handshake.ts'
import { storeShortLived } from './store-secret.ts'

export const CONSOLE_LINK_LIFETIME_S = 30
/** Maximum unused codes per key. */
export const CONSOLE_LINKS_PER_KEY = 100
const CODE_BYTES = 32

export interface ConsoleLinkDeps {
  readonly transient: Transient
  readonly tokens: Tokens
  /** The present key of a prefix, or null. */
  keyOf(prefix: string): Promise<Key | null>
  /** Whether the console is served. */
  readonly isOn: boolean
}

/** The claims of the token that created the code. */
export interface Linked {
  readonly key: string
  readonly game: string | null
  readonly player: string | null
  readonly session: string | null
  readonly permissions: readonly string[]
  /** Unix seconds. */
  readonly expiresAt: number
}

/** 429 `rate_limited` if the key has too many unused codes; 503 `store_away` if the store is full. */
export async function makeConsoleLink(deps: ConsoleLinkDeps, linked: Linked, context: CommandContext): Promise<string> {
  const secret = context.generator.secret('console link')
  const { nowMs } = context
  const share = { owner: linked.key, max: CONSOLE_LINKS_PER_KEY }
  const expiresMs = nowMs + CONSOLE_LINK_LIFETIME_S * 1_000
  await storeShortLived(deps.transient, keyOf(secret), JSON.stringify(linked), { nowMs, expiresMs, share })
  return toBase64url(secret)
}

/**
 * Uses up a code: one of several concurrent calls gets the token. 401 `sign_in_rejected` if it is used, expired or
 * unknown.
 */
export async function redeemConsoleLink(deps: ConsoleLinkDeps, code: string, nowMs: number): Promise<Token> {
  const secret = fromBase64url(code, CODE_BYTES)
  const stored = secret === null ? null : await deps.transient.take(keyOf(secret), nowMs)
  if (stored === null) throw rejected()
  const { expiresAt, ...claims } = JSON.parse(stored) as Linked
  const key = await deps.keyOf(claims.key)
  if (key === null || key.revoked || expiresAt * 1_000 <= nowMs) throw rejected()
  const { token } = await deps.tokens.issue(claims, nowMs, expiresAt)
  return { token, expires_at: expiresAt, permissions: claims.permissions, declined: [] }
}

const keyOf = (secret: Uint8Array): string => `console-link:${createHash('sha256').update(secret).digest('base64url')}`

function rejected(): Refusal {
  const detail = 'The code of this link is used, expired or unknown. Create a new link, or sign in with a key.'
  return new Refusal('unauthenticated', 'sign_in_rejected', detail)
}
