// The contract of rankings: exact ranks under any history of changes, including replays after a crash, and no answers
// until they are filled. The reference is a sorted array.

import { expect } from 'chai'
import type { AllRankings, FilledRanking } from '../../stores/contract/rankings.ts'
import { apartChecks } from './rankings-apart.suite.ts'
import { historyChecks } from './rankings-histories.suite.ts'
import {
  added,
  all,
  callsOf,
  change,
  checkFilled,
  checkOpened,
  fill,
  filledWith,
  fiveOn,
  LOST,
  modelAround,
  NAME,
  outcomes,
  posAt,
  sortKeyAt,
  sortKeysAt,
  upTo,
} from './rankings-model.ts'
import { puttingChecks } from './rankings-putting.suite.ts'
import { replayChecks } from './rankings-replays.suite.ts'
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
  checkFilled('concurrent reads of ranks answer each its own question, of its own key', async (rankings) => {
    await fiveOn(rankings)
    await rankings.put(added('other', [1, 2], 6))
    const reads = upTo(6).map((score) => {
      const key = score % 2 === 0 ? 'board' : 'other'
      return Promise.all([rankings.ranks(key, sortKeysAt([score, 1])), rankings.before(key, sortKeyAt(score))])
    })
    const expected = [
      [[0, null], 0],
      [[0, 0], 0],
      [[1, null], 1],
      [[null, 0], 2],
      [[2, null], 2],
      [[null, 0], 2],
    ]
    expect(await Promise.all(reads)).to.deep.equal(expected)
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

export const fillingChecks: readonly Check<AllRankings>[] = [
  checkOpened('rankings never filled answer nothing, and take nothing', async (rankings) => {
    expect(await rankings.isFilled(NAME)).to.equal(false)
    expect(await outcomes(callsOf(rankings, 'board', sortKeyAt(1)))).to.deep.equal(LOST)
    await fill(rankings, NAME, null, filledWith({}))
    expect(await rankings.isFilled(NAME)).to.equal(true)
    expect(await all(rankings, 'board')).to.deep.equal([])
  }),
  checkOpened('a fill gives each key its sort keys, from slices of any size', async (rankings) => {
    const many = sortKeysAt(upTo(5_000).map((score) => score * 2 + 1))
    for (const size of [5_000, 7, 1]) {
      await fill(rankings, NAME, posAt(9), filledWith({ many, few: sortKeysAt([3, 4]), none: [] }, size))
      expect(await all(rankings, 'many')).to.deep.equal(many)
      expect(await all(rankings, 'few')).to.deep.equal(sortKeysAt([3, 4]))
      expect(await rankings.size('none')).to.equal(0)
      expect(await rankings.ranks('many', [sortKeyAt(1_001), sortKeyAt(1_002)])).to.deep.equal([500, null])
    }
  }),
  checkOpened('a fill takes thousands of small keys', async (rankings) => {
    const keys = upTo(3_000)
    const boards = Object.fromEntries(keys.map((n) => [`board-${n}`, sortKeysAt([n, n + 1])]))
    await fill(rankings, NAME, null, filledWith(boards))
    expect(await Promise.all(keys.map((n) => all(rankings, `board-${n}`)))).to.deep.equal(Object.values(boards))
  }),
  checkFilled('a fill replaces all that is here, with the last positions of its keys', async (rankings) => {
    await fiveOn(rankings)
    await rankings.put(added('other', [1], 100))
    await fill(rankings, NAME, posAt(50), filledWith({ board: sortKeysAt([1, 3]) }))
    expect(await all(rankings, 'board')).to.deep.equal(sortKeysAt([1, 3]))
    expect(await rankings.size('other')).to.equal(0)
    await rankings.put([...added('other', [2], 51), change('board', [sortKeyAt(3)], null, 52)])
    expect(await all(rankings, 'other')).to.deep.equal(sortKeysAt([2]))
    expect(await all(rankings, 'board')).to.deep.equal(sortKeysAt([1]))
  }),
  checkOpened('changes older than the filled ranking are ignored, for every key', async (rankings) => {
    await fill(rankings, NAME, posAt(50), filledWith({ board: sortKeysAt([1, 3]) }))
    await rankings.put([
      change('board', [sortKeyAt(1)], null, 49),
      change('board', [sortKeyAt(3)], sortKeyAt(4), 49),
      change('board', [], sortKeyAt(5), 51),
      change('unknown', [], sortKeyAt(1), 49),
      change('unknown', [], sortKeyAt(2), 51),
    ])
    expect(await all(rankings, 'board')).to.deep.equal(sortKeysAt([1, 3, 5]))
    expect(await all(rankings, 'unknown')).to.deep.equal(sortKeysAt([2]))
  }),
  checkOpened('they are filled under one name at a time', async (rankings) => {
    const filled = async () => [await rankings.isFilled('entries@1'), await rankings.isFilled('entries@2')]
    await fill(rankings, 'entries@1', null, filledWith({}))
    expect(await filled()).to.deep.equal([true, false])
    await fill(rankings, 'entries@2', posAt(5), filledWith({}))
    expect(await filled()).to.deep.equal([false, true])
  }),
  checkFilled('while they are filled nothing is answered; a fill that breaks off leaves nothing', async (rankings) => {
    await fiveOn(rankings)
    const seen: string[][] = []
    const checkReads = async () => {
      seen.push(await outcomes(callsOf(rankings, 'board', sortKeyAt(4))))
      seen.push([String(await rankings.isFilled(NAME))])
    }
    async function* sortKeys(): AsyncGenerator<readonly string[]> {
      await checkReads()
      yield sortKeysAt([1])
      await checkReads()
      yield sortKeysAt([3])
    }
    async function* breaking(): AsyncGenerator<FilledRanking> {
      yield { key: 'board', sortKeys: sortKeys() }
      await checkReads()
      throw new Error('the documents cannot be read')
    }
    const broken = await fill(rankings, NAME, null, breaking()).catch((error: unknown) => error)
    expect(broken).to.be.an.instanceOf(Error)
    expect((broken as Error).message).to.equal('the documents cannot be read')
    await checkReads()
    expect(seen).to.deep.equal([LOST, ['false'], LOST, ['false'], LOST, ['false'], LOST, ['false']])
    await fill(rankings, NAME, null, filledWith({ board: sortKeysAt([2]) }))
    expect(await all(rankings, 'board')).to.deep.equal(sortKeysAt([2]))
  }),
]

/** Every promise of stores/contract/rankings.ts. `make` opens rankings that are not filled. */
export const rankingsChecks: readonly Check<AllRankings>[] = [
  ...puttingChecks,
  ...readingChecks,
  ...fillingChecks,
  ...historyChecks,
  ...replayChecks,
  ...apartChecks,
]
