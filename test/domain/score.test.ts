// Given what a player submitted to a board, when a command comes, then these events follow; and where the player stands.

import { expect } from 'chai'
import { type Decimal, parseDecimal } from '../../domain/decimal.ts'
import { beats, within } from '../../domain/entry.ts'
import type { Rules } from '../../domain/leaderboard.ts'
import type { ScoreEvent } from '../../domain/score.ts'
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

describe('submitting', () => {
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
    expect(['-1.6', '-1.5', '2', '2.1'].map((score) => within(bounded, dec(score)))).to.deep.equal([
      false,
      true,
      true,
      false,
    ])
  })
})

describe('the standing on a unique board', () => {
  const stateOf = (...history: ScoreEvent[]) => {
    const { first, best } = stateAfter(standing(rules), history)
    return { first: first?.id, best: best?.id, at: best?.time }
  }

  it('is the best submission, under the id of the first one', () => {
    expect(stateOf()).to.deep.equal({ first: undefined, best: undefined, at: undefined })
    expect(stateOf(submitted('a', '5'), submitted('b', '7'), submitted('c', '6'))).to.deep.equal({
      first: 'a',
      best: 'b',
      at: timeAt(1),
    })
  })

  it('is not changed by an equal one', () => {
    expect(stateOf(submitted('a', '5', '1'), submitted('b', '5', '1')).best).to.equal('a')
    expect(stateOf(submitted('a', '5'), submitted('b', '5')).best).to.equal('a')
  })

  it('goes with every submission so far when it is deleted, and begins again', () => {
    expect(stateOf(submitted('a', '5'), submitted('b', '7'), deleted('a', 1))).to.deep.equal({
      first: undefined,
      best: undefined,
      at: undefined,
    })
    expect(stateOf(submitted('a', '5'), deleted('a', 0), submitted('c', '1'))).to.deep.equal({
      first: 'c',
      best: 'c',
      at: timeAt(2),
    })
  })

  it('follows the rules in force, not those it was recorded under', () => {
    const history = [submitted('a', '5'), submitted('b', '50'), submitted('c', '1')]
    const bestUnder = (other: Partial<Rules>) => stateAfter(standing({ ...rules, ...other }), history).best?.id
    expect([bestUnder({}), bestUnder({ ordering: 'asc' }), bestUnder({ maxScore: dec('10') })]).to.deep.equal([
      'b',
      'c',
      'a',
    ])
    expect(bestUnder({ maxScore: dec('0') })).to.equal(undefined)
  })
})

describe('the standing where every submission is an entry', () => {
  const bestOf = (...history: ScoreEvent[]) => stateAfter(standing(many), history).best?.id

  it('is the best of those not deleted', () => {
    const history = [submitted('a', '5'), submitted('b', '7'), submitted('c', '6')]
    expect(bestOf(...history)).to.equal('b')
    expect(bestOf(...history, deleted('b', null))).to.equal('c')
    expect(bestOf(...history, deleted('b', null), deleted('c', null), deleted('a', null))).to.equal(undefined)
    expect(bestOf(...history, deleted('b', null), submitted('d', '6'))).to.equal('c')
  })

  it('between equals of one millisecond is the one whose id comes first, as in the ranking', () => {
    const at = { revision: 0, time: timeAt(0) }
    const { evolve, initial } = standing(many)
    const both = ['b', 'a'].reduce(
      (state, id, revision) => evolve(state, submitted(id, '5'), { ...at, revision }),
      initial,
    )
    expect(both.best?.id).to.equal('a')
    expect(evolve(both, deleted('a', null), { ...at, revision: 2 }).best?.id).to.equal('b')
  })

  it('of two histories that part, neither sees what the other one adds', () => {
    const { evolve } = standing(many)
    const shared = stateAfter(standing(many), [submitted('a', '5')])
    const moment = { revision: 1, time: timeAt(1) }
    const left = evolve(shared, submitted('b', '1'), moment)
    const right = evolve(shared, submitted('c', '2'), moment)
    expect([left.best?.id, right.best?.id]).to.deep.equal(['a', 'a'])
    const without = [left, right].map((state) => evolve(state, deleted('a', null), { ...moment, revision: 2 }))
    expect(without.map(({ first, best }) => [first?.id, best?.id])).to.deep.equal([
      ['b', 'b'],
      ['c', 'c'],
    ])
    expect([shared, left, right].map(({ first, best }) => [first?.id, best?.id])).to.deep.equal([
      ['a', 'a'],
      ['a', 'a'],
      ['a', 'a'],
    ])
  })
})

describe('the standing where rules have ever changed', () => {
  const history = [submitted('a', '5'), submitted('b', '7'), deleted('b', null), submitted('c', '6')]
  const of = (rules: Rules, ...events: ScoreEvent[]) => {
    const { first, best } = stateAfter(standing(rules, 'all'), events)
    return [first?.id, best?.id]
  }

  it('counts deletions made under rules of the other kind', () => {
    expect(of(rules, ...history)).to.deep.equal(['a', 'c'])
    expect(of(rules, ...history, deleted('a', null))).to.deep.equal(['c', 'c'])
    expect(of(many, ...history, deleted('a', 3))).to.deep.equal([undefined, undefined])
    expect(of(many, ...history, deleted('a', 3), submitted('d', '1'))).to.deep.equal(['d', 'd'])
  })

  it('has no entry outside the bounds, but keeps the first submission’s id', () => {
    const bounded = { ...rules, maxScore: dec('5.5') }
    expect(of(bounded, submitted('a', '9'))).to.deep.equal(['a', undefined])
    expect(of(bounded, submitted('a', '9'), submitted('b', '5'))).to.deep.equal(['a', 'b'])
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
  it('on a unique board takes everything up to here', () => {
    given(standing(rules), submitted('a', '5'), submitted('b', '7'))
      .when(deleteScore(rules, 'a'))
      .thenOnce('score_not_found', deleted('a', 1))
  })

  it('on a unique board is done by the entry’s id alone', () => {
    const history = [submitted('a', '5'), submitted('b', '7')]
    given(standing(rules), ...history)
      .when(deleteScore(rules, 'b'))
      .refused('not_found', 'score_not_found')
    given(standing(rules), ...history, deleted('a', 1), submitted('c', '1'))
      .when(deleteScore(rules, 'a'))
      .refused('not_found', 'score_not_found')
  })

  it('on the other kind takes that entry alone', () => {
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

describe('what beats what', () => {
  const better = (a: [string, string | null], b: [string, string | null], other: Partial<Rules> = {}) => {
    const [one, two] = [a, b].map(([score, secondary]) => dataOf('x', score, secondary)) as [
      ReturnType<typeof dataOf>,
      ReturnType<typeof dataOf>,
    ]
    return [beats({ ...rules, ...other }, one, two), beats({ ...rules, ...other }, two, one)]
  }

  it('goes by score, then by secondary score, having one before having none', () => {
    expect(better(['2', null], ['1', '9'])).to.deep.equal([true, false])
    expect(better(['2', null], ['1', '9'], { ordering: 'asc' })).to.deep.equal([false, true])
    expect(better(['1', '2'], ['1', '1'])).to.deep.equal([true, false])
    expect(better(['1', '2'], ['1', '1'], { secondaryOrdering: 'asc' })).to.deep.equal([false, true])
    expect(better(['1', '-5'], ['1', null])).to.deep.equal([true, false])
    expect(better(['1', '-5'], ['1', null], { secondaryOrdering: 'asc' })).to.deep.equal([true, false])
    expect(better(['1', '0'], ['1', '0'])).to.deep.equal([false, false])
    expect(better(['1', null], ['1', null])).to.deep.equal([false, false])
  })
})
