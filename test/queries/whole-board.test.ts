// A whole board is read in pages while entries move between pages: each entry that is not removed appears once.

import { expect } from 'chai'
import { type Decimal, parseDecimal } from '../../domain/decimal.ts'
import type { QueryDeps } from '../../queries/deps.ts'
import { BoardReader } from '../../queries/scores/board-reader.ts'
import { KNOWN_MAX } from '../../queries/scores/known-entries.ts'
import { listRows, UNFILTERED } from '../../queries/scores/list.ts'
import type { ScoresQuery } from '../../queries/scores/query.ts'
import { entryDocument, rankingKey } from '../../ranking/key.ts'
import { encodeSortKey } from '../../ranking/sort-key.ts'
import type { Find } from '../../stores/contract/views.ts'
import { createMemoryLog } from '../memory/log.ts'
import { createRankings } from '../memory/rankings-in-process.ts'
import { createMemoryViews } from '../memory/views.ts'
import { rulesOf } from '../rules.ts'

const BOARD = 'b'
const KEY = rankingKey(BOARD, 1)
/** A little more than twenty pages. */
const ENTRIES = 2_030
const TIME = '2026-11-21T07:05:01.123Z'
const decimal = (text: string) => parseDecimal(text) as Decimal
const RULES = rulesOf(true)
const ALL: ScoresQuery = { ...UNFILTERED, limit: 100, offset: 0, order: 'best', playerName: 'P' }

describe('reading a whole board while its entries move', () => {
  /** Called after each page; and the number of pages read. */
  let between: (page: number) => Promise<void>
  let pages: number
  let deps: QueryDeps
  let position: number
  const views = createMemoryViews()

  /** A player's entry with this score. */
  const entryOf = (player: string, score: number) => {
    const id = `e-${player}`
    const sortKey = encodeSortKey(
      { score: decimal(String(score)), secondary: null, timeMs: Date.parse(TIME), id },
      RULES,
    )
    const body = {
      id,
      lookup: id,
      board: BOARD,
      player,
      ranking: KEY,
      member: sortKey,
      score: String(score),
      secondary: null,
    }
    return { ...body, extra: null, ownName: null, name: player, added: TIME, updated: TIME }
  }
  const pos = () => String(++position).padStart(16, '0')
  const putEntries = (players: readonly (readonly [string, number | null])[]) =>
    views.commit([
      {
        view: 'entries',
        writes: players.map(([player, score]) => ({
          ...{
            collection: 'entries',
            id: entryDocument({ board: BOARD, generation: 1, unique: true, player, submission: '' }),
            pos: pos(),
          },
          body: score === null ? null : entryOf(player, score),
        })),
        // Without a checkpoint, as in a store between writing documents and checkpoints.
        checkpoints: new Map(),
      },
    ])
  const nameOf = (n: number) => `p${String(n).padStart(5, '0')}`

  beforeEach(async () => {
    position = 0
    pages = 0
    between = async () => {}
    await views.drop('entries')
    const rank = ['ranking', 'member']
    await views.prepare({ key: 'entries', collections: [{ name: 'entries', indexes: { rank } }] })
    await putEntries(Array.from({ length: ENTRIES }, (_, n) => [nameOf(n), n + 1] as const))
    const find = async (params: Find) => {
      const found = await views.find(params)
      await between(++pages)
      return found
    }
    const others = { history: createMemoryLog(), rankings: createRankings(), viewKey: (name: string) => name }
    deps = { ...others, views: { ...views, find } }
  })

  const board = { id: BOARD, game: 'g', generation: 1, state: { rules: RULES } } as never
  const read = async (query: Partial<ScoresQuery> = {}) => listRows(new BoardReader(deps, board), { ...ALL, ...query })

  it('reads the board in pages of 100', async () => {
    expect([(await read()).count, pages]).to.deep.equal([ENTRIES, 21])
  })

  for (const [what, from, to] of [
    ['from the lowest rank to the first', 0, 1_000_000],
    ['from a high rank to the first', ENTRIES - 1, 1_000_001],
    ['across the end of the first page', 90, 150],
    ['across a page end near the top', ENTRIES - 110, ENTRIES - 50],
  ] as const) {
    it(`counts an entry once that moves ${what} between two pages`, async () => {
      for (const page of [1, 2, 19, 20]) {
        await putEntries([[nameOf(from), from + 1]])
        pages = 0
        between = async (now) => {
          if (now === page) await putEntries([[nameOf(from), to]])
        }
        const all = await read()
        expect(all.count).to.equal(ENTRIES)
        expect((await read({ playerName: nameOf(from) })).count).to.equal(1)
      }
    })
  }

  it('returns entries once that move all the time', async () => {
    const moving = Array.from({ length: 50 }, (_, n) => nameOf(n * 40))
    between = async (page) => {
      await putEntries(moving.map((name, n) => [name, page * 100_000 + n] as const))
    }
    const { count, rows } = await read({ limit: KNOWN_MAX })
    expect(count).to.equal(ENTRIES)
    const others = Array.from({ length: ENTRIES }, (_, n) => nameOf(n)).filter((name) => !moving.includes(name))
    const first = [...moving, ...others.slice(moving.length - KNOWN_MAX)]
    expect(rows.map(({ entry }) => entry.player).toSorted()).to.deep.equal(first.toSorted())
  })

  it('returns an entry that was read twice as it was read last, in the order of the board', async () => {
    between = async (page) => {
      if (page === 1) await putEntries([[nameOf(0), 1_000_000]])
    }
    const { rows } = await read({ limit: 2 })
    expect(rows.map(({ entry, rank }) => [entry.player, entry.score, rank])).to.deep.equal([
      [nameOf(0), '1000000', 1],
      [nameOf(ENTRIES - 1), String(ENTRIES), 2],
    ])
  })
})
