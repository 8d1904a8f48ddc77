// The present status of keys, sessions and players: from their documents or the known revocations, whichever is newer.
// Cached while revocations are synchronised, so that most calls query no store.

import type { Key } from '../domain/key.ts'
import { type Player, statusOf } from '../domain/player.ts'
import type { Session } from '../domain/session.ts'
import type { QueryDeps } from '../queries/deps.ts'
import type { KeyStatus, PlayerStatus, SessionStatus, Subject } from '../stores/contract/revocations.ts'
import type { ReadKey } from './key-in-log.ts'
import type { NodeRevocations } from './revocations.ts'
import { StatusCache, type StatusDeps } from './status-cache.ts'

const MAX_CACHED_KEYS = 10_000
/** Maximum cached statuses of sessions, and of players. */
export const MAX_CACHED_STATUSES = 100_000

/** The key, session and player of a token. */
export interface Identity {
  readonly key: string
  readonly session: string | null
  readonly player: string | null
}

/** The statuses of an identity. Null: it does not exist, or, for session and player, is not part of the identity. */
export interface IdentityStatus {
  readonly key: Key | null
  readonly session: TimedSession | null
  readonly player: PlayerStatus | null
  /** Whether a missing one may only be too new for the views: no revocation of it is known. */
  readonly mayStillAppear: boolean
}

interface TimedSession extends SessionStatus {
  /** Unix milliseconds. */
  readonly expiresMs: number
  /** The player's number of sign-outs everywhere when it began. */
  readonly signOuts: number
}

export interface Statuses {
  /** From the cache, without querying a store; null if not all of it is cached. */
  cached(identity: Identity): IdentityStatus | null
  /** Throws StoreUnavailable if a store does not answer. */
  read(identity: Identity): Promise<IdentityStatus>
  /** The same for many, in order, with as many queries as for one. */
  readAll(identities: readonly Identity[]): Promise<IdentityStatus[]>
  /** Whether this node knows that the game is deleted. */
  isDeleted(game: string | null): boolean
  /** The status of a key; null if there is no such key. */
  key(prefix: string): Promise<Key | null>
}

/** In order: from the cache, and the rest with as many queries as for one. Throws StoreUnavailable. */
export async function cachedOrRead(
  statuses: Pick<Statuses, 'cached' | 'readAll'>,
  identities: readonly Identity[],
): Promise<readonly IdentityStatus[]> {
  const cached = identities.map((one) => statuses.cached(one))
  const missing = identities.filter((_, nth) => cached[nth] === null)
  const read = missing.length === 0 ? [] : await statuses.readAll(missing)
  const inOrder = read.values()
  return cached.map((one) => one ?? (inOrder.next().value as IdentityStatus))
}

const NO_PLAYER = { session: null, player: null }

interface StatusesOptions {
  /** Called for every key, so that known and unknown keys take equally long. */
  readonly keyInLog: ReadKey
  /** Whether this node knows that a game is deleted. */
  readonly isDeleted: (game: string | null) => boolean
  /** How long a status is cached, in milliseconds. */
  readonly cachedMs: number
  /** Maximum cached statuses of sessions, and of players. */
  readonly maxCached: number
}

export function createStatuses(deps: QueryDeps, revocations: NodeRevocations, options: StatusesOptions): Statuses {
  const { cachedMs, isDeleted } = options
  const caches = createStatusCaches({ deps, revocations, cachedMs }, options)
  const { keys, sessions, players } = caches
  let changes = 0
  revocations.onChange((subject) => {
    changes += 1
    forget(caches, subject)
  })

  /** `mayUseCache`: whether what is cached is not read again. */
  const readStatuses = async (identities: readonly Identity[], mayUseCache: boolean): Promise<IdentityStatus[]> => {
    const nowMs = revocations.elapsedMs()
    const isSynced = revocations.isSynced(nowMs)
    const cachedAt = isSynced && mayUseCache ? nowMs : null
    const changesBefore = changes
    const idsOf = (kind: keyof Identity) => identities.map((one) => one[kind])
    const [key, session, player] = await Promise.all([
      keys.read(idsOf('key'), cachedAt),
      sessions.read(idsOf('session'), cachedAt),
      players.read(idsOf('player'), cachedAt),
      isSynced ? null : revocations.lookUp(identities.flatMap(subjectsOf)),
    ])
    // What was cached may have been revoked meanwhile.
    if (cachedAt !== null && changes !== changesBefore) return readStatuses(identities, false)
    return identities.map((one) => {
      const found = { key: key(one.key), session: session(one.session), player: player(one.player) }
      const isNew = (subject: Subject) => revocations.newerThan('', subject) === null
      return { ...found, mayStillAppear: missing(one, found).every(isNew) }
    })
  }
  const readOne = async (identity: Identity, mayUseCache: boolean): Promise<IdentityStatus> => {
    const [found] = await readStatuses([identity], mayUseCache)
    return found as IdentityStatus
  }

  return {
    cached: (identity) => {
      const nowMs = revocations.elapsedMs()
      if (!revocations.isSynced(nowMs)) return null
      const key = keys.cached(identity.key, nowMs)
      if (key === null) return null
      const session = identity.session === null ? null : sessions.cached(identity.session, nowMs)
      if (session === null && identity.session !== null) return null
      const player = identity.player === null ? null : players.cached(identity.player, nowMs)
      if (player === null && identity.player !== null) return null
      return { key, session, player, mayStillAppear: false }
    },
    isDeleted,
    read: (identity) => readOne(identity, true),
    // All players of a game share its key, which is then read once, not once for each of them.
    readAll: (identities) => readStatuses(identities, true),
    key: async (prefix) => (await readOne({ key: prefix, ...NO_PLAYER }, false)).key,
  }
}

/** Forgets what has changed; null: all may have. */
function forget({ keys, sessions, players }: ReturnType<typeof createStatusCaches>, subject: Subject | null): void {
  if (subject === null) for (const cache of [keys, sessions, players]) cache.forgetAll()
  // Any key may be of this game.
  else if (subject.startsWith('game:')) keys.forgetAll()
  else if (subject.startsWith('key:')) keys.forget(subject)
  else if (subject.startsWith('session:')) sessions.forget(subject)
  else players.forget(subject)
}

function createStatusCaches(statusDeps: StatusDeps, { keyInLog, isDeleted, maxCached }: StatusesOptions) {
  const keys = new StatusCache<Key, KeyStatus, Key>(statusDeps, {
    kind: 'key',
    view: 'keys',
    maxCached: MAX_CACHED_KEYS,
    of: (key) => (isDeleted(key.game) ? { ...key, revoked: true } : key),
    apply: (key, { revoked, permissions }) => ({ ...key, revoked: revoked || isDeleted(key.game), permissions }),
    inLog: keyInLog,
  })
  const sessions = new StatusCache<Session, SessionStatus, TimedSession>(statusDeps, {
    kind: 'session',
    view: 'sessions',
    maxCached,
    of: ({ ended, expires, signOuts = 0 }) => ({ ended, expiresMs: Date.parse(expires), signOuts }),
    apply: (session, { ended }) => ({ ...session, ended }),
  })
  const players = new StatusCache<Player, PlayerStatus, PlayerStatus>(statusDeps, {
    kind: 'player',
    view: 'players',
    maxCached,
    of: statusOf,
    apply: (_before, status) => status,
  })
  return { keys, sessions, players }
}

function subjectsOf({ key, session, player }: Identity): Subject[] {
  const subjects: Subject[] = [`key:${key}`]
  if (session !== null) subjects.push(`session:${session}`)
  if (player !== null) subjects.push(`player:${player}`)
  return subjects
}

function missing({ key, session, player }: Identity, found: Omit<IdentityStatus, 'mayStillAppear'>): Subject[] {
  const subjects: Subject[] = []
  if (found.key === null) subjects.push(`key:${key}`)
  if (session !== null && found.session === null) subjects.push(`session:${session}`)
  if (player !== null && found.player === null) subjects.push(`player:${player}`)
  return subjects
}
