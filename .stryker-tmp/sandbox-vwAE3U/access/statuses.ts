// The status of keys, sessions and players now: their documents and what is known of revocations, whichever is newer.
// Remembered for as long as revocations are heard, so that most calls ask no store.

import { LRUCache } from 'lru-cache'
import type { Position } from '../domain/event.ts'
import type { Key } from '../domain/key.ts'
import { type Player, statusOf } from '../domain/player.ts'
import type { Session } from '../domain/session.ts'
import { asFolded, type QueryDeps } from '../queries/deps.ts'
import type { KeyStatus, PlayerStatus, SessionStatus, Subject, SubjectStatus } from '../stores/contract/revocations.ts'
import type { ReadKey } from './key-in-log.ts'
import type { NodeRevocations } from './revocations.ts'

/** A change whose notification was lost (its node died) is seen after this time. */
export const REMEMBERED_MS = 30_000
const KEYS_REMEMBERED = 10_000
const SESSIONS_REMEMBERED = 50_000
const PLAYERS_REMEMBERED = 50_000

/** Whom a token speaks for. */
export interface Asked {
  readonly key: string
  readonly session: string | null
  readonly player: string | null
}

/** How they stand. Null: not there; or, of session and player, not asked for. */
export interface Found {
  readonly key: Key | null
  readonly session: TimedSession | null
  readonly player: PlayerStatus | null
  /**
   * Whether a missing status may only not be there yet: no revocation of it was published either.
   */
  readonly mayCome: boolean
}

interface TimedSession extends SessionStatus {
  /** Unix milliseconds. */
  readonly expiresMs: number
  /** How often its player had been signed out everywhere when it began. */
  readonly signOuts: number
}

export interface Statuses {
  /** Without asking any store; null where that cannot be said. */
  remembered(asked: Asked): Found | null
  /** Throws StoreUnavailable where a store that must be asked does not answer. */
  read(asked: Asked): Promise<Found>
  /** Likewise, of many in as many exchanges as of one; in their order. */
  readAll(asked: readonly Asked[]): Promise<Found[]>
  /** Whether a game is deleted, as far as this node knows: nobody is let in for it. */
  isGone?(game: string | null): boolean
  /** Likewise, of a key alone; null where there is none. */
  key(prefix: string): Promise<Key | null>
}

const NOBODY = { session: null, player: null }

/** `keyInLog` is asked beside the view of keys, whether or not that knows the key: so both take as long. */
export function createStatuses(
  deps: QueryDeps,
  revocations: NodeRevocations,
  keyInLog: ReadKey = async () => null,
  isDeleted: (game: string | null) => boolean = () => false,
): Statuses {
  const { keys, sessions, players } = createShelves({ deps, revocations }, keyInLog, isDeleted)
  revocations.onChange((subject) => {
    if (subject === null) for (const shelf of [keys, sessions, players]) shelf.forgetAll()
    // It may be of any of them.
    else if (subject.startsWith('game:')) keys.forgetAll()
    else if (subject.startsWith('key:')) keys.forget(subject)
    else if (subject.startsWith('session:')) sessions.forget(subject)
    else players.forget(subject)
  })

  const readAll = async (asked: readonly Asked[]): Promise<Found[]> => {
    const isHeard = revocations.isHeard(revocations.elapsedMs())
    const [key, session, player] = await Promise.all([
      keys.read(asked.map((one) => one.key)),
      sessions.read(asked.map((one) => one.session)),
      players.read(asked.map((one) => one.player)),
      isHeard ? null : revocations.lookUp(asked.flatMap(subjectsOf)),
    ])
    return asked.map((one) => {
      const found = { key: key(one.key), session: session(one.session), player: player(one.player) }
      return { ...found, mayCome: missing(one, found).every((subject) => revocations.newerThan('', subject) === null) }
    })
  }
  const read = async (asked: Asked): Promise<Found> => {
    const [found] = await readAll([asked])
    // One is asked, and one is answered.
    return found as Found
  }

  return {
    remembered: (asked) => {
      const nowMs = revocations.elapsedMs()
      if (!revocations.isHeard(nowMs)) return null
      const key = keys.remembered(asked.key, nowMs)
      if (key === null) return null
      const session = asked.session === null ? null : sessions.remembered(asked.session, nowMs)
      if (session === null && asked.session !== null) return null
      const player = asked.player === null ? null : players.remembered(asked.player, nowMs)
      if (player === null && asked.player !== null) return null
      return { key, session, player, mayCome: false }
    },
    isGone: isDeleted,
    read,
    readAll,
    key: async (prefix) => (await read({ key: prefix, ...NOBODY })).key,
  }
}

function createShelves(parts: Parts, keyInLog: ReadKey, isDeleted: (game: string | null) => boolean) {
  const keys = new Shelf<Key, KeyStatus, Key>(parts, {
    kind: 'key',
    view: 'keys',
    most: KEYS_REMEMBERED,
    of: (key) => (isDeleted(key.game) ? { ...key, revoked: true } : key),
    become: (key, { revoked, permissions }) => ({ ...key, revoked: revoked || isDeleted(key.game), permissions }),
    inLog: keyInLog,
  })
  const sessions = new Shelf<Session, SessionStatus, TimedSession>(parts, {
    kind: 'session',
    view: 'sessions',
    most: SESSIONS_REMEMBERED,
    of: ({ ended, expires, signOuts = 0 }) => ({ ended, expiresMs: Date.parse(expires), signOuts }),
    become: (session, { ended }) => ({ ...session, ended }),
  })
  const players = new Shelf<Player, PlayerStatus, PlayerStatus>(parts, {
    kind: 'player',
    view: 'players',
    most: PLAYERS_REMEMBERED,
    of: statusOf,
    become: (_before, status) => status,
  })
  return { keys, sessions, players }
}

function subjectsOf({ key, session, player }: Asked): Subject[] {
  const subjects: Subject[] = [`key:${key}`]
  if (session !== null) subjects.push(`session:${session}`)
  if (player !== null) subjects.push(`player:${player}`)
  return subjects
}

function missing({ key, session, player }: Asked, found: Omit<Found, 'mayCome'>): Subject[] {
  const subjects: Subject[] = []
  if (found.key === null) subjects.push(`key:${key}`)
  if (session !== null && found.session === null) subjects.push(`session:${session}`)
  if (player !== null && found.player === null) subjects.push(`player:${player}`)
  return subjects
}

interface Parts {
  readonly deps: QueryDeps
  readonly revocations: NodeRevocations
}

interface Shape<Folded, Told extends SubjectStatus, State> {
  readonly kind: 'key' | 'session' | 'player'
  readonly view: string
  /** How many are remembered. */
  readonly most: number
  of(folded: Folded): State
  /** The state after what was noted. */
  become(before: State, told: Told): State
  /** What the log has of one that the view may not know yet. */
  inLog?(id: string): Promise<Known<Folded> | null>
}

interface Known<Folded> {
  readonly state: Folded
  readonly pos: Position
}

/** Those of one kind. What is not there is never remembered: it may be made any moment. */
class Shelf<Folded, Told extends SubjectStatus, State extends object> {
  readonly #parts: Parts
  readonly #shape: Shape<Folded, Told, State>
  readonly #kept: LRUCache<string, { readonly state: State; readonly untilMs: number }>

  constructor(parts: Parts, shape: Shape<Folded, Told, State>) {
    this.#parts = parts
    this.#shape = shape
    this.#kept = new LRUCache({ max: shape.most })
  }

  remembered(id: string, nowMs: number): State | null {
    const kept = this.#kept.get(id)
    return kept !== undefined && kept.untilMs > nowMs ? kept.state : null
  }

  /** Reads the documents; what comes of them is asked once everything else was heard too. Null is nobody. */
  async read(ids: readonly (string | null)[]): Promise<(id: string | null) => State | null> {
    const wanted = [...new Set(ids.filter((id) => id !== null))]
    if (wanted.length === 0) return () => null
    const { deps, revocations } = this.#parts
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
      const of = id === null ? null : (known.get(id) ?? null)
      if (id === null || of === null) return null
      const state = this.#stateOf(id, of)
      this.#kept.set(id, { state, untilMs })
      return state
    }
  }

  #stateOf(id: string, { state, pos }: Known<Folded>): State {
    const { kind, of, become } = this.#shape
    const before = of(state)
    const newer = this.#parts.revocations.newerThan(pos, `${kind}:${id}`)
    // The kind of a subject is the shape of its state.
    return newer === null ? before : become(before, newer.status as Told)
  }

  forget(subject: Subject): void {
    this.#kept.delete(subject.slice(this.#shape.kind.length + 1))
  }

  forgetAll(): void {
    this.#kept.clear()
  }
}
