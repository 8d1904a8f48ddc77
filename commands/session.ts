// Commands that start and end sessions, and the tokens that sign a guest in again or renew a session. The vault
// contains only hashes of the tokens.

import { hash as digest, timingSafeEqual } from 'node:crypto'
import { fromBase64url, toBase64url } from '../credentials/text.ts'
import {
  endSession,
  SESSION_LIFETIME_MS,
  type Session,
  type SessionEvent,
  session,
  sessionStream,
  signInRejected,
  startSession,
} from '../domain/session.ts'
import type { SecretKind } from '../stores/contract/vault.ts'
import type { Handled } from './command-batch.ts'
import type { CommandContext } from './command-context.ts'
import type { CommandDeps } from './command-deps.ts'
import { publishSessions } from './publish-revocations.ts'
import { recordFor, storeSecret } from './store-secret.ts'

const SECRET_BYTES = 32
/**
 * Sessions ended concurrently. Their ends are published before the next batch, so that no ended session stays valid
 * long.
 */
const SESSIONS_PER_BATCH = 50

type SessionHandled = Handled<Session | null, SessionEvent>

interface NewSession {
  readonly game: string
  readonly player: string
  readonly key: string
  readonly permissions: readonly string[]
  /** The player's number of sign-outs everywhere when they proved who they are. */
  readonly signOuts: number
}

/** Starts a session. Only this call's answer contains the refresh token. */
export async function start(deps: CommandDeps, fresh: NewSession, context: CommandContext) {
  const id = context.generator.id('session')
  const refreshToken = await storeTokenHash(deps, 'refresh-token', id, context.generator.secret('refresh token'))
  const stored = [{ kind: 'refresh-token', id }] as const
  const handled = await recordFor(deps.vault, stored, () => recordStart(deps, id, fresh, context))
  return { id, refreshToken, handled }
}

/** Records that a session started, whose refresh token is stored. */
export function recordStart(
  { handler }: CommandDeps,
  id: string,
  { game, player, key, permissions, signOuts }: NewSession,
  context: CommandContext,
): Promise<SessionHandled> {
  const expires = new Date(context.nowMs + SESSION_LIFETIME_MS).toISOString()
  const about = { stream: sessionStream(id), game, player, isNew: true }
  const decision = startSession({ player, key, permissions, expires, signOuts })
  return handler.handle(session, about, context, decision)
}

/** Ends a session and publishes it to all nodes before it resolves. */
export async function end(
  deps: CommandDeps,
  ref: { readonly game: string; readonly player: string; readonly session: string },
  context: CommandContext,
) {
  const { handled } = await endAll(deps, { ...ref, sessions: [ref.session] }, context)
  return handled[0] as SessionHandled
}

/**
 * Ends a player's sessions and publishes it to all nodes before it resolves; after a failure, it has published those
 * that it ended. `ended` counts the sessions that this call ended.
 */
export async function endAll(
  deps: CommandDeps,
  { game, player, sessions }: { readonly game: string; readonly player: string; readonly sessions: readonly string[] },
  context: CommandContext,
) {
  const all: EndedSession[] = []
  for (let from = 0; from < sessions.length; from += SESSIONS_PER_BATCH) {
    all.push(...(await endSome(deps, { game, player }, sessions.slice(from, from + SESSIONS_PER_BATCH), context)))
  }
  const handled = all.map((one) => one.handled)
  return {
    handled,
    ended: handled.reduce((sum, { events }) => sum + events.length, 0),
    written: handled.findLast((one) => one.written !== null)?.written ?? null,
    currentPosition: handled.at(-1)?.current?.at,
  }
}

interface EndedSession {
  readonly session: string
  readonly handled: SessionHandled
}

async function endSome(
  deps: CommandDeps,
  { game, player }: { readonly game: string; readonly player: string },
  ids: readonly string[],
  context: CommandContext,
): Promise<EndedSession[]> {
  const ending = await Promise.allSettled(
    ids.map(async (id): Promise<EndedSession> => {
      const about = { stream: sessionStream(id), game, player }
      return { session: id, handled: await deps.handler.handle(session, about, context, endSession) }
    }),
  )
  const ended = ending.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  await publishSessions(deps, ended)
  for (const one of ending) if (one.status === 'rejected') throw one.reason
  return ended
}

/** Stores the hash of a secret and returns the token: the owner's id, a point, the secret. */
export async function storeTokenHash(
  deps: CommandDeps,
  kind: Extract<SecretKind, 'guest-token' | 'refresh-token'>,
  owner: string,
  secret: Uint8Array,
): Promise<string> {
  await storeSecret(deps.vault, kind, owner, hash(secret))
  return `${owner}.${toBase64url(secret)}`
}

/** The owner of a token. 401 `sign_in_rejected` for any wrong token. */
export async function ownerOf(
  deps: CommandDeps,
  kind: Extract<SecretKind, 'guest-token' | 'refresh-token'>,
  token: string,
): Promise<string> {
  const [owner = '', text = '', ...rest] = token.split('.')
  const secret = fromBase64url(text, SECRET_BYTES)
  const stored = await deps.vault.get(kind, owner)
  const fits = timingSafeEqual(stored ?? NOTHING, hash(secret ?? NOTHING))
  if (!fits || stored === null || secret === null || rest.length > 0) throw signInRejected()
  return owner
}

const NOTHING = Buffer.alloc(32)

/** 32 random bytes need no slow hash. */
function hash(secret: Uint8Array): Uint8Array {
  return digest('sha256', secret, 'buffer')
}
