// A player's submissions without deleted ones, compared with a plain list even in forking histories, and the cost of
// reading them.

import { expect } from 'chai'
import fc from 'fast-check'
import { SubmissionsLeft } from '../../domain/submissions-left.ts'

interface One {
  readonly id: string
  readonly at: number
  readonly score: number
}

/** The higher score, and of equal ones the earlier; below zero none counts. */
const isBetter = (one: One, other: One) => one.score > other.score || (one.score === other.score && one.at < other.at)
const order = { counts: ({ score }: One) => score >= 0, isBetter }

const bestOf = (left: readonly One[]) =>
  left.filter(order.counts).reduce<One | null>((best, one) => (best && !isBetter(one, best) ? best : one), null)

describe('submissions without deleted ones', () => {
  it('agree with a plain list in every state of forking histories', () => {
    const step = fc.record({
      from: fc.nat(30),
      id: fc.option(fc.nat(30), { freq: 2 }),
      score: fc.integer({ min: -1, max: 4 }),
      isAsked: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60, size: 'max' }), fc.boolean(), (steps, isOneHistory) => {
        const states = [{ left: SubmissionsLeft.none(order), list: [] as readonly One[] }]
        const check = ({ left, list }: (typeof states)[number]) => {
          expect(left.best).to.equal(bestOf(list))
          expect(left.first).to.equal(list[0] ?? null)
        }
        for (const [at, { from, id, score, isAsked }] of steps.entries()) {
          const before = states[isOneHistory ? states.length - 1 : from % states.length] ?? { ...states[0] }
          const { left = SubmissionsLeft.none(order), list = [] } = before
          const one = { id: `s${at}`, at, score }
          const next =
            id === null
              ? { left: left.with(one), list: [...list, one] }
              : {
                  left: left.without(`s${id % Math.max(at, 1)}`),
                  list: list.filter((other) => other.id !== `s${id % Math.max(at, 1)}`),
                }
          if (isAsked) check(next)
          states.push(next)
        }
        for (const state of states) {
          check(state)
          expect([...state.left]).to.deep.equal(state.list)
          // Also those that were deleted, and those of other histories.
          for (let at = 0; at < steps.length; at++)
            expect(state.left.find(`s${at}`)).to.equal(state.list.find(({ id }) => id === `s${at}`) ?? null)
        }
      }),
      { numRuns: 100 },
    )
  })

  it('cost no more for deletions than for submissions, whether or not each state is read', () => {
    const count = 20_000
    let compared = 0
    const counted = {
      ...order,
      isBetter: (one: One, other: One) => {
        compared++
        return isBetter(one, other)
      },
    }
    let left = SubmissionsLeft.none<One>(counted)
    for (let at = 0; at < count; at++) left = left.with({ id: `s${at}`, at, score: (at * 7_919) % count })
    let asked = left
    // The best one each time, which is what takes the longest.
    for (let n = 0; n < count; n++) {
      const best = asked.best
      expect(best?.score).to.equal(count - 1 - n)
      asked = asked.without(best?.id ?? '')
    }
    expect([asked.best, asked.first]).to.deep.equal([null, null])
    expect(compared).to.be.below(4 * count * Math.log2(count))
    compared = 0
    let unasked = left
    for (let at = 1; at < count; at++) unasked = unasked.without(`s${at}`)
    expect(unasked.best?.id).to.equal('s0')
    expect(compared).to.be.below(count)
  })
})
