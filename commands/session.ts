// Sessions: starting one for a player who has proven who they are, and the secrets by which a guest comes back and a session
// is renewed. The vault holds only hashes of them.

import { createHash, timingSafeEqual } from 'node:crypto'
import { fromBase64url, toBase64url } from '../credentials/text.ts'
import { Refusal } from '../domain/decider.ts'
import { endSession, SESSION_LIFETIME_MS, session, sessionStream, startSession } from '../domain/session.ts'
import type { SecretKind } from '../stores/contract/vault.ts'
import type { CommandDeps } from './deps.ts'
import type { Intent, Written } from './intent.ts'
import { keep } from './keep.ts'

const SECRET_BYTES = 32

export interface NewSession {
  readonly game: string
  readonly player: string
  readonly key: string
  readonly permissions: readonly string[]
}

/** Starts a session; the refresh token is shown once, by the answer to this call. */
export async function start(deps: CommandDeps, fresh: NewSession, intent: Intent) {
  const id = intent.mint.id('session')
  const refreshToken = await keepSecret(deps, 'refresh-token', id, intent.mint.secret('refresh token'))
  const { game, player, key, permissions } = fresh
  const expires = new Date(intent.nowMs + SESSION_LIFETIME_MS).toISOString()
  const place = { stream: sessionStream(id), game, player }
  const handled = await deps.handler.handle(session, place, intent, startSession({ player, key, permissions, expires }))
  return { id, refreshToken, handled }
}

export function end(deps: CommandDeps, place: { game: string; player: string; session: string }, intent: Intent) {
  const { game, player } = place
  return deps.handler.handle(session, { stream: sessionStream(place.session), game, player }, intent, endSession)
}

/** Ends sessions of a player, one after another; `ended` counts those that this very call ended. */
export async function endAll(
  deps: CommandDeps,
  { game, player, sessions }: { game: string; player: string; sessions: readonly string[] },
  intent: Intent,
): Promise<{ readonly ended: number; readonly written: Written | null }> {
  let ended = 0
  let written: Written | null = null
  for (const one of sessions) {
    const handled = await end(deps, { game, player, session: one }, intent)
    ended += handled.events.length
    written = handled.written ?? written
  }
  return { ended, written }
}

/** Keeps the hash of a secret and gives the token that shows it: the owner's id, a point, the secret. */
export async function keepSecret(
  deps: CommandDeps,
  kind: Extract<SecretKind, 'guest-token' | 'refresh-token'>,
  owner: string,
  secret: Uint8Array,
): Promise<string> {
  await keep(deps.vault, kind, owner, hash(secret))
  return `${owner}.${toBase64url(secret)}`
}

/** Whose token this is. 401 `sign_in_rejected` for every kind of wrong one. */
export async function ownerOf(
  deps: CommandDeps,
  kind: Extract<SecretKind, 'guest-token' | 'refresh-token'>,
  token: string,
): Promise<string> {
  const [owner = '', text = '', ...rest] = token.split('.')
  const secret = fromBase64url(text, SECRET_BYTES)
  const kept = await deps.vault.get(kind, owner)
  const fits = timingSafeEqual(kept ?? NOTHING, hash(secret ?? NOTHING))
  if (!fits || kept === null || secret === null || rest.length > 0) throw signInRejected()
  return owner
}

const NOTHING = Buffer.alloc(32)

/** A secret of 32 random bytes needs no slow hash. */
function hash(secret: Uint8Array): Uint8Array {
  return createHash('sha256').update(secret).digest()
}

export function signInRejected(): Refusal {
  const detail = 'Sign-in was refused: what was sent does not prove who the player is, or no longer does. Sign in anew.'
  return new Refusal('unauthenticated', 'sign_in_rejected', detail)
}
