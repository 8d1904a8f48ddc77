// Reading rankings: counts, ranks, pages.

import { expect } from 'chai'
import type { AllRankings } from '../../stores/contract/rankings.ts'
import { added, all, checkFilled, fiveOn, memberAt, membersAt, modelAround, upTo } from './rankings-model.ts'
import type { Check } from './sign.ts'

export const readingChecks: readonly Check<AllRankings>[] = [
  checkFilled('before counts what comes earlier, also for a member that is not ranked', async (rankings) => {
    await fiveOn(rankings)
    const counts = await Promise.all(upTo(10).map((score) => rankings.before('board', memberAt(score))))
    expect(counts).to.deep.equal([0, 1, 1, 2, 2, 3, 3, 4, 4, 5])
  }),
  checkFilled('ranks gives places in the order asked, null for what is not ranked', async (rankings) => {
    await fiveOn(rankings)
    const asked = [...membersAt([6, 5, 0, 8]), '', memberAt(9), memberAt(6), '~~~']
    expect(await rankings.ranks('board', asked)).to.deep.equal([3, null, 0, 4, null, null, 3, null])
    expect(await rankings.ranks('board', [])).to.deep.equal([])
    const many = upTo(12_000).map((n) => memberAt(n % 10))
    const scores = many.map((_, n) => (n % 2 === 0 ? (n % 10) / 2 : null))
    expect(await rankings.ranks('board', many)).to.deep.equal(scores)
  }),
  checkFilled('range gives what there is from a place on, and nothing beyond the end', async (rankings) => {
    const members = await fiveOn(rankings)
    for (const offset of [0, 1, 4, 5, 6, 1_000_000_000]) {
      for (const limit of [0, 1, 2, 5, 6, 100]) {
        expect(await rankings.range('board', offset, limit)).to.deep.equal(members.slice(offset, offset + limit))
      }
    }
  }),
  checkFilled(
    'around is centred, shifted and not shortened near an end, and whole where the limit exceeds the size',
    async (rankings) => {
      const members = await fiveOn(rankings)
      expect(await rankings.around('board', memberAt(4), 3)).to.deep.equal({
        rank: 2,
        size: 5,
        offset: 1,
        members: membersAt([2, 4, 6]),
      })
      for (const member of [...members, memberAt(5)]) {
        for (const limit of [0, 1, 2, 3, 4, 5, 6, 100]) {
          const expected = modelAround(members, member, limit)
          expect(await rankings.around('board', member, limit)).to.deep.equal(expected)
        }
      }
    },
  ),
  checkFilled('keys are apart from each other, and an unknown one is empty', async (rankings) => {
    await rankings.put([...added('a', [1, 2]), ...added('b', [2, 3]), ...added('a:b', [4]), ...added('*', [5])])
    expect(await Promise.all(['a', 'b', 'a:b', '*', 'c'].map((key) => all(rankings, key)))).to.deep.equal([
      membersAt([1, 2]),
      membersAt([2, 3]),
      membersAt([4]),
      membersAt([5]),
      [],
    ])
    expect(await rankings.size('c')).to.equal(0)
    expect(await rankings.before('c', memberAt(2))).to.equal(0)
    expect(await rankings.ranks('c', [memberAt(2)])).to.deep.equal([null])
    expect(await rankings.range('c', 0, 10)).to.deep.equal([])
    expect(await rankings.around('c', memberAt(2), 10)).to.equal(null)
  }),
]
