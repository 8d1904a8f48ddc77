// Ends connections that may be here no longer: whose key, session or player was revoked, whose key opens the rooms no
// more, of whom nobody can tell, and those of games whose rooms were switched off. And gives each the settings of its
// game as they are now.

import type { RoomAsked, RoomGame } from '../access/room-entry.ts'
import {
  REVOKED_LOOK_EVERY_MS,
  SETTINGS_LOOK_EVERY_MS,
  UNHEARD_MOST_MS,
  UNHEARD_WAITS_MS,
  UNTOLD_MOST_MS,
  WATCH_EVERY_MS,
} from './limits.ts'
import type { RoomConnection } from './room-connection.ts'
import { createLane, Present } from './standing.ts'

export interface RevokedDeps {
  /** Of each, whether they may be here still. Rejects where nobody can tell of one of them. */
  stillStand(asked: readonly RoomAsked[]): Promise<readonly boolean[]>
  /** Game -> its rooms as they are set; null where they are off. */
  roomGames(games: readonly string[]): Promise<ReadonlyMap<string, RoomGame | null>>
  /** Tells who may have been revoked (`key:…`, `session:…`, `player:…`); null: anybody. */
  onRevoked(listener: (subject: string | null) => void): void
  /** Milliseconds since this node knew of everything that was revoked. */
  heardAgeMs(): number
}

export interface RevokedWatch {
  /** Checks one at once: a revocation during its handshake was delivered to nobody. */
  entered(connection: RoomConnection): void
  gone(connection: RoomConnection): void
  stop(): void
}

export function watchRevoked(deps: RevokedDeps): RevokedWatch {
  const present = new Present()
  const revoke = (connection: RoomConnection) => connection.cut('revoked')
  // Those who were named do not wait for those who are looked at as a matter of course.
  const clock = wakingClock()
  const named = createLane(deps.stillStand, revoke, clock.nowMs)
  const others = createLane(deps.stillStand, revoke, clock.nowMs)
  const lookAtAll = () => {
    for (const connection of present.all) others.ask(connection.holder, [connection])
  }
  deps.onRevoked((subject) => {
    if (subject === null) {
      lookAtAll()
      return
    }
    const those = present.of(subject)
    const [one] = those
    if (one === undefined) return
    // A key may be that of everybody here: it is asked about once. A session's and a player's connections are few.
    if (subject.startsWith('key:')) named.ask({ ...one.holder, session: null, player: null }, those)
    else for (const each of those) named.ask(each.holder, [each])
  })
  const looking = setInterval(lookAtAll, REVOKED_LOOK_EVERY_MS)

  const isUnheard = unheard(deps.heardAgeMs, clock.nowMs)
  const watching = setInterval(() => {
    clock.tick(performance.now())
    for (const connection of named.overdue(clock.nowMs() - UNTOLD_MOST_MS)) connection.cut('unavailable')
    if (isUnheard()) for (const connection of [...present.all]) connection.cut('unavailable')
  }, WATCH_EVERY_MS)

  let isReading = false
  const settings = setInterval(() => {
    if (isReading || present.all.size === 0) return
    isReading = true
    deps
      .roomGames(present.games)
      .then((games) => {
        for (const [game, now] of games) settle(now, present.of(`game:${game}`))
      })
      // A store is away: what was set last holds until it answers.
      .catch(() => {})
      .finally(() => {
        isReading = false
      })
  }, SETTINGS_LOOK_EVERY_MS)
  return {
    entered: (connection) => {
      present.add(connection)
      named.ask(connection.holder, [connection])
    },
    gone: (connection) => present.delete(connection),
    stop: () => {
      for (const timer of [looking, watching, settings]) clearInterval(timer)
      for (const lane of [named, others]) lane.stop()
    },
  }
}

/**
 * Milliseconds that this process was there to hear an answer: while it stood still, the clock stands too. Ticked every
 * so often.
 */
export function wakingClock(everyMs = WATCH_EVERY_MS): { nowMs(): number; tick(clockMs: number): void } {
  let [wakingMs, tickedMs] = [0, Number.NEGATIVE_INFINITY]
  return {
    nowMs: () => wakingMs,
    tick: (clockMs) => {
      wakingMs += Math.min(clockMs - tickedMs, 2 * everyMs)
      tickedMs = clockMs
    },
  }
}

/** Whether this node has not heard of revocations for too long, though it was there to hear. Asked with each tick. */
export function unheard(heardAgeMs: () => number, wakingMs: () => number): () => boolean {
  let sinceMs: number | null = null
  return () => {
    const age = heardAgeMs()
    sinceMs = age < UNHEARD_MOST_MS - UNHEARD_WAITS_MS ? null : (sinceMs ?? wakingMs())
    return sinceMs !== null && age >= UNHEARD_MOST_MS && wakingMs() - sinceMs >= UNHEARD_WAITS_MS - WATCH_EVERY_MS
  }
}

function settle(game: RoomGame | null, connections: readonly RoomConnection[]): void {
  for (const connection of connections) {
    if (game === null) connection.cut('rooms_off')
    else if (game.settings.require_player && connection.player === null) connection.cut('revoked')
    else connection.game = game
  }
}
