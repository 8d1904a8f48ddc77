// Every group of operations, in the order of the document.

import { DOCUMENTS } from './documents.ts'
import { FILES } from './files.ts'
import { GAMES } from './games.ts'
import { HANDSHAKE } from './handshake.ts'
import { HISTORY } from './history.ts'
import { KEYS_OF_A_GAME } from './keys.ts'
import { LEADERBOARDS } from './leaderboards.ts'
import type { Operation, OperationGroup } from './operation.ts'
import { PLAYERS_OF_A_GAME } from './players.ts'
import { ROOMS } from './rooms.ts'
import { SCORES } from './scores.ts'
import { SIGN_IN_METHODS } from './sign-in.ts'
import { SYSTEM } from './system.ts'

const GROUPS: readonly OperationGroup[] = [
  HANDSHAKE,
  GAMES,
  KEYS_OF_A_GAME,
  LEADERBOARDS,
  SCORES,
  PLAYERS_OF_A_GAME,
  SIGN_IN_METHODS,
  FILES,
  ROOMS,
  HISTORY,
  SYSTEM,
  DOCUMENTS,
]

export const TAGS = GROUPS.map(({ name, description }) => ({ name, description }))

interface TaggedOperation extends Omit<Operation, 'description'> {
  readonly tag: string | null
  readonly description?: string
}

const OPERATIONS: ReadonlyMap<string, TaggedOperation> = new Map(
  GROUPS.flatMap(({ name, operations }) =>
    Object.entries(operations).map(([route, operation]) => [route, { ...operation, tag: name }] as const),
  ),
)

/** `METHOD path` of every listed route. */
export const LISTED_ROUTES: readonly string[] = [...OPERATIONS.keys()]

/** An unlisted route gets an id made of its method and path, and no group and description. */
export function operationOf(method: string, path: string): TaggedOperation {
  const listed = OPERATIONS.get(`${method} ${path}`)
  if (listed !== undefined) return listed
  const words = path.split(/[/:.-]+/).filter((word) => word !== '' && word !== 'api')
  const camel = words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join('')
  return { id: method.toLowerCase() + camel, tag: null }
}
