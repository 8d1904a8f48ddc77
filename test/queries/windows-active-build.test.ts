// Window indexes belong to the active build: after a switch they are built again from the new one.

import { expect } from 'chai'
import type { Decimal } from '../../domain/decimal.ts'
import { partitionOf } from '../../domain/partition.ts'
import { withActiveBuilds } from '../../projections/builds/active-builds.ts'
import { rankingKey } from '../../ranking/key.ts'
import { encodeSortKey } from '../../ranking/sort-key.ts'
import { windowsOf } from '../../server/windows.ts'
import { createRankings } from '../../stores/embedded/rankings.ts'
import { skipsNothing } from '../memory/history.ts'
import { createMemoryViews } from '../memory/views.ts'

const EVER = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const
const [GAME, PARTITION] = ['g', partitionOf('g')]

const sortKeyOf = (id: string, score: number) =>
  encodeSortKey(
    { score: String(score) as Decimal, secondary: null, timeMs: Date.UTC(2026, 10, 21), id },
    { ordering: 'desc', secondaryOrdering: 'desc' },
  )
const [ada, bob, planted] = [sortKeyOf('ada', 9), sortKeyOf('bob', 8), sortKeyOf('eve', 7)]

describe('the window indexes of a node whose active build changes', () => {
  it('are built again when another build of the views becomes active', async () => {
    const views = createMemoryViews()
    const rankings = createRankings()
    const board = { board: 'b', game: GAME, unique: true, generation: 1, key: rankingKey('b', 1) }
    const checkpoints = new Map([[PARTITION, { position: '00000001', eventId: '' }]])
    // The active build has an entry that is not in the log.
    for (const [view, sortKeys] of [
      ['entries@1', [ada, bob, planted]],
      ['entries@1+1', [ada, bob]],
    ] as const) {
      await views.prepare({ key: view, collections: [{ name: 'entries', indexes: { rank: ['ranking', 'member'] } }] })
      const own = rankings.of(view, PARTITION)
      await (await own.beginFill('x')).finish(null, (async function* () {})())
      await own.put(sortKeys.map((after, n) => ({ key: board.key, before: [], after, pos: `0000000${n + 1}` })))
      await views.commit([{ view, writes: [], checkpoints }])
    }
    let shown = 'entries@1'
    const stores = withActiveBuilds({ views, rankings }, () => shown)
    const history = { part: async () => [], nth: async () => null, skip: skipsNothing }
    const deps = { ...stores, history, viewKey: () => 'entries@1', log: { readStream: async () => [] } }
    const windows = windowsOf(
      { ...deps, reached: async () => '00000001' },
      { from: -1, maxBytes: 2 ** 30 },
      () => shown,
    )
    const all = async () => (await windows.of(board))?.range(0, 10, ...EVER) ?? null
    try {
      expect(await all()).to.deep.equal([ada, bob, planted])
      shown = 'entries@1+1'
      expect(await all()).to.deep.equal([ada, bob])
      shown = 'entries@1'
      expect(await all()).to.deep.equal([ada, bob, planted])
    } finally {
      await windows.stop()
    }
  })
})
