// Names of the keys and leaderboards that events refer to.

import type { KeyKind } from '../api.ts'
import { boardsOf, keysOf, operatorKeysOf } from '../lists.ts'
import { rowsOfPages } from '../rows-of-pages.ts'
import { login, may, session } from '../session.ts'
import { useLoad } from '../use-load.ts'

/** By prefix. */
export type KeyNames = ReadonlyMap<string, { readonly name: string; readonly kind: KeyKind }>

export interface Names {
  readonly keys: KeyNames
  /** By id. */
  readonly boards: ReadonlyMap<string, string>
}

const NO_KEYS: KeyNames = new Map()
const NO_BOARDS: Names['boards'] = new Map()
/** Of more, events show the prefix and the id. */
const NAMES_MAX = 1_000

/** The names of a game; none without one. */
export const useNames = (game: string | null): Names => ({ keys: useKeyNames(game), boards: useBoardNames(game) })

/** The keys of a game, and for the operator those of operators; none that may not be read. */
export function useKeyNames(game: string | null): KeyNames {
  const read = async (): Promise<KeyNames> => {
    const here = session.value
    if (here === null || game === null) return NO_KEYS
    const { api, keysApi, mayManageKeys, isOperator } = here
    const [operators, keys] = await Promise.all([
      isOperator ? rowsOfPages(operatorKeysOf(login.value?.api ?? api), NAMES_MAX) : [],
      mayManageKeys ? rowsOfPages(keysOf(keysApi, game), NAMES_MAX) : [],
    ])
    return new Map([...operators, ...keys].map(({ prefix, name, kind }) => [prefix, { name, kind }]))
  }
  return useLoad(game === null ? null : `key names ${game}`, read, { keeps: true, tags: ['key'] }).value ?? NO_KEYS
}

function useBoardNames(game: string | null): Names['boards'] {
  const read = async (): Promise<Names['boards']> => {
    const here = session.value
    if (here === null || game === null) return NO_BOARDS
    const boards = await rowsOfPages(boardsOf(here.api, game), NAMES_MAX)
    return new Map(boards.map(({ id, name }) => [id, name]))
  }
  const isPermitted = game !== null && may(`gm:${game}:boards`)
  const names = useLoad(isPermitted ? `board names ${game}` : null, read, { keeps: true, tags: ['board'] })
  return names.value ?? NO_BOARDS
}
