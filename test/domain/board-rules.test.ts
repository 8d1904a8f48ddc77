// The rules of a leaderboard: what a change leads to, and which bounds are refused.

import { expect } from 'chai'
import { checkBounds, type Rules, rulesAfter, sameRules } from '../../domain/board-rules.ts'
import type { Decimal } from '../../domain/decimal.ts'
import { refusalIn } from '../refusal-of.ts'

const RULES: Rules = {
  ordering: 'desc',
  secondaryOrdering: 'asc',
  unique: true,
  minScore: '-5' as Decimal,
  maxScore: '10' as Decimal,
}

describe('the rules of a leaderboard', () => {
  const CHANGES: readonly Partial<Rules>[] = [
    { ordering: 'asc' },
    { secondaryOrdering: 'desc' },
    { unique: false },
    { minScore: '3' as Decimal },
    { maxScore: '3' as Decimal },
    { minScore: null },
    { maxScore: null },
  ]
  for (const change of CHANGES) {
    it(`change by ${JSON.stringify(change)} alone, and are no longer the same`, () => {
      const after = rulesAfter(RULES, change)
      expect(after).to.deep.equal({ ...RULES, ...change })
      expect([sameRules(RULES, after), sameRules(after, RULES), sameRules(after, { ...after })]).to.deep.equal([
        false,
        false,
        true,
      ])
    })
  }

  it('stay as they are where a change leaves fields out or undefined', () => {
    expect(rulesAfter(RULES, {})).to.deep.equal(RULES)
    expect(rulesAfter(RULES, { ordering: undefined, minScore: undefined })).to.deep.equal(RULES)
  })

  it('refuse a minimum above the maximum, and point at it', () => {
    const refusal = refusalIn(() => rulesAfter(RULES, { minScore: '10.5' as Decimal }))
    expect(refusal?.kind).to.equal('malformed')
    expect(refusal?.code).to.equal('malformed')
    expect(refusal?.message).to.equal('min_score is above max_score: no score could be submitted.')
    expect(refusal?.fields).to.deep.equal({ errors: [{ pointer: '/min_score', detail: 'is above max_score' }] })
  })

  it('accept equal bounds, and one bound alone', () => {
    const bounds = (minScore: string | null, maxScore: string | null): Rules => {
      return { ...RULES, minScore: minScore as Decimal | null, maxScore: maxScore as Decimal | null }
    }
    for (const rules of [bounds('2', '2'), bounds('2', null), bounds(null, '2'), bounds(null, null)]) {
      expect(refusalIn(() => checkBounds(rules))).to.equal(null)
    }
    expect(refusalIn(() => checkBounds(bounds('2', '1.9')))).not.to.equal(null)
  })
})
