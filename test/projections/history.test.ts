// The view of history keeps the contract that a log with an index of its own keeps.

import { history } from '../../projections/history.ts'
import { viewKey } from '../../projections/projection.ts'
import { historyInViews } from '../../queries/history.ts'
import { historyChecks, type LogWithHistory } from '../contracts/history.ts'
import { sign } from '../contracts/sign.ts'
import { createMemoryLog } from '../memory/log.ts'
import { prepared } from './prepared.ts'
import { runToEnd, runWorld } from './run-world.ts'

async function historyByView(): Promise<LogWithHistory> {
  const log = createMemoryLog()
  const world = runWorld([history], { log })
  await prepared(world)
  return {
    log,
    history: historyInViews(world.deps.views, viewKey(history)),
    settled: () => runToEnd(world),
    close: () => log.close(),
  }
}

sign('a history kept by a view', historyChecks, historyByView)
