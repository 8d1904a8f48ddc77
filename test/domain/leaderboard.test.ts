// Given what happened to a leaderboard, when a command comes, then these events follow; what a change of its rules
// leads to, and which bounds are refused.

import { expect } from 'chai'
import { checkRules, type Rules, rulesAfter, sameRules } from '../../domain/board-rules.ts'
import { Refusal } from '../../domain/decider.ts'
import { type Decimal, parseDecimal } from '../../domain/decimal.ts'
import {
  archiveLeaderboard,
  changeLeaderboard,
  createLeaderboard,
  giveUpKey,
  KeyNotClaimed,
  type LeaderboardEvent,
  leaderboard,
} from '../../domain/leaderboard.ts'
import { refusalIn } from '../refusal-of.ts'
import { given, timeAt } from './given.ts'

const rules: Rules = {
  ordering: 'desc',
  secondaryOrdering: 'asc',
  unique: true,
  minScore: dec('-1'),
  maxScore: dec('10.5'),
}

const data = { name: 'Laps', description: 'fast', rules }
const created: LeaderboardEvent = { type: 'LeaderboardCreated', data }
const withKey: LeaderboardEvent = { type: 'LeaderboardCreated', data: { ...data, key: 'weekly', claim: 'k1' } }
const archived: LeaderboardEvent = { type: 'LeaderboardArchived', data: {} }
const unconditionally = () => {}

const asked = (change: Parameters<typeof changeLeaderboard>[0], expect: () => void = unconditionally) =>
  changeLeaderboard(change, 'c1', expect)

describe('a leaderboard', () => {
  it('is created once', () => {
    given(leaderboard).when(createLeaderboard(data)).then(created)
    given(leaderboard, created)
      .when(createLeaderboard({ ...data, name: 'Other' }))
      .then()
    expect(given(leaderboard, created).state()).to.deep.equal({
      ...data,
      key: null,
      claim: null,
      created: timeAt(0),
      archived: false,
      generation: 1,
      lastGeneration: 1,
      rebuild: null,
      superseded: [],
    })
  })

  it('has its bounds in order, which may be equal', () => {
    const bounds = (minScore: string, maxScore: string) => () =>
      createLeaderboard({ ...data, rules: { ...rules, minScore: dec(minScore), maxScore: dec(maxScore) } })
    expect(bounds('1', '0.999999999999999999')).to.throw(Refusal).with.property('kind', 'malformed')
    expect(bounds('-1', '-1.000000000000000001')).to.throw(Refusal)
    given(leaderboard)
      .when(bounds('1', '1')())
      .then({
        type: 'LeaderboardCreated',
        data: { ...data, rules: { ...rules, minScore: dec('1'), maxScore: dec('1') } },
      })
  })

  it('shows the latest or the total only where a player has one entry', () => {
    const { minScore, maxScore, ...open } = rules
    const none = { ...open, minScore: null, maxScore: null }
    for (const keep of ['latest', 'total'] as const) {
      const refused = refusalIn(() => checkRules({ ...none, unique: false, keep }))
      expect([refused?.kind, refused?.code, refused?.message]).to.deep.equal([
        'malformed',
        'malformed',
        `keep is "${keep}", but each submission is an entry (unique is false): keep "best", or set unique to true.`,
      ])
      expect(refused?.fields.errors).to.deep.equal([
        {
          pointer: '/keep',
          detail: `is "${keep}", but each submission is an entry (unique is false): keep "best", or set unique to true`,
        },
      ])
      // A change that leaves the two so, from either side.
      expect(refusalIn(() => rulesAfter({ ...none, keep }, { unique: false }))?.code).to.equal('malformed')
      expect(refusalIn(() => rulesAfter({ ...none, unique: false }, { keep }))?.code).to.equal('malformed')
      expect(rulesAfter({ ...none, keep }, { unique: false, keep: 'best' })).to.deep.equal({ ...none, unique: false })
      expect(rulesAfter({ ...none, unique: false }, { unique: true, keep })).to.deep.equal({ ...none, keep })
      expect(rulesAfter({ ...none, keep }, { ordering: 'asc' })).to.deep.equal({ ...none, keep, ordering: 'asc' })
    }
    expect(rulesAfter({ ...none, unique: false }, { keep: 'best' })).to.deep.equal({ ...none, unique: false })
  })

  it('is created with a key once it has a claim on it', () => {
    const keyed = { ...data, key: 'weekly' }
    expect(() => createLeaderboard(keyed)(null, -1)).to.throw(KeyNotClaimed)
    given(leaderboard).when(createLeaderboard(keyed, 'k1')).then(withKey)
    given(leaderboard, withKey).when(createLeaderboard(keyed)).then()
    expect(given(leaderboard, withKey).state()).to.include({ key: 'weekly', claim: 'k1' })
    given(leaderboard)
      .when(createLeaderboard({ ...data, key: null }))
      .then(created)
  })

  it('takes another key once it has a claim on it, and gives its key up without one', () => {
    const taken: LeaderboardEvent = { type: 'LeaderboardKeyChanged', data: { key: 'daily', claim: 'k2' } }
    const givenUp: LeaderboardEvent = { type: 'LeaderboardKeyChanged', data: { key: null, claim: null } }
    const present = given(leaderboard, withKey).state()
    expect(() => asked({ key: 'daily' })(present, 0)).to.throw(KeyNotClaimed)
    given(leaderboard, withKey)
      .when(changeLeaderboard({ key: 'daily' }, '', unconditionally, 'k2'))
      .then(taken)
    given(leaderboard, withKey)
      .when(asked({ key: 'weekly' }))
      .then()
    given(leaderboard, withKey)
      .when(asked({ name: 'Laps' }))
      .then()
    given(leaderboard, withKey)
      .when(asked({ key: null }))
      .then(givenUp)
    given(leaderboard, created)
      .when(asked({ key: null }))
      .then()
    given(leaderboard, withKey).when(giveUpKey('k1')).then(givenUp)
    given(leaderboard, withKey).when(giveUpKey('k2')).then()
    expect(given(leaderboard, withKey, taken).state()).to.include({ key: 'daily', claim: 'k2' })
    expect(given(leaderboard, withKey, givenUp).state()).to.include({ key: null, claim: null })
    expect(given(leaderboard, withKey, archived).state()).to.include({ key: null, claim: null, archived: true })
  })

  it('needs a claim on a key only if nothing else refuses the change', () => {
    const refuse = () => {
      throw new Refusal('precondition', 'precondition_failed', 'Seen another.')
    }
    given(leaderboard, withKey)
      .when(asked({ key: 'daily' }, refuse))
      .refused('precondition', 'precondition_failed')
    given(leaderboard)
      .when(asked({ key: 'daily' }))
      .refused('not_found', 'leaderboard_not_found')
    const other = { ...rules, ordering: 'asc' } as const
    const building: LeaderboardEvent = {
      type: 'LeaderboardRulesRequested',
      data: { change: 'c0', generation: 2, rules: other },
    }
    given(leaderboard, withKey, building)
      .when(asked({ key: 'daily', rules: { unique: false } }))
      .refused('conflict', 'rebuild_running')
  })

  it('gets a new description and keeps omitted fields', () => {
    const describedAs = (change: object): LeaderboardEvent => {
      return { type: 'LeaderboardDescribed', data: { name: 'Laps', description: 'fast', ...change } }
    }
    given(leaderboard, created)
      .when(asked({ name: 'N' }))
      .then(describedAs({ name: 'N' }))
    given(leaderboard, created)
      .when(asked({ description: '' }))
      .then(describedAs({ description: '' }))
    given(leaderboard, created)
      .when(asked({ name: 'Laps', description: 'fast' }))
      .then()
    given(leaderboard, created).when(asked({})).then()
  })

  it('keeps its rules if they are the same, and requests a rule change for others, together with a new name', () => {
    given(leaderboard, created).when(asked({ rules })).then()
    const others = [
      { ordering: 'asc' as const },
      { secondaryOrdering: 'desc' as const },
      { unique: false },
      { minScore: null },
      { minScore: dec('0') },
      { maxScore: null },
      { maxScore: dec('10.6') },
    ]
    for (const other of others) {
      given(leaderboard, created)
        .when(asked({ name: 'N', rules: other }))
        .then(
          { type: 'LeaderboardDescribed', data: { name: 'N', description: 'fast' } },
          { type: 'LeaderboardRulesRequested', data: { change: 'c1', generation: 2, rules: { ...rules, ...other } } },
        )
    }
    given(leaderboard, created)
      .when(asked({ rules: { minScore: dec('11') } }))
      .refused('malformed', 'malformed', { errors: [{ pointer: '/min_score', detail: 'is above max_score' }] })
  })

  it('is not changed if it has changed since the caller read it', () => {
    const changedMeanwhile = () => {
      throw new Refusal('precondition', 'precondition_failed', 'Changed meanwhile.')
    }
    given(leaderboard, created)
      .when(asked({ name: 'N' }, changedMeanwhile))
      .refused('precondition', 'precondition_failed')
  })

  it('is archived once and then does not exist', () => {
    given(leaderboard, created).when(archiveLeaderboard).thenOnce('leaderboard_not_found', archived)
    given(leaderboard, created, archived)
      .when(asked({ name: 'N' }))
      .refused('not_found', 'leaderboard_not_found')
    given(leaderboard, created, archived).when(createLeaderboard(data)).then()
  })

  it('cannot be changed or archived if it was never created', () => {
    given(leaderboard).when(asked({})).refused('not_found', 'leaderboard_not_found')
    given(leaderboard).when(archiveLeaderboard).refused('not_found', 'leaderboard_not_found')
  })
})

function dec(text: string): Decimal {
  return parseDecimal(text) as Decimal
}

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
    { keep: 'latest' },
    { keep: 'total' },
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
      expect(refusalIn(() => checkRules(rules))).to.equal(null)
    }
    expect(refusalIn(() => checkRules(bounds('2', '1.9')))).not.to.equal(null)
  })
})
