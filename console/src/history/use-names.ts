// Names of the keys and leaderboards that events refer to.

import type { Api } from '../api.ts'
import { may } from '../session.ts'
import { useLoad } from '../use-load.ts'

export interface Names {
  readonly keys: ReadonlyMap<string, string>
  readonly boards: ReadonlyMap<string, string>
}

const NONE: Names = { keys: new Map(), boards: new Map() }
const PAGE = 100
/** Of more keys and leaderboards, events show the prefix and the id. */
const PAGES_MAX = 5

export function useNames(api: Api, game: string): Names {
  const read = async (): Promise<Names> => {
    const keys = new Map<string, string>()
    const boards = new Map<string, string>()
    if (may(`gm:${game}:keys`)) {
      await pages(async (offset) => {
        const page = await api.keys(game, { limit: PAGE, offset })
        for (const { prefix, name } of page.keys) keys.set(prefix, name)
        return page.next_offset
      })
    }
    if (may(`gm:${game}:boards`)) {
      await pages(async (offset) => {
        const page = await api.leaderboards(game, { limit: PAGE, offset })
        for (const { id, name } of page.leaderboards) boards.set(id, name)
        return page.next_offset
      })
    }
    return { keys, boards }
  }
  return useLoad(`names ${game}`, read).value ?? NONE
}

async function pages(read: (offset: number) => Promise<number | null>): Promise<void> {
  let offset: number | null = 0
  for (let page = 0; page < PAGES_MAX && offset !== null; page++) offset = await read(offset)
}
