// Checks whether open connections may stay: an index of connections by what can revoke them, and a queue that batches
// the checks, so that ten thousand connections need few calls, and that reports checks that wait too long.

import type { RoomIdentity } from '../access/room-entry.ts'
import { CHECK_RETRY_MS, CHECKS_PER_CALL } from './limits.ts'
import type { RoomConnection } from './room-connection.ts'

/** Open connections, indexed by key, session, player and game. */
export class ConnectionIndex {
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

/** One check and the connections that its result decides. */
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
export function createCheckQueue(
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
