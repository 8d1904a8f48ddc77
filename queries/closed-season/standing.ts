// What a closed season ended with: the standing that is recorded.

import type { Rules } from '../../domain/board-rules.ts'
import { recordOf } from '../../domain/season-records.ts'
import { type SeasonStanding, STANDING_FIRST } from '../../domain/seasons.ts'
import { absentFrom, playersKey, rankingKey } from '../../ranking/key.ts'
import { fieldsOfSortKey } from '../../ranking/sort-key.ts'
import type { Document, Find } from '../../stores/contract/views.ts'
import type { QueryDeps } from '../deps.ts'
import { readSeasons, seasonsOfBoard } from '../seasons.ts'
import { areSame, type ClosedRanking, type Differences, differencesOf, differing } from './differences.ts'

const ALL = Number.MAX_SAFE_INTEGER
/** Bans and deletions that are applied during a read of a standing are few. */
const TRIES = 20
/** Entries per read. */
const PAGE = 100

/** An entry at closing. */
interface Placed {
  readonly player: string
  readonly sortKey: string
}

/**
 * What a closed season ended with. Reads documents and not the rankings, which may be of another moment, and repeats
 * that if entries were hidden, shown or deleted meanwhile.
 */
export async function standingAtClosing(
  deps: QueryDeps,
  { board, season }: { readonly board: string; readonly season: number },
): Promise<SeasonStanding> {
  const head = await seasonsOfBoard(deps, board)
  const closed = head && (await readSeasons(deps, board, head, (seasons) => recordOf(seasons, season)?.closed))
  if (closed == null) throw new Error(`season ${season} of ${board} is not closed`)
  const { generation, rules } = closed
  const entries = { deps, board, season, key: rankingKey(board, generation, season) }
  const players = { ...entries, key: playersKey(board, generation, season) }
  for (let attempt = 1; ; attempt++) {
    const before = await differencesOf(entries)
    const size = await sizeAtClosing(entries, before)
    const standing = {
      players: rules.unique ? size : await sizeAtClosing(players, await differencesOf(players)),
      entries: size,
      first: (await firstAtClosing(entries)).map((placed) => scored(placed, rules)),
    }
    if (areSame(before, await differencesOf(entries))) return standing
    if (attempt === TRIES) throw new Error(`the entries of season ${season} of ${board} change too often`)
  }
}

async function sizeAtClosing({ deps, key }: ClosedRanking, { absent, added }: Differences): Promise<number> {
  return (await deps.views.count({ ...ranked(deps, key), limit: ALL })) + absent - added
}

/** At most `STANDING_FIRST`, best first. */
async function firstAtClosing(of: ClosedRanking): Promise<readonly Placed[]> {
  const absent = await of.deps.views.find({ ...differing(of, absentFrom), limit: STANDING_FIRST })
  const all = [...(await firstShown(of)), ...absent.map((one) => placed(one, 'differsKey'))]
  return all.sort((a, b) => (a.sortKey < b.sortKey ? -1 : 1)).slice(0, STANDING_FIRST)
}

/** Those of the best entries that are shown now too. */
async function firstShown({ deps, key }: ClosedRanking): Promise<readonly Placed[]> {
  const found: Placed[] = []
  for (let after: string | null = null; ; ) {
    const page: Document[] = await deps.views.find({
      ...ranked(deps, key),
      ...(after !== null && { after }),
      limit: PAGE,
    })
    found.push(...page.filter(({ body }) => body.hiddenAtClosing !== true).map((one) => placed(one, 'member')))
    if (page.length < PAGE || found.length >= STANDING_FIRST) return found.slice(0, STANDING_FIRST)
    after = String(page.at(-1)?.body.member)
  }
}

const ranked = ({ viewKey }: QueryDeps, key: string): Omit<Find, 'limit'> => ({
  view: viewKey('entries'),
  collection: 'entries',
  index: 'rank',
  equal: [key],
})

const placed = ({ body }: Document, sortKey: 'member' | 'differsKey'): Placed => ({
  player: String(body.player),
  sortKey: String(body[sortKey]),
})

const scored = ({ player, sortKey }: Placed, rules: Rules) => ({
  player,
  score: fieldsOfSortKey(sortKey, rules).score,
})
