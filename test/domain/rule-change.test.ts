// Given a leaderboard and a rule change of it, when a step is decided, then these events follow and the board has this
// state.

import { expect } from 'chai'
import type { Rules } from '../../domain/board-rules.ts'
import type { EventReference } from '../../domain/event.ts'
import { archiveLeaderboard, changeLeaderboard, type LeaderboardEvent, leaderboard } from '../../domain/leaderboard.ts'
import {
  buildRange,
  cancelRuleChange,
  clearRange,
  failRuleChange,
  finishRuleChange,
  rebuildEntries,
  recordFolded,
} from '../../domain/rule-change.ts'
import { given, timeAt } from './given.ts'

const rules: Rules = { ordering: 'desc', secondaryOrdering: 'asc', unique: true, minScore: null, maxScore: null }
const others: Rules = { ...rules, unique: false }
const created: LeaderboardEvent = { type: 'LeaderboardCreated', data: { name: 'Laps', description: '', rules } }
const archived: LeaderboardEvent = { type: 'LeaderboardArchived', data: {} }
const id = { change: 'c1', generation: 2 }
const requested: LeaderboardEvent = { type: 'LeaderboardRulesRequested', data: { ...id, rules: others } }
const here: EventReference = { stream: 'lb_b-p', revision: 6 }
const there: EventReference = { stream: 'lb_b-q', revision: 0 }
const first = { after: null, upTo: here, events: 10, total: 25 }
const second = { after: here, upTo: there, events: 10, total: 25 }
const built: LeaderboardEvent = { type: 'LeaderboardSliceBuilt', data: { ...id, ...first } }
const changed: LeaderboardEvent = {
  type: 'LeaderboardRulesChanged',
  data: { ...id, rules: others, after: here, replaces: 1 },
}
const cancelled: LeaderboardEvent = { type: 'LeaderboardRulesCancelled', data: { ...id, upTo: here } }

const folding = (events: readonly LeaderboardEvent[]) =>
  events.reduce(
    (state, event, revision) => leaderboard.evolve(state, event, { revision, time: timeAt(revision) }),
    leaderboard.initial,
  )?.rebuild

describe('a rule change of a leaderboard', () => {
  const change = (rules: Partial<Rules>, id = 'c2') => changeLeaderboard({ rules }, id, () => {})

  it('can be requested under the present rules too, one at a time', () => {
    given(leaderboard, created)
      .when(rebuildEntries('c1'))
      .thenOnce('rebuild_running', { type: 'LeaderboardRulesRequested', data: { ...id, rules } })
    given(leaderboard, created, requested).when(rebuildEntries('c2')).refused('conflict', 'rebuild_running')
    given(leaderboard, created, requested)
      .when(change({ ordering: 'asc' }))
      .refused('conflict', 'rebuild_running')
    given(leaderboard, created, archived).when(rebuildEntries('c1')).refused('not_found', 'leaderboard_not_found')
  })

  it('is not requested again by its own rules, but the rules still in force count as others', () => {
    given(leaderboard, created, requested)
      .when(change({ unique: false }))
      .then()
    given(leaderboard, created, requested)
      .when(change({ unique: true }))
      .refused('conflict', 'rebuild_running')
  })

  it('is built range by range, each from the end of the last one', () => {
    given(leaderboard, created, requested).when(buildRange('c1', first)).then(built)
    given(leaderboard, created, requested).when(buildRange('c1', second)).then()
    given(leaderboard, created, requested, built)
      .when(buildRange('c1', second))
      .then({ type: 'LeaderboardSliceBuilt', data: { ...id, ...second } })
    const folded = { ...first, asOf: there }
    given(leaderboard, created, requested)
      .when(buildRange('c1', folded))
      .then({ type: 'LeaderboardSliceBuilt', data: { ...id, ...folded } })
    given(leaderboard, created, requested).when(buildRange('c2', first)).then()
    given(leaderboard, created).when(buildRange('c1', first)).then()
    given(leaderboard, created, requested, archived).when(buildRange('c1', first)).then()
  })

  it('records how much of the history is folded until ranges are built, and nothing twice', () => {
    const folded: LeaderboardEvent = { type: 'LeaderboardHistoryFolded', data: { ...id, events: 10, total: 25 } }
    const tell = (events: number) => recordFolded('c1', { events, total: 25 })
    given(leaderboard, created, requested).when(tell(10)).then(folded)
    given(leaderboard, created, requested, folded).when(tell(10)).then()
    given(leaderboard, created, requested, folded)
      .when(tell(20))
      .then({ type: 'LeaderboardHistoryFolded', data: { ...id, events: 20, total: 25 } })
    given(leaderboard, created, requested, built).when(tell(20)).then()
    given(leaderboard, created, requested, cancelled).when(tell(20)).then()
    const asked = folding([created, requested, folded])
    expect([asked?.state, asked?.done, asked?.folded, asked?.total]).to.deep.equal(['running', 0, 10, 25])
  })

  it('is cancelled when its board is archived, so that its entries are removed', () => {
    given(leaderboard, created, requested, built)
      .when(archiveLeaderboard)
      .thenOnce('leaderboard_not_found', cancelled, archived)
    const after = given(leaderboard, created, requested, built, cancelled, archived)
    expect(after.state()?.superseded).to.deep.equal([{ generation: 2, upTo: null }])
    const range = { generation: 2, after: null, upTo: here, until: here }
    after.when(clearRange(range)).then({ type: 'LeaderboardSliceCleared', data: range })
    given(leaderboard, created, requested, changed).when(archiveLeaderboard).thenOnce('leaderboard_not_found', archived)
  })

  it('keeps the present rules until its end, and then activates its own', () => {
    const before = given(leaderboard, created, requested, built).state()
    expect([before?.rules, before?.generation]).to.deep.equal([rules, 1])
    given(leaderboard, created, requested, built).when(finishRuleChange('c1', null)).then()
    given(leaderboard, created, requested, built).when(finishRuleChange('c1', here)).then(changed)
    const whole = { ...changed, data: { ...changed.data, after: null, total: 7 } }
    given(leaderboard, created, requested)
      .when(finishRuleChange('c1', null, 7))
      .then(whole)
    expect(given(leaderboard, created, requested, whole).state()?.rebuild).to.include({ done: 7, total: 7 })
    const after = given(leaderboard, created, requested, built, changed).state()
    expect([after?.rules, after?.generation, after?.superseded]).to.deep.equal([
      others,
      2,
      [{ generation: 1, upTo: null }],
    ])
  })

  it('records its progress', () => {
    const of = (...events: LeaderboardEvent[]) => given(leaderboard, created, ...events).state()?.rebuild
    const own = { id: 'c1', generation: 2, rules: others, started: timeAt(1), finished: null, error: null }
    expect(of(requested)).to.deep.equal({ ...own, state: 'queued', done: 0, total: null, moved: timeAt(1), upTo: null })
    const running = { ...own, state: 'running', done: 10, total: 25, moved: timeAt(2), upTo: here }
    expect(of(requested, built)).to.deep.equal(running)
    const ended = { ...running, moved: timeAt(3), finished: timeAt(3) }
    expect(of(requested, built, changed)).to.deep.equal({ ...ended, state: 'done', done: 25 })
    expect(of(requested, built, cancelled)).to.deep.equal({ ...ended, state: 'cancelled' })
  })

  it('is cancelled once, after which another one can be requested as another generation', () => {
    given(leaderboard, created, requested, built).when(cancelRuleChange).then(cancelled)
    given(leaderboard, created).when(cancelRuleChange).refused('not_found', 'rebuild_not_found')
    given(leaderboard, created, requested, changed).when(cancelRuleChange).then()
    given(leaderboard, created, requested, built, cancelled)
      .when(change({ unique: false }))
      .then({ type: 'LeaderboardRulesRequested', data: { change: 'c2', generation: 3, rules: others } })
    given(leaderboard, created, requested, built, cancelled).when(buildRange('c1', second)).then()
    given(leaderboard, created, requested, built, cancelled).when(finishRuleChange('c1', here)).then()
  })

  it('fails with its reason and leaves the board unchanged', () => {
    const failed: LeaderboardEvent = { type: 'LeaderboardRulesFailed', data: { ...id, upTo: here, reason: 'why' } }
    given(leaderboard, created, requested, built).when(failRuleChange('c1', 'why')).then(failed)
    const state = given(leaderboard, created, requested, built, failed).state()
    expect([state?.rules, state?.generation, state?.rebuild?.error]).to.deep.equal([rules, 1, 'why'])
  })

  it('is undone by another rule change', () => {
    given(leaderboard, created, requested, built, changed)
      .when(change({ unique: true }))
      .then({ type: 'LeaderboardRulesRequested', data: { change: 'c2', generation: 3, rules } })
  })

  it('clears an inactive generation in ranges, each once, and forgets it with the last one', () => {
    const history = [created, requested, built, changed] as const
    const one = { generation: 1, after: null, upTo: here, until: there }
    const rest = { generation: 1, after: here, upTo: there, until: there }
    const cleared: LeaderboardEvent = { type: 'LeaderboardSliceCleared', data: one }
    given(leaderboard, ...history)
      .when(clearRange(one))
      .then(cleared)
    given(leaderboard, ...history)
      .when(clearRange(rest))
      .then()
    given(leaderboard, ...history, cleared)
      .when(clearRange(rest))
      .then({ type: 'LeaderboardSliceCleared', data: rest })
    given(leaderboard, ...history)
      .when(clearRange({ ...one, generation: 2 }))
      .then()
    const end = given(leaderboard, ...history, cleared, { type: 'LeaderboardSliceCleared', data: rest }).state()
    expect(end?.superseded).to.deep.equal([])
  })
})
