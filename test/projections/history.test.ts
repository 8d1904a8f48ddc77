// The history view fulfils the contract of a log store that has its own index by game and board.

import { expect } from 'chai'
import type { StoredEvent } from '../../domain/event.ts'
import { PERSONAL_FIELDS } from '../../domain/personal.ts'
import { createGameClearing } from '../../projections/clear-game.ts'
import { history } from '../../projections/history.ts'
import { viewKey } from '../../projections/projection.ts'
import { historyInViews } from '../../queries/history.ts'
import { appended, everything, someEvent } from '../contracts/events.ts'
import { historyChecks, type LogWithHistory } from '../contracts/history.suite.ts'
import { testContract } from '../contracts/test-contract.ts'
import { FROZEN, frozen } from '../domain/frozen.ts'
import { createMemoryLog } from '../memory/log.ts'
import { prepareWorld } from './prepare-world.ts'
import { bodies, runToEnd, runWorld } from './run-world.ts'
import { viewInMemory } from './view-in-memory.ts'

async function historyByView(): Promise<LogWithHistory> {
  const log = createMemoryLog()
  const world = runWorld([history], { log })
  await prepareWorld(world)
  return {
    log,
    history: historyInViews(world.deps.views, viewKey(history)),
    settled: () => runToEnd(world),
    close: () => log.close(),
  }
}

describe('a history in a view', () => {
  it('contains no text of a deleted player: written before, applied late, or read without the key', () => {
    const until = FROZEN.filter(({ type }) => type !== 'PlayerDeleted')
    const [deletion] = frozen('PlayerDeleted') as [StoredEvent]
    const [, late] = frozen('ScoreSubmitted') as [StoredEvent, StoredEvent]
    const after = { ...late, position: '0000000000009999', revision: 9 }
    const view = viewInMemory(history)
    view.apply(...until)
    expect(JSON.stringify(view.documents('events')))
      .to.match(/"Ada"/)
      .and.match(/The Ace/)
      .and.match(/steam:1/)
    view.apply(deletion, after)
    const text = JSON.stringify(view.documents('events'))
    expect(text).not.to.match(/Ada|The Ace|steam:1/)
    expect(text).to.match(/"Bob"/).and.match(/"Zoe"/)
    const rebuilt = viewInMemory(history)
    const unread = (event: StoredEvent): StoredEvent => {
      if (event.meta.player !== 'p1') return event
      const nothing = (PERSONAL_FIELDS[event.type] ?? []).filter((field) => field in event.data)
      return { ...event, data: { ...event.data, ...Object.fromEntries(nothing.map((field) => [field, null])) } }
    }
    rebuilt.apply(...[...until, deletion, after].map(unread))
    expect(rebuilt.documents('events')).to.deep.equal(view.documents('events'))
  })

  it('has the times of a block to the minute, and writes them only when they change', () => {
    const view = viewInMemory(history)
    const at = (position: string, time: string): StoredEvent => {
      const [stream, revision] = [`s-${position}`, 0]
      return { ...someEvent({ meta: { time: `2026-01-01T${time}Z` } }), stream, revision, position }
    }
    view.apply(at('0000000000100001', '10:05:30.000'), at('0000000000100002', '10:05:59.999'))
    expect(Object.keys(view.changed())).to.deep.equal(['events/0000000000100002'])
    view.apply(at('0000000000100003', '10:07:00.000'), at('0000000000100004', '09:59:00.000'))
    view.apply(at('0000000000200001', '10:07:00.000'))
    const [block, other] = ['00000000001', '00000000002']
    const minute = '2026-01-01T10:07'
    expect(view.documents('times')).to.deep.equal({
      [`g1.${block}`]: { game: 'g1', block, earliest: '2026-01-01T09:59', latest: minute },
      [`g1.${other}`]: { game: 'g1', block: other, earliest: minute, latest: minute },
    })
  })

  it('keeps of a deleted game the times that a view has which is built after the removal', async () => {
    const log = createMemoryLog()
    const world = runWorld([history], { log })
    await prepareWorld(world)
    const types = ['SomethingHappened', 'SomethingHappened', 'GameDeleted', 'GameErasureBegun']
    for (const [n, type] of types.entries()) await appended(log, `s-${n}`, 'none', [someEvent({ type })])
    await runToEnd(world)
    const all = await everything(log)
    const { views, rankings } = world.deps
    const [page, left] = [all.slice(0, 2), all.slice(2)]
    const builds = { active: [history], inStep: [history], inProgress: [] }
    await createGameClearing({ views, rankings }, () => builds, null).clear(page, all.at(-1) as StoredEvent)
    const later = viewInMemory(history)
    later.apply(...left)
    expect(await bodies(views, viewKey(history), 'times')).to.deep.equal(later.documents('times'))
    expect(Object.keys(later.documents('times'))).to.have.length(2)
  })
})

testContract('a history in a view', historyChecks, historyByView)
