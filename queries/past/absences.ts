// Which players were banned up to a position, and which are deleted by now, from the view `past` (projections/past.ts).

import type { Position } from '../../domain/event.ts'
import { yieldToEventLoop } from '../../runtime/yield-to-event-loop.ts'
import type { Document } from '../../stores/contract/views.ts'
import type { QueryDeps } from '../deps.ts'
import { viewReached } from '../reached.ts'

const PAGE = 1_000

/** The beginning or end of a player's ban. */
export interface BanChange {
  readonly player: string
  readonly banned: boolean
  readonly time: string
  readonly position: Position
}

/** The position up to which the bans and deletions of a game are known. */
export const absencesReached = ({ views, viewKey }: QueryDeps, game: string): Promise<Position | null> =>
  viewReached(views, viewKey('past'), game)

/** The ban changes up to and including a position, in log order. */
export async function banChanges(
  deps: QueryDeps,
  where: { readonly game: string } | { readonly player: string },
  upTo: Position,
): Promise<BanChange[]> {
  const [index, value] = 'game' in where ? ['game', where.game] : ['player', where.player]
  const found = await all(deps, 'bans', index, value, null)
  return found
    .map(({ body }) => ({
      player: String(body.player),
      banned: body.banned === true,
      time: String(body.time),
      position: String(body.position),
    }))
    .filter(({ position }) => position <= upTo)
}

/** The players whose last change is a ban. */
export function bannedBy(changes: readonly BanChange[]): Set<string> {
  const banned = new Set<string>()
  for (const change of changes) {
    if (change.banned) banned.add(change.player)
    else banned.delete(change.player)
  }
  return banned
}

/** The players of a game that were deleted after a position. */
export async function deletedPlayers(deps: QueryDeps, game: string, after: Position | null): Promise<string[]> {
  return (await all(deps, 'gone', 'game', game, after)).map(({ body }) => String(body.player))
}

export async function isDeleted(deps: QueryDeps, player: string): Promise<boolean> {
  const find = { view: deps.viewKey('past'), collection: 'gone', index: 'player', equal: [player], limit: 1 }
  return (await deps.views.find(find)).length > 0
}

async function all(
  { views, viewKey }: QueryDeps,
  collection: string,
  index: string,
  of: string,
  after: Position | null,
) {
  const documents: Document[] = []
  for (let from = after; ; ) {
    const bound = from === null ? {} : { after: from }
    const page = await views.find({ view: viewKey('past'), collection, index, equal: [of], ...bound, limit: PAGE })
    documents.push(...page)
    if (page.length < PAGE) return documents
    from = page.at(-1)?.body.position as string
    await yieldToEventLoop()
  }
}

// The ban changes of a board's players, taken in log order.

export class Bans {
  readonly #changes: readonly BanChange[]
  readonly #banned = new Set<string>()
  #taken = 0

  /** In log order. */
  constructor(changes: readonly BanChange[]) {
    this.#changes = changes
  }

  /** The changes up to and including a position that were not returned before, without those that change nothing. */
  *until(position: Position): Generator<BanChange> {
    for (let change = this.#changes[this.#taken]; change !== undefined && change.position <= position; ) {
      const { player, banned } = change
      if (this.#banned.has(player) !== banned) {
        if (banned) this.#banned.add(player)
        else this.#banned.delete(player)
        yield change
      }
      change = this.#changes[++this.#taken]
    }
  }

  /** Whether a player is banned after the changes that `until` has returned. */
  isBanned(player: string): boolean {
    return this.#banned.has(player)
  }
}
