// Players, as the tenant sees them and as they see themselves.

import type { Player } from '../domain/player.ts'
import { asFolded, type Folded, folded, foldedPage, type Page, type Paging, type QueryDeps } from './deps.ts'

const PAGE = 1_000

export const findPlayer = (deps: QueryDeps, id: string) => folded<Player>(deps, 'players', id)

/** Players of a game in the order of their making, or those whose name contains a text (any case). The latter is O(n). */
export async function listPlayers(
  deps: QueryDeps,
  game: string,
  name: string | null,
  paging: Paging,
): Promise<Page<Folded<Player>>> {
  if (name === null) return foldedPage<Player>(deps, 'players', { index: 'game', equal: [game] }, paging)
  const wanted = foldCase(name)
  const rows: Folded<Player>[] = []
  let count = 0
  for await (const player of playersOf(deps, game)) {
    if (!foldCase(player.state.name ?? '').includes(wanted)) continue
    if (count >= paging.offset && rows.length < paging.limit) rows.push(player)
    count++
  }
  return { rows, count }
}

async function* playersOf(deps: QueryDeps, game: string): AsyncIterable<Folded<Player>> {
  const view = deps.viewKey('players')
  for (let skip = 0; ; skip += PAGE) {
    const documents = await deps.views.find({
      view,
      collection: 'players',
      index: 'game',
      equal: [game],
      skip,
      limit: PAGE,
    })
    for (const document of documents) yield asFolded<Player>(document)
    if (documents.length < PAGE) return
  }
}

/**
 * For comparing names without regard to case. Lower case alone would write a capital sigma in two ways, by whether a word
 * ends there; upper case after it looks at nothing but the character itself.
 */
export const foldCase = (text: string): string => text.normalize('NFC').toLowerCase().toUpperCase()

export function playerAnswer(id: string, { name, created, guest, externalId }: Player) {
  return { id, name, created, guest, external_id: externalId, banned: null }
}

export function ownAnswer(id: string, { name, created, guest }: Player) {
  return { id, name, created, guest }
}
