// Whether those who are here may still be: connections by what revokes them, questions put together so that ten
// thousand connections are no ten thousand calls, and an end to waiting for an answer.

import type { RoomAsked } from '../access/room-entry.ts'
import { ASKED_AGAIN_AFTER_MS, ASKED_AT_ONCE } from './limits.ts'
import type { RoomConnection } from './room-connection.ts'

/** Connections by the subjects that they stand by, and by game. */
export class Present {
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

  /** Those of a subject (`key:…`, `session:…`, `player:…`) or of a game (`game:…`). */
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

/** One question and all whom its answer is about. */
interface Question {
  readonly asked: RoomAsked
  readonly about: readonly RoomConnection[]
  readonly sinceMs: number
}

interface Lane {
  /** `about` are all those whom the answer is about. */
  ask(asked: RoomAsked, about: readonly RoomConnection[]): void
  /** Drops what has waited for an answer since before this time, and answers whom it was about. */
  overdue(beforeMs: number): readonly RoomConnection[]
  stop(): void
}

/** Asks until it is answered, as many questions as wait at a time; one exchange after the other. */
export function createLane(
  stillStand: (asked: readonly RoomAsked[]) => Promise<readonly boolean[]>,
  fallen: (connection: RoomConnection) => void,
  nowMs: () => number,
): Lane {
  const waiting = new Set<Question>()
  let isAsking = false
  let isStopped = false
  const run = async () => {
    while (waiting.size > 0 && !isStopped) {
      const questions = first(waiting, ASKED_AT_ONCE)
      const stand = await stillStand(questions.map(({ asked }) => asked)).catch(() => null)
      if (stand === null) {
        await new Promise((again) => setTimeout(again, ASKED_AGAIN_AFTER_MS).unref())
        continue
      }
      questions.forEach((question, n) => {
        // One that was dropped meanwhile is decided.
        if (waiting.delete(question) && stand[n] !== true) question.about.forEach(fallen)
      })
    }
    isAsking = false
  }
  return {
    ask: (asked, about) => {
      waiting.add({ asked, about, sinceMs: nowMs() })
      if (isAsking) return
      isAsking = true
      // With what else is named in this turn.
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
