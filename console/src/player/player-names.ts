// The names of players that a page knows by their ids, each read once. Holds a bounded number.

import { type Api, ProblemError } from '../api.ts'

const NAMES_MAX = 2_000
const READS_MAX = 4
/** Rows of a fast list leave the page before their turn: of more, the oldest are not read. */
const WAITING_MAX = 64
/** Names change rarely. */
const KEPT_MS = 60_000

interface Known {
  readonly name: Promise<string | null>
  readonly readMs: number
}

const known = new Map<string, Known>()
let reading = 0
const waiting: { readonly begin: () => void; readonly drop: (why: Error) => void }[] = []

/** The player's name; null if they have none, or are deleted. */
export function playerName(api: Api, game: string, id: string): Promise<string | null> {
  const key = `${game} ${id}`
  const found = known.get(key)
  if (found !== undefined && performance.now() - found.readMs < KEPT_MS) return found.name
  const name = limited(() => api.player(game, id)).then(
    (player) => player.name,
    (error: unknown) => {
      known.delete(key)
      if (error instanceof ProblemError && error.status === 404) return null
      throw error
    },
  )
  known.delete(key)
  known.set(key, { name, readMs: performance.now() })
  for (const oldest of known.keys()) {
    if (known.size <= NAMES_MAX) break
    known.delete(oldest)
  }
  return name
}

/** Forgets what was read: a player may have another name. */
export const forgetPlayerNames = (): void => known.clear()

async function limited<Value>(read: () => Promise<Value>): Promise<Value> {
  if (reading >= READS_MAX) {
    if (waiting.length >= WAITING_MAX) waiting.shift()?.drop(new Error('not read'))
    await new Promise<void>((begin, drop) => waiting.push({ begin, drop }))
  }
  reading++
  try {
    return await read()
  } finally {
    reading--
    waiting.pop()?.begin()
  }
}
