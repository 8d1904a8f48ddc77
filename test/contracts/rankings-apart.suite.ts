// Each view and partition has its own rankings; of two concurrent fills exactly one wins, completely.

import { expect } from 'chai'
import type { AllRankings, Fill, FilledRanking, Rankings } from '../../stores/contract/rankings.ts'
import {
  added,
  all,
  callsOf,
  fill,
  filledWith,
  LOST,
  NAME,
  ofOne,
  outcomes,
  PARTITION,
  posAt,
  sortKeyAt,
  sortKeysAt,
  upTo,
  VIEW,
} from './rankings-model.ts'
import type { Check } from './test-contract.ts'

const OTHER_VIEW = 'entries@2'
/** Includes the other view, and a partition whose number starts with the same digit. */
const others = (rankings: AllRankings): Rankings[] => [
  rankings.of(VIEW, 1),
  rankings.of(VIEW, 13),
  rankings.of(OTHER_VIEW, PARTITION),
]

async function begunTwice(rankings: Rankings): Promise<[Fill, Fill]> {
  return [await rankings.beginFill(NAME), await rankings.beginFill(NAME)]
}

const failureOf = (promise: Promise<void>): Promise<string> =>
  promise.then(
    () => 'none',
    (failure: Error) => failure.name,
  )

export const apartChecks: readonly Check<AllRankings>[] = [
  {
    name: 'a fill, put or drop does not touch the rankings of other views and partitions',
    run: async (make) => {
      const rankings = await make()
      const kept = others(rankings)
      for (const [n, one] of kept.entries()) await fill(one, NAME, posAt(n), filledWith({ board: sortKeysAt([n, 9]) }))
      const shown = () => Promise.all(kept.map((one) => all(one, 'board')))
      const due = upTo(3).map((n) => sortKeysAt([n, 9]))
      const own = ofOne(rankings)
      expect(await outcomes(callsOf(own, 'board', sortKeyAt(1)))).to.deep.equal(LOST)
      await fill(own, NAME, posAt(50), filledWith({ board: sortKeysAt([5]) }))
      expect(await shown()).to.deep.equal(due)
      await own.put(added('board', [6], 60))
      expect(await shown()).to.deep.equal(due)
      expect(await all(own, 'board')).to.deep.equal(sortKeysAt([5, 6]))
      await rankings.drop(OTHER_VIEW)
      expect(await outcomes(callsOf(kept[2] as Rankings, 'board', sortKeyAt(9)))).to.deep.equal(LOST)
      expect(await Promise.all([own, ...kept.slice(0, 2)].map((one) => all(one, 'board')))).to.deep.equal([
        sortKeysAt([5, 6]),
        ...due.slice(0, 2),
      ])
      // Their last applied positions are separate too.
      await kept[0]?.put(added('board', [7], 20))
      expect(await all(kept[0] as Rankings, 'board')).to.deep.equal(sortKeysAt([0, 7, 9]))
    },
  },
  {
    name: 'a view and partition always get the same rankings, which no other one shares',
    run: async (make) => {
      const rankings = await make()
      expect(rankings.of(VIEW, PARTITION)).to.equal(ofOne(rankings))
      expect(new Set([ofOne(rankings), ...others(rankings)]).size).to.equal(4)
    },
  },
  {
    name: 'a dropped view counts as never filled, its running fill has no effect, and it can be filled again',
    run: async (make) => {
      const rankings = await make()
      const [own, other] = [ofOne(rankings), rankings.of(VIEW, 0)]
      await fill(own, NAME, null, filledWith({ board: sortKeysAt([1]) }))
      const filling = await other.beginFill(NAME)
      await rankings.drop(VIEW)
      expect([await own.isFilled(NAME), await own.isCurrent()]).to.deep.equal([false, false])
      expect(await outcomes(callsOf(own, 'board', sortKeyAt(1)))).to.deep.equal(LOST)
      expect(await failureOf(filling.finish(null, filledWith({ board: sortKeysAt([2]) })))).to.equal('FillBroken')
      expect(await outcomes(callsOf(other, 'board', sortKeyAt(2)))).to.deep.equal(LOST)
      await fill(own, NAME, null, filledWith({ late: sortKeysAt([3]) }))
      expect([await all(own, 'board'), await all(own, 'late')]).to.deep.equal([[], sortKeysAt([3])])
    },
  },
  {
    name: 'of concurrent fills exactly one wins, completely',
    run: async (make) => {
      const rankings = ofOne(await make())
      for (const round of upTo(5)) {
        const contents = upTo(4).map((n) => sortKeysAt(upTo(3_000).map((score) => score * 4 + n)))
        const ends = await Promise.all(
          contents.map((sortKeys) =>
            failureOf(fill(rankings, NAME, posAt(round), filledWith({ board: sortKeys }, 700))),
          ),
        )
        expect(ends.toSorted()).to.deep.equal(['FillBroken', 'FillBroken', 'FillBroken', 'none'])
        expect(await all(rankings, 'board')).to.deep.equal(contents[ends.indexOf('none')])
        expect([await rankings.isFilled(NAME), await rankings.isCurrent()]).to.deep.equal([true, true])
      }
    },
  },
  {
    name: 'a superseded fill does not disturb the newer one',
    run: async (make) => {
      const rankings = ofOne(await make())
      const later = sortKeysAt([1, 2])
      for (const isDone of [false, true]) {
        const [first, second] = await begunTwice(rankings)
        if (isDone) await second.finish(posAt(5), filledWith({ board: later }))
        expect(await failureOf(first.finish(posAt(9), filledWith({ board: sortKeysAt([3]) })))).to.equal('FillBroken')
        if (!isDone) await second.finish(posAt(5), filledWith({ board: later }))
        expect(await all(rankings, 'board')).to.deep.equal(later)
        await rankings.put(added('board', [4], 6))
        expect(await all(rankings, 'board')).to.deep.equal([...later, sortKeyAt(4)])
      }
      // Also during the newer fill.
      const [first, second] = await begunTwice(rankings)
      async function* overtaken(): AsyncGenerator<FilledRanking> {
        yield* filledWith({ board: sortKeysAt([7]), gone: sortKeysAt([8]) })
        await second.finish(posAt(5), filledWith({ board: later }))
        yield* filledWith({ late: sortKeysAt([9]) })
      }
      expect(await failureOf(first.finish(posAt(9), overtaken()))).to.equal('FillBroken')
      const keys = ['board', 'gone', 'late']
      expect(await Promise.all(keys.map((key) => all(rankings, key)))).to.deep.equal([later, [], []])
    },
  },
  {
    name: 'a new fill invalidates the rankings at once, and puts before it reads the documents are ignored',
    run: async (make) => {
      const rankings = ofOne(await make())
      await fill(rankings, NAME, null, filledWith({ board: sortKeysAt([1]) }))
      expect([await rankings.isFilled(NAME), await rankings.isCurrent()]).to.deep.equal([true, true])
      const filling = await rankings.beginFill(NAME)
      expect([await rankings.isFilled(NAME), await rankings.isCurrent()]).to.deep.equal([false, false])
      expect((await outcomes(callsOf(rankings, 'board', sortKeyAt(1)))).slice(1)).to.deep.equal(LOST.slice(1))
      await rankings.put(added('board', [5], 5))
      await filling.finish(posAt(5), filledWith({ board: sortKeysAt([2]) }))
      expect(await all(rankings, 'board')).to.deep.equal(sortKeysAt([2]))
    },
  },
]
