// Given what a player submitted to a board, when a command comes, then these events follow. Which submission is the
// first and which the best is checked in test/ranking/board-fold/same-entries.test.ts.

import { expect } from 'chai'
import type { Rules } from '../../domain/board-rules.ts'
import { Refusal } from '../../domain/decider.ts'
import { type Decimal, parseDecimal } from '../../domain/decimal.ts'
import { isCounted } from '../../domain/entry.ts'
import { recordedSubmission, type ScoreEvent } from '../../domain/score.ts'
import { deleteScore, standing, submitScore } from '../../domain/standing.ts'
import { given, stateAfter, timeAt } from './given.ts'

const rules: Rules = { ordering: 'desc', secondaryOrdering: 'desc', unique: true, minScore: null, maxScore: null }
const many: Rules = { ...rules, unique: false }

const dec = (text: string) => parseDecimal(text) as Decimal
const dataOf = (id: string, score: string, secondary: string | null = null) => {
  return { id, score: dec(score), secondary: secondary === null ? null : dec(secondary), extra: null, playerName: null }
}
const submitted = (id: string, score: string, secondary: string | null = null): ScoreEvent => {
  return { type: 'ScoreSubmitted', data: dataOf(id, score, secondary) }
}
const deleted = (id: string, upTo: number | null): ScoreEvent => ({ type: 'ScoreDeleted', data: { id, upTo } })

describe('domain: submitting a score', () => {
  it('is recorded each time, whether or not it improves anything', () => {
    const submit = submitScore(rules, dataOf('b', '5'))
    given(standing(rules)).when(submit).thenEachTime(submitted('b', '5'))
    given(standing(rules), submitted('a', '9')).when(submit).thenEachTime(submitted('b', '5'))
    given(standing(many), submitted('a', '9')).when(submit).thenEachTime(submitted('b', '5'))
  })

  it('is refused outside the bounds, which are inclusive', () => {
    const bounded = { ...rules, minScore: dec('-1.5'), maxScore: dec('2') }
    for (const score of ['-1.5', '0', '2'])
      given(standing(bounded))
        .when(submitScore(bounded, dataOf('a', score)))
        .thenEachTime(submitted('a', score))
    given(standing(bounded))
      .when(submitScore(bounded, dataOf('a', '-1.500000000000000001')))
      .refused('unprocessable', 'score_below_minimum', { min_score: '-1.5' })
    given(standing(bounded))
      .when(submitScore(bounded, dataOf('a', '2.000000000000000001')))
      .refused('unprocessable', 'score_above_maximum', { max_score: '2' })
    expect(
      ['-1.6', '-1.5', '2', '2.1'].map((score) => isCounted(bounded, { score: dec(score), secondary: null })),
    ).to.deep.equal([false, true, true, false])
  })
})

describe('domain: submitting a score to a board of totals', () => {
  const totals: Rules = { ...rules, keep: 'total' }
  const nines = '9'.repeat(30)
  const limit = `1${'0'.repeat(30)}`

  /** The outcome of a submission to a player with these totals. */
  function outcome(score: string, secondary: string | null, sent: readonly [string, string | null]): unknown {
    const shown = recordedSubmission(dataOf('a', score, secondary), { revision: 0, time: timeAt(0) })
    try {
      submitScore(totals, dataOf('b', ...sent))({ first: shown, shown }, 0)
      return 'recorded'
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return [error.code, error.message, error.fields]
    }
  }

  it('is refused if it would bring the total to 10^30 or to minus that', () => {
    const refused = (value: string, reached: string) => [
      'total_out_of_range',
      `The player’s total would be ${value}: it must stay between -${limit} and ${limit}.`,
      { limit: reached },
    ]
    expect(outcome(nines, null, ['1', null])).to.deep.equal(refused(limit, limit))
    expect(outcome(nines, null, ['0.999999999999999999', null])).to.equal('recorded')
    expect(outcome(`-${nines}`, null, ['-2.5', null])).to.deep.equal(refused(`-${limit.slice(0, -1)}1.5`, `-${limit}`))
    expect(outcome(`-${nines}`, null, ['-0.5', null])).to.equal('recorded')
    expect(outcome(`-${nines}`, null, ['1', null])).to.equal('recorded')
  })

  it('is refused if it would bring the secondary total there, also where the total is far from it', () => {
    expect(outcome('1', nines, ['1', '1'])).to.deep.equal([
      'total_out_of_range',
      `The player’s secondary total would be ${limit}: it must stay between -${limit} and ${limit}.`,
      { limit },
    ])
    expect(outcome('1', nines, ['1', null])).to.equal('recorded')
    expect(outcome('1', null, ['1', nines.slice(6)])).to.equal('recorded')
  })
})

describe('the standing on a board where every submission is an entry', () => {
  it('does not show additions of one forked history to the other', () => {
    const { evolve } = standing(many)
    const shared = stateAfter(standing(many), [submitted('a', '5')])
    const at = { revision: 1, time: timeAt(1) }
    const left = evolve(shared, submitted('b', '1'), at)
    const right = evolve(shared, submitted('c', '2'), at)
    expect([left.shown?.id, right.shown?.id]).to.deep.equal(['a', 'a'])
    const without = [left, right].map((state) => evolve(state, deleted('a', null), { ...at, revision: 2 }))
    expect(without.map(({ first, shown }) => [first?.id, shown?.id])).to.deep.equal([
      ['b', 'b'],
      ['c', 'c'],
    ])
    expect([shared, left, right].map(({ first, shown }) => [first?.id, shown?.id])).to.deep.equal([
      ['a', 'a'],
      ['a', 'a'],
      ['a', 'a'],
    ])
  })
})

describe('the standing on a board whose rules have changed', () => {
  it('has no entry outside the bounds, but keeps the first submission’s id', () => {
    const bounded = { ...rules, maxScore: dec('5.5') }
    given(standing(bounded, 'all'), submitted('a', '9'))
      .when(deleteScore(bounded, 'a'))
      .refused('not_found', 'score_not_found')
    const each = { ...bounded, unique: false }
    given(standing(each, 'all'), submitted('a', '9'), submitted('b', '5'))
      .when(deleteScore(each, 'a'))
      .refused('not_found', 'score_not_found')
  })
})

describe('deleting a score', () => {
  it('removes all earlier submissions on a unique board', () => {
    given(standing(rules), submitted('a', '5'), submitted('b', '7'))
      .when(deleteScore(rules, 'a'))
      .thenOnce('score_not_found', deleted('a', 1))
  })

  it('needs the entry’s id on a unique board', () => {
    const history = [submitted('a', '5'), submitted('b', '7')]
    given(standing(rules), ...history)
      .when(deleteScore(rules, 'b'))
      .refused('not_found', 'score_not_found')
    given(standing(rules), ...history, deleted('a', 1), submitted('c', '1'))
      .when(deleteScore(rules, 'a'))
      .refused('not_found', 'score_not_found')
  })

  it('removes that entry only on a board that is not unique', () => {
    const history = [submitted('a', '5'), submitted('b', '7')]
    given(standing(many), ...history)
      .when(deleteScore(many, 'a'))
      .thenOnce('score_not_found', deleted('a', null))
    given(standing(many), ...history)
      .when(deleteScore(many, 'z'))
      .refused('not_found', 'score_not_found')
    given(standing(many)).when(deleteScore(many, 'a')).refused('not_found', 'score_not_found')
  })
})
