// The history view fulfils the contract of a log store that has its own index by game and board.

import { expect } from 'chai'
import type { StoredEvent } from '../../domain/event.ts'
import { PERSONAL_FIELDS } from '../../domain/personal.ts'
import { history } from '../../projections/history.ts'
import { viewKey } from '../../projections/projection.ts'
import { historyInViews } from '../../queries/history.ts'
import { historyChecks, type LogWithHistory } from '../contracts/history.ts'
import { sign } from '../contracts/sign.ts'
import { FROZEN, frozen } from '../domain/frozen.ts'
import { createMemoryLog } from '../memory/log.ts'
import { prepareWorld } from './prepare-world.ts'
import { runToEnd, runWorld } from './run-world.ts'
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
})

sign('a history in a view', historyChecks, historyByView)
