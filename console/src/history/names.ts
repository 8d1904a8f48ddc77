// Names of the keys and leaderboards that events refer to.

import type { KeyKind } from '../api.ts'
import { PAGE_ROWS_MAX, rowsOfPages } from '../rows-of-pages.ts'
import { login, may, session } from '../session.ts'
import { useLoad } from '../use-load.ts'

export interface Names {
  /** By prefix. */
  readonly keys: ReadonlyMap<string, { readonly name: string; readonly kind: KeyKind }>
  /** By id. */
  readonly boards: ReadonlyMap<string, string>
}

const NONE: Names = { keys: new Map(), boards: new Map() }
/** Of more, events show the prefix and the id. */
const NAMES_MAX = 1_000

/** The names of a game. */
export function useNames(game: string): Names {
  const read = async (): Promise<Names> => {
    const here = session.value
    if (here === null) return NONE
    const { api, keysApi, mayManageKeys, isOperator } = here
    const ofGame = async (offset: number) => {
      const page = await keysApi.keys(game, { limit: PAGE_ROWS_MAX, offset })
      return { rows: page.keys, next: page.next_offset }
    }
    const ofOperators = async (offset: number) => {
      const page = await (login.value?.api ?? api).operatorKeys({ limit: PAGE_ROWS_MAX, offset })
      return { rows: page.keys, next: page.next_offset }
    }
    const ofBoards = async (offset: number) => {
      const page = await api.leaderboards(game, { limit: PAGE_ROWS_MAX, offset })
      return { rows: page.leaderboards, next: page.next_offset }
    }
    const [keys, operators, boards] = await Promise.all([
      mayManageKeys ? rowsOfPages(ofGame, NAMES_MAX) : [],
      isOperator ? rowsOfPages(ofOperators, NAMES_MAX) : [],
      may(`gm:${game}:boards`) ? rowsOfPages(ofBoards, NAMES_MAX) : [],
    ])
    return {
      keys: new Map([...operators, ...keys].map(({ prefix, name, kind }) => [prefix, { name, kind }])),
      boards: new Map(boards.map(({ id, name }) => [id, name])),
    }
  }
  return useLoad(`names ${game}`, read, { keeps: true, tags: ['key', 'board'] }).value ?? NONE
}
