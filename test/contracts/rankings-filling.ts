// Rankings answer nothing until they are filled, and are then complete as of the position of the fill.

import { expect } from 'chai'
import type { AllRankings, FilledRanking } from '../../stores/contract/rankings.ts'
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
  memberAt,
  membersAt,
  NAME,
  outcomes,
  posAt,
  upTo,
} from './rankings-model.ts'
import type { Check } from './test-contract.ts'

export const fillingChecks: readonly Check<AllRankings>[] = [
  checkOpened('rankings never filled answer nothing, and take nothing', async (rankings) => {
    expect(await rankings.isFilled(NAME)).to.equal(false)
    expect(await outcomes(callsOf(rankings, 'board', memberAt(1)))).to.deep.equal(LOST)
    await fill(rankings, NAME, null, filledWith({}))
    expect(await rankings.isFilled(NAME)).to.equal(true)
    expect(await all(rankings, 'board')).to.deep.equal([])
  }),
  checkOpened('a fill gives each key its members, from slices of any size', async (rankings) => {
    const many = membersAt(upTo(5_000).map((score) => score * 2 + 1))
    for (const size of [5_000, 7, 1]) {
      await fill(rankings, NAME, posAt(9), filledWith({ many, few: membersAt([3, 4]), none: [] }, size))
      expect(await all(rankings, 'many')).to.deep.equal(many)
      expect(await all(rankings, 'few')).to.deep.equal(membersAt([3, 4]))
      expect(await rankings.size('none')).to.equal(0)
      expect(await rankings.ranks('many', [memberAt(1_001), memberAt(1_002)])).to.deep.equal([500, null])
    }
  }),
  checkOpened('a fill takes thousands of small keys', async (rankings) => {
    const keys = upTo(3_000)
    const boards = Object.fromEntries(keys.map((n) => [`board-${n}`, membersAt([n, n + 1])]))
    await fill(rankings, NAME, null, filledWith(boards))
    expect(await Promise.all(keys.map((n) => all(rankings, `board-${n}`)))).to.deep.equal(Object.values(boards))
  }),
  checkFilled('a fill replaces all that is here, with the last positions of its keys', async (rankings) => {
    await fiveOn(rankings)
    await rankings.put(added('other', [1], 100))
    await fill(rankings, NAME, posAt(50), filledWith({ board: membersAt([1, 3]) }))
    expect(await all(rankings, 'board')).to.deep.equal(membersAt([1, 3]))
    expect(await rankings.size('other')).to.equal(0)
    await rankings.put([...added('other', [2], 51), change('board', [memberAt(3)], null, 52)])
    expect(await all(rankings, 'other')).to.deep.equal(membersAt([2]))
    expect(await all(rankings, 'board')).to.deep.equal(membersAt([1]))
  }),
  checkOpened('changes older than the filled ranking are ignored, for every key', async (rankings) => {
    await fill(rankings, NAME, posAt(50), filledWith({ board: membersAt([1, 3]) }))
    await rankings.put([
      change('board', [memberAt(1)], null, 49),
      change('board', [memberAt(3)], memberAt(4), 49),
      change('board', [], memberAt(5), 51),
      change('unknown', [], memberAt(1), 49),
      change('unknown', [], memberAt(2), 51),
    ])
    expect(await all(rankings, 'board')).to.deep.equal(membersAt([1, 3, 5]))
    expect(await all(rankings, 'unknown')).to.deep.equal(membersAt([2]))
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
      seen.push(await outcomes(callsOf(rankings, 'board', memberAt(4))))
      seen.push([String(await rankings.isFilled(NAME))])
    }
    async function* members(): AsyncGenerator<readonly string[]> {
      await checkReads()
      yield membersAt([1])
      await checkReads()
      yield membersAt([3])
    }
    async function* breaking(): AsyncGenerator<FilledRanking> {
      yield { key: 'board', members: members() }
      await checkReads()
      throw new Error('the documents cannot be read')
    }
    const broken = await fill(rankings, NAME, null, breaking()).catch((error: unknown) => error)
    expect(broken).to.be.an.instanceOf(Error)
    expect((broken as Error).message).to.equal('the documents cannot be read')
    await checkReads()
    expect(seen).to.deep.equal([LOST, ['false'], LOST, ['false'], LOST, ['false'], LOST, ['false']])
    await fill(rankings, NAME, null, filledWith({ board: membersAt([2]) }))
    expect(await all(rankings, 'board')).to.deep.equal(membersAt([2]))
  }),
]
