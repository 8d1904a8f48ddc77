// The names of players that a page knows by their ids, each read once. Holds a bounded number.

import { type Api, ProblemError } from '../api.ts'
import { isVisible } from '../format.ts'
import { endsSession, may, session } from '../session.ts'
import { useInvalidated } from '../tags.ts'
import { useLoad } from '../use-load.ts'

/** Ids of one list whose names are read. */
const LISTED_MAX = 50
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

/**
 * The names of players of the page's game by their ids, for the last ids of a list. Without those that are unknown,
 * show nothing, or may not be read.
 */
export function usePlayerNames(ids: readonly string[]): ReadonlyMap<string, string> {
  const here = session.value
  const game = here?.game ?? null
  const listed = [...new Set(ids)].filter((id) => id !== '').slice(-LISTED_MAX)
  const tags = listed.map((id) => `player:${id}` as const)
  const read = async (): Promise<ReadonlyMap<string, string>> => {
    if (here === null || game === null) return NO_NAMES
    const names = await Promise.all(listed.map(async (id) => [id, await nameOrNull(here.api, game, id)] as const))
    return new Map(names.filter((one): one is [string, string] => one[1] !== null && isVisible(one[1])))
  }
  const isPermitted = game !== null && may(`gm:${game}:players`)
  // Before the names are read again.
  useInvalidated(tags, () => {
    for (const id of listed) known.delete(keyOf(game ?? '', id))
  })
  const key = isPermitted && listed.length > 0 ? `names ${listed.join(' ')}` : null
  return useLoad(key, read, { keeps: true, tags }).value ?? NO_NAMES
}

const NO_NAMES: ReadonlyMap<string, string> = new Map()
const keyOf = (game: string, id: string): string => `${game} ${id}`

async function nameOrNull(api: Api, game: string, id: string): Promise<string | null> {
  try {
    return await playerName(api, game, id)
  } catch (error) {
    endsSession(error)
    return null
  }
}

/** The player's name; null if they have none, or are deleted. */
function playerName(api: Api, game: string, id: string): Promise<string | null> {
  const key = keyOf(game, id)
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
