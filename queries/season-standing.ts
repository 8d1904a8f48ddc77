// What a season ended with: its entries and players at its closing, whatever was hidden or deleted since.

import type { Rules } from '../domain/board-rules.ts'
import { type SeasonStanding, STANDING_FIRST } from '../domain/seasons.ts'
import { absentFrom, playersKey, rankingKey } from '../ranking/key.ts'
import { fieldsOfSortKey } from '../ranking/sort-key.ts'
import type { Document } from '../stores/contract/views.ts'
import type { QueryDeps } from './deps.ts'
import { differencesOf, differing, type RankingOfSeason } from './final-ranks.ts'
import { seasonsOfBoard } from './seasons.ts'

const ALL = Number.MAX_SAFE_INTEGER
/** Bans and deletions that are applied during a read are few. */
const TRIES = 20
/** Entries per read. */
const PAGE = 100

/** An entry of the standing. */
interface Placed {
  readonly player: string
  readonly sortKey: string
}

/**
 * Reads documents and not the rankings, which may be of another moment, and repeats that if entries were hidden, shown
 * or deleted meanwhile.
 */
export async function standingOf(
  deps: QueryDeps,
  { board, season }: { readonly board: string; readonly season: number },
): Promise<SeasonStanding> {
  const seasons = await seasonsOfBoard(deps, board)
  const generation = seasons?.records[season - 1]?.generation ?? null
  const rules = generation === null ? undefined : seasons?.rules[generation]
  if (generation === null || rules === undefined) throw new Error(`season ${season} of ${board} is not closed`)
  const ranking = new ClosedRanking({ deps, board, season, key: rankingKey(board, generation, season) })
  const ofPlayers = new ClosedRanking({ deps, board, season, key: playersKey(board, generation, season) })
  const read = async () => {
    const entries = await ranking.size()
    return {
      players: rules.unique ? entries : await ofPlayers.size(),
      entries,
      first: (await ranking.first()).map((placed) => scored(placed, rules)),
    }
  }
  for (let attempt = 1; ; attempt++) {
    const before = await ranking.differences()
    const standing = await read()
    if (before === (await ranking.differences())) return standing
    if (attempt === TRIES) throw new Error(`the entries of season ${season} of ${board} change too often`)
  }
}

function scored({ player, sortKey }: Placed, rules: Rules) {
  return { player, score: fieldsOfSortKey(sortKey, rules).score }
}

/** The ranking of a season as it was at its closing. */
class ClosedRanking {
  readonly #of: RankingOfSeason

  constructor(of: RankingOfSeason) {
    this.#of = of
  }

  async size(): Promise<number> {
    const [ranked, { absent, late }] = await Promise.all([
      this.#of.deps.views.count({ ...this.#ranked, limit: ALL }),
      differencesOf(this.#of),
    ])
    return ranked + absent - late
  }

  /** Equal texts: no entry was hidden, shown or deleted in between. */
  async differences(): Promise<string> {
    const counts = await differencesOf(this.#of)
    const absent = await this.#firstAbsent()
    return JSON.stringify([counts, absent.map(({ body }) => body.differsKey)])
  }

  /** The best entries, at most `STANDING_FIRST`. */
  async first(): Promise<readonly Placed[]> {
    const absent = await this.#firstAbsent()
    const all = [...(await this.#firstShown()), ...absent.map((one) => placed(one, 'differsKey'))]
    return all.sort((a, b) => (a.sortKey < b.sortKey ? -1 : 1)).slice(0, STANDING_FIRST)
  }

  /** Those of the best entries that are shown, without late ones. */
  async #firstShown(): Promise<readonly Placed[]> {
    const { views } = this.#of.deps
    const found: Placed[] = []
    for (let after: string | null = null; ; ) {
      const page = await views.find({ ...this.#ranked, ...(after !== null && { after }), limit: PAGE })
      found.push(...page.filter(({ body }) => body.late !== true).map((one) => placed(one, 'member')))
      if (page.length < PAGE || found.length >= STANDING_FIRST) return found.slice(0, STANDING_FIRST)
      after = String(page.at(-1)?.body.member)
    }
  }

  get #ranked() {
    const { deps, key } = this.#of
    return { view: deps.viewKey('entries'), collection: 'entries', index: 'rank', equal: [key] }
  }

  #firstAbsent(): Promise<Document[]> {
    const { deps, board, season, key } = this.#of
    return deps.views.find({ ...differing(deps, board, season)(absentFrom(key)), limit: STANDING_FIRST })
  }
}

const placed = ({ body }: Document, sortKey: 'member' | 'differsKey'): Placed => ({
  player: String(body.player),
  sortKey: String(body[sortKey]),
})
