// Closes connections that may not stay: their key, session or player was revoked, their key lost the permission, their
// status cannot be decided, or the game's rooms were switched off. Also keeps each connection's game settings current.

import type { RoomGame, RoomIdentity } from '../access/room-entry.ts'
import { ConnectionIndex, createCheckQueue } from './connection-checks.ts'
import {
  REVOCATION_TIMER_MS,
  REVOKED_CHECK_EVERY_MS,
  SETTINGS_READ_EVERY_MS,
  STALE_MAX_MS,
  STALE_WATCHED_MS,
  UNDECIDED_MAX_MS,
} from './limits.ts'
import type { RoomConnection } from './room-connection.ts'

export interface RevocationDeps {
  /** For each holder, true if they may stay. Rejects if one of them cannot be decided. */
  areStillAllowed(asked: readonly RoomIdentity[]): Promise<readonly boolean[]>
  /** Game -> its current room settings; null if its rooms are off. */
  roomGames(games: readonly string[]): Promise<ReadonlyMap<string, RoomGame | null>>
  /**
   * Calls the listener with each subject that may be revoked (`key:…`, `session:…`, `player:…`); null means anybody.
   */
  onRevoked(listener: (subject: string | null) => void): void
  /** Milliseconds since this node last knew all revocations. */
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
