// Closes connections that may not stay: their key, session or player was revoked, their key lost the permission, their
// status cannot be decided, or the game's rooms were switched off. Also keeps each connection's game settings current.

import {
  CHECK_RETRY_MS,
  CHECKS_PER_CALL,
  REVOCATION_TIMER_MS,
  REVOKED_CHECK_EVERY_MS,
  SETTINGS_READ_EVERY_MS,
  STALE_MAX_MS,
  STALE_WATCHED_MS,
  UNDECIDED_MAX_MS,
} from './limits.ts'
import type { RoomConnection } from './room-connection.ts'
import type { RoomGame, RoomIdentity } from './room-entry.ts'

export interface RevocationDeps {
  /** For each holder, true if they may stay. Rejects if one of them cannot be decided. */
  areStillAllowed(asked: readonly RoomIdentity[]): Promise<readonly boolean[]>
  /** Game -> its current room settings; null if its rooms are off. */
  roomGames(games: readonly string[]): Promise<ReadonlyMap<string, RoomGame | null>>
  /**
   * Calls the listener with each subject that may be revoked (`key:…`, `session:…`, `player:…`); null means anybody.
   */
  onRevoked(listener: (subject: string | null) => void): void
  syncAgeMs(): number
}

export interface RevocationWatch {
  /** Checks a new connection at once: nobody received a revocation that was published during its handshake. */
  entered(connection: RoomConnection): void
  gone(connection: RoomConnection): void
  stop(): void
}

export function watchRevocations(deps: RevocationDeps): RevocationWatch {
  const present = new ConnectionIndex()
  const revoke = (connection: RoomConnection) => connection.cut('revoked')
  // Two queues, so that connections named in a revocation do not wait for the periodic checks.
  const clock = activeClock()
  const named = createCheckQueue(deps.areStillAllowed, revoke, clock.nowMs)
  const others = createCheckQueue(deps.areStillAllowed, revoke, clock.nowMs)
  const checkAll = () => {
    for (const connection of present.all) others.ask(connection.holder, [connection])
  }
  deps.onRevoked((subject) => {
    if (subject === null) {
      checkAll()
      return
    }
    const those = present.of(subject)
    const [one] = those
    if (one === undefined) return
    // Many connections may share a key, so it is checked once for all. A session or player has few connections.
    if (subject.startsWith('key:')) named.ask({ ...one.holder, session: null, player: null }, those)
    else for (const each of those) named.ask(each.holder, [each])
  })
  const checkTimer = setInterval(checkAll, REVOKED_CHECK_EVERY_MS)

  const isStale = staleCheck(deps.syncAgeMs, clock.nowMs)
  const watchTimer = setInterval(() => {
    clock.advance(performance.now())
    for (const connection of named.overdue(clock.nowMs() - UNDECIDED_MAX_MS)) connection.cut('unavailable')
    if (isStale()) for (const connection of [...present.all]) connection.cut('unavailable')
  }, REVOCATION_TIMER_MS)

  let isReading = false
  const settings = setInterval(() => {
    if (isReading || present.all.size === 0) return
    isReading = true
    deps
      .roomGames(present.games)
      .then((games) => {
        for (const [game, now] of games) settle(now, present.of(`game:${game}`))
      })
      // The store is unavailable: keep the last settings until it answers.
      .catch(() => {})
      .finally(() => {
        isReading = false
      })
  }, SETTINGS_READ_EVERY_MS)
  return {
    entered: (connection) => {
      present.add(connection)
      named.ask(connection.holder, [connection])
    },
    gone: (connection) => present.delete(connection),
    stop: () => {
      for (const timer of [checkTimer, watchTimer, settings]) clearInterval(timer)
      for (const lane of [named, others]) lane.stop()
    },
  }
}

/** A clock that excludes the time in which this process was suspended. Call `advance` about every `everyMs`. */
export function activeClock(everyMs = REVOCATION_TIMER_MS): { nowMs(): number; advance(clockMs: number): void } {
  let [activeMs, lastMs] = [0, Number.NEGATIVE_INFINITY]
  return {
    nowMs: () => activeMs,
    advance: (clockMs) => {
      activeMs += Math.min(clockMs - lastMs, 2 * everyMs)
      lastMs = clockMs
    },
  }
}

/**
 * The returned function is true if this node's revocations are too old, though the process was active. Call it
 * each time the clock is advanced.
 */
export function staleCheck(syncAgeMs: () => number, activeMs: () => number): () => boolean {
  let sinceMs: number | null = null
  return () => {
    const age = syncAgeMs()
    sinceMs = age < STALE_MAX_MS - STALE_WATCHED_MS ? null : (sinceMs ?? activeMs())
    return sinceMs !== null && age >= STALE_MAX_MS && activeMs() - sinceMs >= STALE_WATCHED_MS - REVOCATION_TIMER_MS
  }
}

function settle(game: RoomGame | null, connections: readonly RoomConnection[]): void {
  for (const connection of connections) {
    if (game === null) connection.cut('rooms_off')
    else if (game.settings.require_player && connection.player === null && connection.holder.listens !== true)
      connection.cut('revoked')
    else connection.game = game
  }
}

// The checks whether open connections may stay: an index of connections by what can revoke them, and a queue that
// batches the checks, so that ten thousand connections need few calls, and that reports checks that wait too long.

/** Open connections, indexed by key, session, player and game. */
class ConnectionIndex {
  readonly #by = new Map<string, Set<RoomConnection>>()
  readonly all = new Set<RoomConnection>()

  add(connection: RoomConnection): void {
    this.all.add(connection)
    for (const name of namesOf(connection)) {
      const those = this.#by.get(name)
      if (those === undefined) this.#by.set(name, new Set([connection]))
      else those.add(connection)
    }
  }

  delete(connection: RoomConnection): void {
    this.all.delete(connection)
    for (const name of namesOf(connection)) {
      const those = this.#by.get(name)
      those?.delete(connection)
      if (those?.size === 0) this.#by.delete(name)
    }
  }

  /** The connections of a subject (`key:…`, `session:…`, `player:…`) or of a game (`game:…`). */
  of(name: string): readonly RoomConnection[] {
    return [...(this.#by.get(name) ?? [])]
  }

  get games(): string[] {
    return [...this.#by.keys()].filter((name) => name.startsWith(GAME)).map((name) => name.slice(GAME.length))
  }
}

const GAME = 'game:'

function namesOf({ holder: { game, key, session, player } }: RoomConnection): string[] {
  const names = [`${GAME}${game}`, `key:${key}`]
  if (session !== null) names.push(`session:${session}`)
  if (player !== null) names.push(`player:${player}`)
  return names
}

interface Question {
  readonly asked: RoomIdentity
  readonly about: readonly RoomConnection[]
  readonly sinceMs: number
}

interface CheckQueue {
  /** Queues a check; `about` are the connections that its result decides. */
  ask(asked: RoomIdentity, about: readonly RoomConnection[]): void
  /** Drops the checks that have waited since before this time, and returns their connections. */
  overdue(beforeMs: number): readonly RoomConnection[]
  stop(): void
}

/** Repeats each check until it is decided. One call at a time, with up to CHECKS_PER_CALL checks. */
function createCheckQueue(
  areStillAllowed: (asked: readonly RoomIdentity[]) => Promise<readonly boolean[]>,
  revoke: (connection: RoomConnection) => void,
  nowMs: () => number,
): CheckQueue {
  const waiting = new Set<Question>()
  let isAsking = false
  let isStopped = false
  const run = async () => {
    while (waiting.size > 0 && !isStopped) {
      const questions = first(waiting, CHECKS_PER_CALL)
      const allowed = await areStillAllowed(questions.map(({ asked }) => asked)).catch(() => null)
      if (allowed === null) {
        await new Promise((again) => setTimeout(again, CHECK_RETRY_MS).unref())
        continue
      }
      questions.forEach((question, n) => {
        // Skip checks that `overdue` has dropped meanwhile.
        if (waiting.delete(question) && allowed[n] !== true) question.about.forEach(revoke)
      })
    }
    isAsking = false
  }
  return {
    ask: (asked, about) => {
      waiting.add({ asked, about, sinceMs: nowMs() })
      if (isAsking) return
      isAsking = true
      // Wait for other checks of this turn of the event loop, to batch them.
      setImmediate(() => void run())
    },
    overdue: (beforeMs) => {
      const late = [...waiting].filter(({ sinceMs }) => sinceMs < beforeMs)
      for (const question of late) waiting.delete(question)
      return late.flatMap(({ about }) => about)
    },
    stop: () => {
      isStopped = true
    },
  }
}

function first<T>(all: Iterable<T>, most: number): T[] {
  const found: T[] = []
  for (const one of all) {
    if (found.length === most) break
    found.push(one)
  }
  return found
}
