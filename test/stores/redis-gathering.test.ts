// Questions of one turn of the event loop go out as one script, up to a maximum, and fail together.

import { expect } from 'chai'
import { gathering } from '../../stores/redis/gathering.ts'
import { turn } from '../until.ts'

/** Doubles numbers, and notes the scripts. */
function doubling() {
  const scripts: [of: string, numbers: readonly number[]][] = []
  const ask = gathering<number, number>(async (of, numbers) => {
    scripts.push([of, numbers])
    if (numbers.includes(-1)) throw new Error('no answer')
    return numbers.map((number) => 2 * number)
  })
  return { scripts, ask }
}

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n)

describe('The questions to Redis of one turn of the event loop', () => {
  it('go out as one script for each key, and are answered each with its own part', async () => {
    const { scripts, ask } = doubling()
    const asked = [ask('a', [1]), ask('b', [2, 3]), ask('a', []), Promise.resolve().then(() => ask('a', [4, 5]))]
    expect(await Promise.all(asked)).to.deep.equal([[2], [4, 6], [], [8, 10]])
    expect(scripts).to.deep.equal([
      ['a', [1, 4, 5]],
      ['b', [2, 3]],
    ])
  })

  it('do not join a script that is sent', async () => {
    const { scripts, ask } = doubling()
    const first = ask('a', [1])
    await turn()
    expect(scripts).to.deep.equal([['a', [1]]])
    expect([await first, await ask('a', [2])]).to.deep.equal([[2], [4]])
    expect(scripts).to.deep.equal([
      ['a', [1]],
      ['a', [2]],
    ])
  })

  it('go out as several scripts of at most 500, except the questions of one call', async () => {
    const { scripts, ask } = doubling()
    const asked = [ask('a', upTo(499)), ask('a', [1]), ask('a', [2]), ask('a', upTo(501)), ask('a', [3])]
    const doubled = (count: number) => upTo(count).map((n) => 2 * n)
    expect(await Promise.all(asked)).to.deep.equal([doubled(499), [2], [4], doubled(501), [6]])
    expect(scripts.map(([, { length }]) => length)).to.deep.equal([500, 1, 501, 1])
  })

  it('all fail if their script fails, and later ones do not', async () => {
    const { ask } = doubling()
    const failed = await Promise.allSettled([ask('a', [1]), ask('a', [-1]), ask('b', [1])])
    expect(failed.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected', 'fulfilled'])
    expect(await ask('a', [1])).to.deep.equal([2])
  })
})
