// What the standing of a player shows on boards of the latest submission and of the total, against plain arrays and
// BigInt; which submissions such boards refuse.

import { expect } from 'chai'
import fc from 'fast-check'
import type { Keep, Rules } from '../../domain/board-rules.ts'
import { type Decimal, negated } from '../../domain/decimal.ts'
import { shownAfter } from '../../domain/entry.ts'
import type { ScoreEvent } from '../../domain/score.ts'
import { deleteScore, type Standing, standing, submitScore } from '../../domain/standing.ts'
import { canonical, scaled } from '../model/big-decimal.ts'
import { rulesOf } from '../rules.ts'
import { given, stateAfter, timeAt } from './given.ts'

const [LATEST, TOTAL] = [
  { ...rulesOf(true), keep: 'latest' },
  { ...rulesOf(true), keep: 'total' },
] as const

const TOO_MUCH = `1${'0'.repeat(24)}`
const MOST = `${'9'.repeat(24)}.${'9'.repeat(18)}`
const ONE = '0.000000000000000001'
const VALUES = ['0', '1', '-1', '2.5', '-2.5', ONE, `-${ONE}`, MOST, `-${MOST}`, TOO_MUCH, `-${TOO_MUCH}`]

const dataOf = (id: string, score: string, secondary: string | null = null) => {
  return { id, score: score as Decimal, secondary: secondary as Decimal | null, extra: null, playerName: null }
}
const submitted = (id: string, score: string, secondary: string | null = null): ScoreEvent => {
  return { type: 'ScoreSubmitted', data: dataOf(id, score, secondary) }
}
const deleted = (id: string, upTo: number | null): ScoreEvent => ({ type: 'ScoreDeleted', data: { id, upTo } })

/** A submission, or the deletion of one or all of those before it. */
const anySteps = (singly: boolean) =>
  fc.array(
    fc.record({
      kind: fc.constantFrom('send', 'send', 'send', 'send', 'send', ...(singly ? ['one', 'one'] : []), 'all'),
      which: fc.nat(20),
      score: fc.constantFrom(...VALUES),
      secondary: fc.constantFrom(null, null, null, ...VALUES),
    }),
    { maxLength: 40, size: 'max' },
  )
type Steps = ReturnType<typeof anySteps> extends fc.Arbitrary<infer All> ? All : never

interface Sent {
  readonly revision: number
  readonly id: string
  readonly score: string
  readonly secondary: string | null
}

/** The events, and after each what is left. */
function historyOf(steps: Steps): readonly { readonly event: ScoreEvent; readonly left: readonly Sent[] }[] {
  let left: readonly Sent[] = []
  return steps.map(({ kind, which, score, secondary }, revision) => {
    const id = kind === 'send' ? `s${revision}` : (left[which % Math.max(1, left.length)]?.id ?? `s${which}`)
    if (kind === 'send') left = [...left, { revision, id, score, secondary }]
    else left = kind === 'all' ? [] : left.filter((one) => one.id !== id)
    const event = kind === 'send' ? submitted(id, score, secondary) : deleted(id, kind === 'all' ? revision - 1 : null)
    return { event, left }
  })
}

function expectedOf(keep: Keep, minScore: string | null, left: readonly Sent[]) {
  const isBetween = (value: string) => scaled(value) < scaled(TOO_MUCH) && scaled(value) > -scaled(TOO_MUCH)
  const counted = left.filter(({ score, secondary }) => {
    if (minScore !== null && scaled(score) < scaled(minScore)) return false
    return keep !== 'total' || (isBetween(score) && (secondary === null || isBetween(secondary)))
  })
  const last = counted.at(-1)
  if (last === undefined) return { first: left[0]?.id ?? null, shown: null }
  const sumOf = (values: readonly string[]) => canonical(values.reduce((sum, one) => sum + scaled(one), 0n))
  const secondaries = counted.flatMap(({ secondary }) => secondary ?? [])
  const sums = {
    score: sumOf(counted.map(({ score }) => score)),
    secondary: secondaries.length === 0 ? null : sumOf(secondaries),
  }
  const { revision, id, score, secondary } = last
  const values = keep === 'total' ? sums : { score, secondary }
  return { first: left[0]?.id ?? null, shown: { id, ...values, revision, time: timeAt(revision) } }
}

const shownIn = ({ first, shown }: Standing) => ({ first: first?.id ?? null, shown })

describe('the standing on a board of the latest submission or of the total', () => {
  for (const keep of ['latest', 'total'] as const) {
    for (const kept of ['first and shown', 'all'] as const) {
      it(`shows what the submissions left make, after each event: ${keep}, keeping ${kept}`, () => {
        const any = [anySteps(kept === 'all'), fc.constantFrom(null, '-1', '0')] as const
        const property = fc.property(...any, (steps, minScore) => {
          const rules: Rules = { ...rulesOf(true), keep, minScore: minScore as Decimal | null }
          const { initial, evolve } = standing(rules, kept)
          let state = initial
          for (const [revision, { event, left }] of historyOf(steps).entries()) {
            state = evolve(state, event, { revision, time: timeAt(revision) })
            expect(shownIn(state)).to.deep.equal(expectedOf(keep, minScore, left))
          }
        })
        fc.assert(property, { numRuns: 300 })
      })
    }

    it(`shows in each state what was left then, also after later ones were made from it: ${keep}`, () => {
      const property = fc.property(anySteps(true), (steps) => {
        const { initial, evolve } = standing({ ...rulesOf(true), keep }, 'all')
        const history = historyOf(steps)
        const states: Standing[] = []
        for (const [revision, { event }] of history.entries())
          states.push(evolve(states.at(-1) ?? initial, event, { revision, time: timeAt(revision) }))
        for (const [at, state] of [...states.entries()].reverse())
          expect(shownIn(state)).to.deep.equal(expectedOf(keep, null, history[at]?.left ?? []))
      })
      fc.assert(property, { numRuns: 100 })
    })
  }

  it('holds the total of 10^12 submissions of the largest number, as no history has more', () => {
    const most = scaled(MOST)
    for (const kept of ['first and shown', 'all'] as const) {
      const aggregate = standing(TOTAL, kept)
      for (const [value, sign] of [
        [MOST, 1n],
        [`-${MOST}`, -1n],
      ] as const) {
        const few = stateAfter(aggregate, [submitted('a', value, value), submitted('b', value, value)])
        expect([few.shown?.score, few.shown?.secondary]).to.deep.equal(Array(2).fill(canonical(sign * 2n * most)))
      }
    }
    const before = canonical(most * (10n ** 12n - 1n)) as Decimal
    const values = { score: before, secondary: negated(before) }
    const sent = { score: MOST as Decimal, secondary: `-${MOST}` as Decimal }
    const total = canonical(most * 10n ** 12n)
    expect(shownAfter(TOTAL, values, sent)).to.deep.equal({ score: total, secondary: `-${total}` })
    expect(total.indexOf('.')).to.equal(36)
  })

  it('goes with its entry’s id, which is that of the first submission', () => {
    for (const rules of [LATEST, TOTAL]) {
      given(standing(rules), submitted('a', '5'), submitted('b', '7'))
        .when(deleteScore(rules, 'b'))
        .refused('not_found', 'score_not_found')
      given(standing(rules), submitted('a', '5'), submitted('b', '7'))
        .when(deleteScore(rules, 'a'))
        .thenOnce('score_not_found', deleted('a', 1))
    }
  })
})

describe('submitting to a board of totals', () => {
  const below = (score: string, secondary: string | null = null) => submitScore(TOTAL, dataOf('z', score, secondary))
  const before = [submitted('a', '5', '1')]

  it('takes any number of up to 24 digits before the point, as score and as secondary score', () => {
    for (const value of [MOST, `-${MOST}`, '0', `-${ONE}`]) {
      given(standing(TOTAL)).when(below(value)).thenEachTime(submitted('z', value))
      given(standing(TOTAL), ...before)
        .when(below('1', value))
        .thenEachTime(submitted('z', '1', value))
    }
  })

  it('is refused from 10^24 on and down to -10^24, as if outside the bounds', () => {
    for (const secondary of [null, '1']) {
      given(standing(TOTAL), ...before)
        .when(below(TOO_MUCH, secondary))
        .refused('unprocessable', 'score_above_maximum', { limit: TOO_MUCH })
      given(standing(TOTAL), ...before)
        .when(below(`-${TOO_MUCH}`, secondary))
        .refused('unprocessable', 'score_below_minimum', { limit: `-${TOO_MUCH}` })
    }
    given(standing(TOTAL)).when(below('1', TOO_MUCH)).refused('unprocessable', 'score_above_maximum')
    given(standing(TOTAL))
      .when(below('1', `-9${TOO_MUCH}`))
      .refused('unprocessable', 'score_below_minimum')
    for (const rules of [rulesOf(true), rulesOf(false), LATEST]) {
      const submit = submitScore(rules, dataOf('z', TOO_MUCH, TOO_MUCH))
      given(standing(rules))
        .when(submit)
        .thenEachTime(submitted('z', TOO_MUCH, TOO_MUCH))
    }
  })
})
