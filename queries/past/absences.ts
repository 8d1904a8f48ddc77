// Which players were banned at an instant, and which are deleted by now, from the view `past` (projections/past.ts).

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
}

/** The position up to which the bans and deletions of a game are known. */
export const absencesReached = ({ views, viewKey }: QueryDeps, game: string): Promise<Position | null> =>
  viewReached(views, viewKey('past'), game)

/** The ban changes after one position, up to and including another, that happened by an instant; in log order. */
export async function banChanges(
  deps: QueryDeps,
  where: { readonly game: string } | { readonly player: string },
  { after, upTo, asOf }: { readonly after: Position | null; readonly upTo: Position | null; readonly asOf: string },
): Promise<BanChange[]> {
  if (upTo === null) return []
  const [index, value] = 'game' in where ? ['game', where.game] : ['player', where.player]
  const found = await all(deps, 'bans', index, value, after)
  return found
    .filter(({ body }) => (body.position as string) <= upTo && (body.time as string) <= asOf)
    .map(({ body }) => ({ player: String(body.player), banned: body.banned === true, time: String(body.time) }))
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

// The ban changes of a board's players in order of time.

export class Bans {
  readonly #changes: readonly BanChange[]
  readonly #ofPlayer = new Map<string, BanChange[]>()
  readonly #banned = new Set<string>()
  #taken = 0

  /** The changes of each player must be in order of time. */
  constructor(changes: readonly BanChange[]) {
    this.#changes = changes.toSorted((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0))
    for (const change of changes) {
      const own = this.#ofPlayer.get(change.player)
      if (own === undefined) this.#ofPlayer.set(change.player, [change])
      else own.push(change)
    }
  }

  /** The changes up to a time that were not returned before, without those that change nothing. */
  *until(time: string): Generator<BanChange> {
    for (let change = this.#changes[this.#taken]; change !== undefined && change.time <= time; ) {
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

  isBannedAt(player: string, time: string): boolean {
    return this.#ofPlayer.get(player)?.findLast((change) => change.time <= time)?.banned === true
  }
}
