// Reading rankings: counts, ranks, pages.

import { expect } from 'chai'
import type { AllRankings } from '../../stores/contract/rankings.ts'
import { added, all, checkFilled, fiveOn, modelAround, sortKeyAt, sortKeysAt, upTo } from './rankings-model.ts'
import type { Check } from './test-contract.ts'

export const readingChecks: readonly Check<AllRankings>[] = [
  checkFilled('before counts what comes earlier, also for a sort key that is not ranked', async (rankings) => {
    await fiveOn(rankings)
    const counts = await Promise.all(upTo(10).map((score) => rankings.before('board', sortKeyAt(score))))
    expect(counts).to.deep.equal([0, 1, 1, 2, 2, 3, 3, 4, 4, 5])
  }),
  checkFilled('ranks gives places in the order asked, null for what is not ranked', async (rankings) => {
    await fiveOn(rankings)
    const asked = [...sortKeysAt([6, 5, 0, 8]), '', sortKeyAt(9), sortKeyAt(6), '~~~']
    expect(await rankings.ranks('board', asked)).to.deep.equal([3, null, 0, 4, null, null, 3, null])
    expect(await rankings.ranks('board', [])).to.deep.equal([])
    const many = upTo(12_000).map((n) => sortKeyAt(n % 10))
    const scores = many.map((_, n) => (n % 2 === 0 ? (n % 10) / 2 : null))
    expect(await rankings.ranks('board', many)).to.deep.equal(scores)
  }),
  checkFilled('range gives what there is from a place on, and nothing beyond the end', async (rankings) => {
    const sortKeys = await fiveOn(rankings)
    for (const offset of [0, 1, 4, 5, 6, 1_000_000_000]) {
      for (const limit of [0, 1, 2, 5, 6, 100]) {
        expect(await rankings.range('board', offset, limit)).to.deep.equal(sortKeys.slice(offset, offset + limit))
      }
    }
  }),
  checkFilled(
    'around is centred, shifted and not shortened near an end, and whole where the limit exceeds the size',
    async (rankings) => {
      const sortKeys = await fiveOn(rankings)
      expect(await rankings.around('board', sortKeyAt(4), 3)).to.deep.equal({
        rank: 2,
        size: 5,
        offset: 1,
        sortKeys: sortKeysAt([2, 4, 6]),
      })
      for (const sortKey of [...sortKeys, sortKeyAt(5)]) {
        for (const limit of [0, 1, 2, 3, 4, 5, 6, 100]) {
          const expected = modelAround(sortKeys, sortKey, limit)
          expect(await rankings.around('board', sortKey, limit)).to.deep.equal(expected)
        }
      }
    },
  ),
  checkFilled('keys are apart from each other, and an unknown one is empty', async (rankings) => {
    await rankings.put([...added('a', [1, 2]), ...added('b', [2, 3]), ...added('a:b', [4]), ...added('*', [5])])
    expect(await Promise.all(['a', 'b', 'a:b', '*', 'c'].map((key) => all(rankings, key)))).to.deep.equal([
      sortKeysAt([1, 2]),
      sortKeysAt([2, 3]),
      sortKeysAt([4]),
      sortKeysAt([5]),
      [],
    ])
    expect(await rankings.size('c')).to.equal(0)
    expect(await rankings.before('c', sortKeyAt(2))).to.equal(0)
    expect(await rankings.ranks('c', [sortKeyAt(2)])).to.deep.equal([null])
    expect(await rankings.range('c', 0, 10)).to.deep.equal([])
    expect(await rankings.around('c', sortKeyAt(2), 10)).to.equal(null)
  }),
]
