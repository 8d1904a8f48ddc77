// The history view, from EventStoreDB in MongoDB, passes the same contract as a log with its own index.

import { history } from '../../projections/history.ts'
import { viewKey } from '../../projections/projection.ts'
import { historyInViews } from '../../queries/history.ts'
import { historyChecks, type LogWithHistory } from '../contracts/history.suite.ts'
import { testContract } from '../contracts/test-contract.ts'
import { prepareWorld } from '../projections/prepare-world.ts'
import { runToEnd, runWorld } from '../projections/run-world.ts'
import { type EventStoreServer, startEventStore } from '../servers/eventstoredb/server.ts'
import { type Databases, databases } from '../servers/ferretdb/database.ts'
import { BUILD_TIMEOUT_MS } from '../servers/ferretdb.ts'
import { openApart } from './eventstoredb-logs.ts'

let servers: { readonly events: EventStoreServer; readonly documents: Databases }

before(async function () {
  this.timeout(BUILD_TIMEOUT_MS)
  const [events, documents] = await Promise.all([startEventStore(), databases()])
  servers = { events, documents }
})
after(async () => {
  await Promise.all([servers.events.stop(), servers.documents.end()])
})

async function historyOnServers(): Promise<LogWithHistory> {
  const log = await openApart({ url: servers.events.url })
  const documents = await servers.documents.open()
  const world = runWorld([history], { log, views: documents.views })
  await prepareWorld(world)
  const close = async () => {
    await log.close()
    await documents.close()
  }
  return { log, history: historyInViews(documents.views, viewKey(history)), settled: () => runToEnd(world), close }
}

testContract('a history kept by a view on servers', historyChecks, historyOnServers)
