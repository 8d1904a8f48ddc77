// Sessions: starting one for a player who has proven who they are, and the secrets by which a guest comes back and a
// session is renewed. The vault holds only hashes of them.

import { createHash, timingSafeEqual } from 'node:crypto'
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
 * Sessions that are ended at once; told to all nodes before the next ones, so that none is good for long after its end.
 */
const SESSIONS_PER_BATCH = 50

type SessionHandled = Handled<Session | null, SessionEvent>

interface NewSession {
  readonly game: string
  readonly player: string
  readonly key: string
  readonly permissions: readonly string[]
  /** How often the player had been signed out everywhere when they proved who they are. */
  readonly signOuts: number
}

/** Starts a session; the refresh token is shown once, by the answer to this call. */
export async function start(deps: CommandDeps, fresh: NewSession, context: CommandContext) {
  const id = context.generator.id('session')
  const refreshToken = await storeTokenHash(deps, 'refresh-token', id, context.generator.secret('refresh token'))
  const { game, player, key, permissions, signOuts } = fresh
  const expires = new Date(context.nowMs + SESSION_LIFETIME_MS).toISOString()
  const ref = { stream: sessionStream(id), game, player }
  const decision = startSession({ player, key, permissions, expires, signOuts })
  // A new guest's token was stored just before.
  const stored = [{ kind: 'refresh-token', id } as const, { kind: 'guest-token', id: player } as const]
  const handled = await recordFor(deps.vault, stored, () => deps.handler.handle(session, ref, context, decision))
  return { id, refreshToken, handled }
}

/** Ends a session, and tells every node before it answers. */
export async function end(
  deps: CommandDeps,
  ref: { readonly game: string; readonly player: string; readonly session: string },
  context: CommandContext,
) {
  const { handled } = await endAll(deps, { ...ref, sessions: [ref.session] }, context)
  return handled[0] as SessionHandled
}

/**
 * Ends a player's sessions, and tells every node before it answers; also of those it ended before it failed. `ended`
 * counts those that this very call ended.
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
      const ref = { stream: sessionStream(id), game, player }
      return { session: id, handled: await deps.handler.handle(session, ref, context, endSession) }
    }),
  )
  const ended = ending.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  await publishSessions(deps, ended)
  for (const one of ending) if (one.status === 'rejected') throw one.reason
  return ended
}

/** Keeps the hash of a secret and gives the token that shows it: the owner's id, a point, the secret. */
export async function storeTokenHash(
  deps: CommandDeps,
  kind: Extract<SecretKind, 'guest-token' | 'refresh-token'>,
  owner: string,
  secret: Uint8Array,
): Promise<string> {
  await storeSecret(deps.vault, kind, owner, hash(secret))
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
  const stored = await deps.vault.get(kind, owner)
  const fits = timingSafeEqual(stored ?? NOTHING, hash(secret ?? NOTHING))
  if (!fits || stored === null || secret === null || rest.length > 0) throw signInRejected()
  return owner
}

const NOTHING = Buffer.alloc(32)

/** A secret of 32 random bytes needs no slow hash. */
function hash(secret: Uint8Array): Uint8Array {
  return createHash('sha256').update(secret).digest()
}
