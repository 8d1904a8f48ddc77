// Applying changes: ranks are exact, each change applies once, and older changes are skipped.

import { expect } from 'chai'
import type { AllRankings } from '../../stores/contract/rankings.ts'
import {
  added,
  all,
  change,
  checkFilled,
  fill,
  filledWith,
  fiveOn,
  modelAround,
  NAME,
  ofOne,
  posAt,
  sortKeyAt,
  sortKeysAt,
  upTo,
} from './rankings-model.ts'
import type { Check } from './test-contract.ts'

const moves: readonly Check<AllRankings>[] = [
  checkFilled('sort keys stand in byte order, each at its place', async (rankings) => {
    const sortKeys = await fiveOn(rankings)
    expect(await all(rankings, 'board')).to.deep.equal(sortKeys)
    expect(await rankings.size('board')).to.equal(5)
    expect(await rankings.ranks('board', sortKeys)).to.deep.equal([0, 1, 2, 3, 4])
  }),
  checkFilled('byte order alone decides: a prefix before what it begins, marks before letters', async (rankings) => {
    const sortKeys = ['!', '!!', '!a', '0', '9', 'A', 'Aa', 'a', 'a!', 'aa', 'z', '~', '~~']
    for (const [n, sortKey] of sortKeys.toReversed().entries()) {
      await rankings.put([change('board', [], sortKey, n + 1)])
    }
    expect(await all(rankings, 'board')).to.deep.equal(sortKeys)
  }),
  checkFilled('a change moves its entry, and takes it away where nothing comes after', async (rankings) => {
    await fiveOn(rankings)
    await rankings.put([change('board', [sortKeyAt(8)], sortKeyAt(1, 8), 6), change('board', [sortKeyAt(2)], null, 7)])
    expect(await all(rankings, 'board')).to.deep.equal([sortKeyAt(0), sortKeyAt(1, 8), sortKeyAt(4), sortKeyAt(6)])
    expect(await rankings.ranks('board', [sortKeyAt(8)])).to.deep.equal([null])
    expect(await rankings.size('board')).to.equal(4)
  }),
  checkFilled('all sort keys that came before are taken away, whether they are ranked or not', async (rankings) => {
    await fiveOn(rankings)
    await rankings.put([change('board', [sortKeyAt(7), sortKeyAt(0), sortKeyAt(8), sortKeyAt(4)], sortKeyAt(4), 6)])
    expect(await all(rankings, 'board')).to.deep.equal(sortKeysAt([2, 4, 6]))
    await rankings.put([change('board', [sortKeyAt(6), sortKeyAt(5), sortKeyAt(2)], null, 7)])
    expect(await all(rankings, 'board')).to.deep.equal(sortKeysAt([4]))
  }),
  checkFilled('changes of one key in one call are applied in their order', async (rankings) => {
    const [first, second, third] = [sortKeyAt(5, 1), sortKeyAt(3, 1), sortKeyAt(4, 1)]
    await rankings.put([change('board', [], first, 1), change('board', [first], second, 2)])
    expect(await all(rankings, 'board')).to.deep.equal([second])
    await rankings.put([change('board', [second], null, 3), change('board', [first], third, 4)])
    expect(await all(rankings, 'board')).to.deep.equal([third])
    await rankings.put([change('board', [third], first, 5), change('board', [first], null, 6)])
    expect(await all(rankings, 'board')).to.deep.equal([])
  }),
  checkFilled('removing what is not ranked and adding what is are harmless', async (rankings) => {
    const sortKeys = await fiveOn(rankings)
    await rankings.put([change('board', [sortKeyAt(5)], null, 6), change('board', [], sortKeyAt(4), 7)])
    await rankings.put([change('board', [sortKeyAt(6)], sortKeyAt(6), 8), change('elsewhere', [sortKeyAt(6)], null, 9)])
    await rankings.put([])
    expect(await all(rankings, 'board')).to.deep.equal(sortKeys)
    expect(await rankings.size('board')).to.equal(5)
    expect(await rankings.size('elsewhere')).to.equal(0)
  }),
]

const lastPositions: readonly Check<AllRankings>[] = [
  checkFilled('a call repeated, and a whole history repeated, change nothing more', async (rankings) => {
    const history = [
      added('board', [1, 2, 3]),
      [change('board', [sortKeyAt(1)], sortKeyAt(7, 1), 4), change('board', [sortKeyAt(2)], null, 5)],
      [change('board', [sortKeyAt(7, 1)], sortKeyAt(0, 1), 6)],
    ]
    for (const changes of [...history, ...history.slice(-1), ...history]) await rankings.put(changes)
    expect(await all(rankings, 'board')).to.deep.equal([sortKeyAt(0, 1), sortKeyAt(3)])
    expect(await rankings.size('board')).to.equal(2)
  }),
  checkFilled('a change older than the last change of its key is ignored, the others are applied', async (rankings) => {
    await rankings.put([change('board', [], sortKeyAt(1), 10)])
    await rankings.put([
      change('board', [], sortKeyAt(2), 9),
      change('board', [sortKeyAt(2)], sortKeyAt(4), 11),
      change('board', [sortKeyAt(1)], null, 8),
    ])
    expect(await all(rankings, 'board')).to.deep.equal(sortKeysAt([1, 4]))
  }),
  checkFilled('a change of no sort key leaves its mark, also in a key that has none', async (rankings) => {
    await rankings.put([change('other', [], sortKeyAt(1), 3)])
    for (const key of ['board', 'other']) {
      await rankings.put([change(key, [], null, 9)])
      await rankings.put([change(key, [], sortKeyAt(2), 8)])
    }
    expect(await all(rankings, 'board')).to.deep.equal([])
    expect(await rankings.size('board')).to.equal(0)
    expect(await all(rankings, 'other')).to.deep.equal(sortKeysAt([1]))
    await rankings.put([change('board', [], sortKeyAt(2), 9)])
    expect(await all(rankings, 'board')).to.deep.equal(sortKeysAt([2]))
  }),
  checkFilled('changes of one event may come in several calls, and any of them again', async (rankings) => {
    await rankings.put(added('board', [1, 2, 3, 4], 1))
    const parts = [[1, 2], [3], [4]].map((some) => some.map((n) => change('board', [sortKeyAt(n)], null, 9)))
    for (const part of [...parts.slice(0, 2), ...parts]) await rankings.put(part)
    expect(await all(rankings, 'board')).to.deep.equal([])
    for (const n of [1, 2, 1, 3]) await rankings.put([change('board', [], sortKeyAt(n), 10)])
    expect(await all(rankings, 'board')).to.deep.equal(sortKeysAt([1, 2, 3]))
    await rankings.put([change('board', [sortKeyAt(3)], null, 9), change('board', [], sortKeyAt(4), 9)])
    expect(await all(rankings, 'board')).to.deep.equal(sortKeysAt([1, 2, 3]))
    await rankings.put([change('board', [sortKeyAt(2)], null, 11)])
    await rankings.put([change('board', [], sortKeyAt(2), 10)])
    expect(await all(rankings, 'board')).to.deep.equal(sortKeysAt([1, 3]))
  }),
  checkFilled(
    'in one call an older change after a newer one counts, as the key stood before both',
    async (rankings) => {
      await rankings.put([
        change('board', [], sortKeyAt(1), 7),
        change('board', [], sortKeyAt(2), 5),
        change('board', [], sortKeyAt(3), 6),
      ])
      expect(await all(rankings, 'board')).to.deep.equal(sortKeysAt([1, 2, 3]))
      await rankings.put([change('board', [sortKeyAt(1)], sortKeyAt(9), 6)])
      expect(await all(rankings, 'board')).to.deep.equal(sortKeysAt([1, 2, 3]))
      await rankings.put([change('board', [sortKeyAt(1)], sortKeyAt(9), 8)])
      expect(await all(rankings, 'board')).to.deep.equal(sortKeysAt([2, 3, 9]))
    },
  ),
  checkFilled('each key has a last change of its own, also one that is empty again', async (rankings) => {
    await rankings.put([change('a', [], sortKeyAt(1), 10), change('b', [], sortKeyAt(1), 3)])
    await rankings.put([change('b', [sortKeyAt(1)], null, 12), change('c', [], sortKeyAt(3), 2)])
    await rankings.put([
      change('a', [], sortKeyAt(2), 11),
      change('b', [], sortKeyAt(2), 11),
      change('c', [], sortKeyAt(4), 3),
    ])
    expect(await Promise.all(['a', 'b', 'c'].map((key) => all(rankings, key)))).to.deep.equal([
      sortKeysAt([1, 2]),
      [],
      sortKeysAt([3, 4]),
    ])
    await rankings.put([change('b', [], sortKeyAt(5), 13)])
    expect(await all(rankings, 'b')).to.deep.equal(sortKeysAt([5]))
  }),
  {
    name: 'lastApplied is the newest position that was applied to a key or that it was filled at, also if no entry is left',
    run: async (make) => {
      const rankings = ofOne(await make())
      await fill(rankings, NAME, posAt(5), filledWith({ filled: sortKeysAt([1]), changed: sortKeysAt([2]) }))
      await rankings.put([
        change('changed', [sortKeyAt(2)], null, 9),
        change('changed', [], sortKeyAt(3), 8),
        change('changed', [sortKeyAt(3)], null, 8),
        change('added', [], sortKeyAt(4), 7),
        change('hidden', [], null, 6),
      ])
      // Older ones are skipped.
      await rankings.put([change('changed', [], sortKeyAt(6), 7), change('filled', [], sortKeyAt(7), 4)])
      const keys = ['filled', 'changed', 'added', 'hidden', 'unknown']
      const expected = [posAt(5), posAt(9), posAt(7), posAt(6), '']
      expect(await Promise.all(keys.map((key) => rankings.lastApplied(key)))).to.deep.equal(expected)
    },
  },
  checkFilled('positions are compared by code unit', async (rankings) => {
    const puts = ['a', 'B', '-~', 'aa', 'a-', 'b', 'Z', 'b0', 'b'].map((pos, n) => ({ pos, after: sortKeyAt(n) }))
    for (const { pos, after } of puts) await rankings.put([{ key: 'board', before: [], after, pos }])
    expect(await all(rankings, 'board')).to.deep.equal(sortKeysAt([0, 3, 5, 7]))
  }),
]

const amounts: readonly Check<AllRankings>[] = [
  checkFilled('thousands of sort keys come and go, and the places stay exact', async (rankings) => {
    const scores = upTo(6_000).map((n) => (n * 2_477) % 6_000)
    await rankings.put(added('board', scores))
    const gone = scores.filter((score) => score % 10 !== 3 || (score > 2_000 && score < 3_000))
    await rankings.put(gone.map((score, n) => change('board', [sortKeyAt(score)], null, 10_000 + n)))
    const goneOnes = new Set(gone)
    expect(await all(rankings, 'board')).to.deep.equal(sortKeysAt(upTo(6_000).filter((score) => !goneOnes.has(score))))
    await rankings.put(added('board', gone, 20_000))
    const sortKeys = sortKeysAt(upTo(6_000))
    expect(await all(rankings, 'board')).to.deep.equal(sortKeys)
    for (const rank of [0, 1, 1_234, 3_000, 5_999]) {
      const around = await rankings.around('board', sortKeyAt(rank), 20)
      expect(around).to.deep.equal(modelAround(sortKeys, sortKeyAt(rank), 20))
    }
  }),
  checkFilled('one call takes changes of thousands of keys', async (rankings) => {
    const keys = upTo(3_000)
    const first = keys.flatMap((n) => added(`board-${n}`, [n, n + 1, n + 2], n * 3 + 1))
    await rankings.put(first)
    await rankings.put(keys.map((n) => change(`board-${n}`, [sortKeyAt(n + 1)], null, 20_000 + n)))
    await rankings.put(first)
    const found = await Promise.all(keys.map((n) => all(rankings, `board-${n}`)))
    expect(found).to.deep.equal(keys.map((n) => sortKeysAt([n, n + 2])))
  }),
]

export const puttingChecks: readonly Check<AllRankings>[] = [...moves, ...lastPositions, ...amounts]
