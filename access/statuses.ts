// The present status of keys, sessions and players: from their documents or the known revocations, whichever is newer. Cached
// while revocations are synchronised, so that most calls query no store.

import { type LRUCache, lru } from '../cache/lru.ts'
import type { Position } from '../domain/event.ts'
import type { Key } from '../domain/key.ts'
import { type Player, statusOf } from '../domain/player.ts'
import type { Session } from '../domain/session.ts'
import { asFolded, type QueryDeps } from '../queries/deps.ts'
import type { KeyStatus, PlayerStatus, SessionStatus, Subject, SubjectStatus } from '../stores/contract/revocations.ts'
import type { ReadKey } from './key-in-log.ts'
import type { NodeRevocations } from './revocations.ts'

/** A change whose publication was lost, because its node died, takes effect after this time. */
export const REMEMBERED_MS = 30_000
const KEYS_REMEMBERED = 10_000
const SESSIONS_REMEMBERED = 50_000
const PLAYERS_REMEMBERED = 50_000

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
  remembered(identity: Identity): IdentityStatus | null
  /** Throws StoreUnavailable if a store does not answer. */
  read(identity: Identity): Promise<IdentityStatus>
  /** The same for many, in order, with as many queries as for one. */
  readAll(identities: readonly Identity[]): Promise<IdentityStatus[]>
  /** Whether this node knows that the game is deleted. */
  isGone?(game: string | null): boolean
  /** The status of a key; null if there is no such key. */
  key(prefix: string): Promise<Key | null>
}

const NO_PLAYER = { session: null, player: null }

/** For `key` it is called in every case, so that known and unknown keys take equally long. */
export function createStatuses(
  deps: QueryDeps,
  revocations: NodeRevocations,
  keyInLog: ReadKey = async () => null,
  isDeleted: (game: string | null) => boolean = () => false,
): Statuses {
  const { keys, sessions, players } = createStatusCaches({ deps, revocations }, keyInLog, isDeleted)
  let changes = 0
  revocations.onChange((subject) => {
    changes += 1
    if (subject === null) for (const cache of [keys, sessions, players]) cache.forgetAll()
    // Any key may be of this game.
    else if (subject.startsWith('game:')) keys.forgetAll()
    else if (subject.startsWith('key:')) keys.forget(subject)
    else if (subject.startsWith('session:')) sessions.forget(subject)
    else players.forget(subject)
  })

  /** `mayRemember`: whether what is cached is not read again. */
  const readStatuses = async (identities: readonly Identity[], mayRemember: boolean): Promise<IdentityStatus[]> => {
    const nowMs = revocations.elapsedMs()
    const isSynced = revocations.isSynced(nowMs)
    const cachedAt = isSynced && mayRemember ? nowMs : null
    const before = changes
    const idsOf = (kind: keyof Identity) => identities.map((one) => one[kind])
    const [key, session, player] = await Promise.all([
      keys.read(idsOf('key'), cachedAt),
      sessions.read(idsOf('session'), cachedAt),
      players.read(idsOf('player'), cachedAt),
      isSynced ? null : revocations.lookUp(identities.flatMap(subjectsOf)),
    ])
    // What was cached may have been revoked meanwhile.
    if (cachedAt !== null && changes !== before) return readStatuses(identities, false)
    return identities.map((one) => {
      const found = { key: key(one.key), session: session(one.session), player: player(one.player) }
      return {
        ...found,
        mayStillAppear: missing(one, found).every((subject) => revocations.newerThan('', subject) === null),
      }
    })
  }
  // All players of a game share its key, which is then read once, not once for each of them.
  const readAll = (identities: readonly Identity[]) => readStatuses(identities, true)
  const readOne = async (identity: Identity, mayRemember: boolean): Promise<IdentityStatus> => {
    const [found] = await readStatuses([identity], mayRemember)
    return found as IdentityStatus
  }

  return {
    remembered: (identity) => {
      const nowMs = revocations.elapsedMs()
      if (!revocations.isSynced(nowMs)) return null
      const key = keys.remembered(identity.key, nowMs)
      if (key === null) return null
      const session = identity.session === null ? null : sessions.remembered(identity.session, nowMs)
      if (session === null && identity.session !== null) return null
      const player = identity.player === null ? null : players.remembered(identity.player, nowMs)
      if (player === null && identity.player !== null) return null
      return { key, session, player, mayStillAppear: false }
    },
    isGone: isDeleted,
    read: (identity) => readOne(identity, true),
    readAll,
    key: async (prefix) => (await readOne({ key: prefix, ...NO_PLAYER }, false)).key,
  }
}

function createStatusCaches(statusDeps: StatusDeps, keyInLog: ReadKey, isDeleted: (game: string | null) => boolean) {
  const keys = new StatusCache<Key, KeyStatus, Key>(statusDeps, {
    kind: 'key',
    view: 'keys',
    maxCached: KEYS_REMEMBERED,
    of: (key) => (isDeleted(key.game) ? { ...key, revoked: true } : key),
    apply: (key, { revoked, permissions }) => ({ ...key, revoked: revoked || isDeleted(key.game), permissions }),
    inLog: keyInLog,
  })
  const sessions = new StatusCache<Session, SessionStatus, TimedSession>(statusDeps, {
    kind: 'session',
    view: 'sessions',
    maxCached: SESSIONS_REMEMBERED,
    of: ({ ended, expires, signOuts = 0 }) => ({ ended, expiresMs: Date.parse(expires), signOuts }),
    apply: (session, { ended }) => ({ ...session, ended }),
  })
  const players = new StatusCache<Player, PlayerStatus, PlayerStatus>(statusDeps, {
    kind: 'player',
    view: 'players',
    maxCached: PLAYERS_REMEMBERED,
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

interface StatusDeps {
  readonly deps: QueryDeps
  readonly revocations: NodeRevocations
}

interface Shape<Folded, Update extends SubjectStatus, State> {
  readonly kind: 'key' | 'session' | 'player'
  readonly view: string
  readonly maxCached: number
  of(folded: Folded): State
  /** The state after a revocation. */
  apply(before: State, update: Update): State
  /** Reads the log for an id that the view may not contain yet. */
  inLog?(id: string): Promise<Known<Folded> | null>
}

interface Known<Folded> {
  readonly state: Folded
  readonly pos: Position
}

/** Cache of the statuses of one kind. Missing ones are not cached, because they may be created at any moment. */
class StatusCache<Folded, Update extends SubjectStatus, State extends object> {
  readonly #statusDeps: StatusDeps
  readonly #shape: Shape<Folded, Update, State>
  readonly #cached: LRUCache<string, { readonly state: State; readonly untilMs: number }>

  constructor(statusDeps: StatusDeps, shape: Shape<Folded, Update, State>) {
    this.#statusDeps = statusDeps
    this.#shape = shape
    this.#cached = lru(shape.maxCached)
  }

  remembered(id: string, nowMs: number): State | null {
    const cached = this.#cached.get(id)
    return cached !== undefined && cached.untilMs > nowMs ? cached.state : null
  }

  /**
   * Reads documents, except of statuses that are cached at this time (monotonic milliseconds; null: of all). The returned function gives statuses; call it
   * after the revocations have been looked up.
   */
  async read(ids: readonly (string | null)[], cachedAt: number | null): Promise<(id: string | null) => State | null> {
    const cached = new Map<string, State>()
    const wanted: string[] = []
    for (const id of new Set(ids.filter((one) => one !== null))) {
      const state = cachedAt === null ? null : this.remembered(id, cachedAt)
      if (state === null) wanted.push(id)
      else cached.set(id, state)
    }
    const read = wanted.length === 0 ? () => null : await this.#readDocuments(wanted)
    return (id) => (id === null ? null : (cached.get(id) ?? read(id)))
  }

  async #readDocuments(wanted: readonly string[]): Promise<(id: string) => State | null> {
    const { deps, revocations } = this.#statusDeps
    const { view, inLog } = this.#shape
    const untilMs = revocations.elapsedMs() + REMEMBERED_MS
    const [documents, logged] = await Promise.all([
      deps.views.get(deps.viewKey(view), view, wanted),
      inLog === undefined ? [] : Promise.all(wanted.map(inLog)),
    ])
    const known = new Map(
      wanted.map((id, at) => {
        const document = documents[at] ?? null
        const inView = document && { state: asFolded<Folded>(document).state, pos: document.pos }
        return [id, inView ?? logged[at] ?? null] as const
      }),
    )
    return (id) => {
      const of = known.get(id) ?? null
      if (of === null) return null
      const state = this.#stateOf(id, of)
      this.#cached.set(id, { state, untilMs })
      return state
    }
  }

  #stateOf(id: string, { state, pos }: Known<Folded>): State {
    const { kind, of, apply } = this.#shape
    const before = of(state)
    const newer = this.#statusDeps.revocations.newerThan(pos, `${kind}:${id}`)
    // The subject's kind decides the type of its status.
    return newer === null ? before : apply(before, newer.status as Update)
  }

  forget(subject: Subject): void {
    this.#cached.delete(subject.slice(this.#shape.kind.length + 1))
  }

  forgetAll(): void {
    this.#cached.clear()
  }
}
