// Queries for the events of a range of times on servers: exact, over the blocks of a log whose positions count bytes.

import { expect } from 'chai'
import { history } from '../../projections/history.ts'
import { viewKey } from '../../projections/projection.ts'
import { historyInViews } from '../../queries/history.ts'
import { viewReached } from '../../queries/reached.ts'
import { blockOf } from '../../stores/support/game-blocks.ts'
import { appended, everything, someEvent } from '../contracts/events.ts'
import { prepareWorld } from '../projections/prepare-world.ts'
import { runToEnd, runWorld } from '../projections/run-world.ts'
import { Random } from '../random.ts'
import { SEED } from '../seeds.ts'
import { type EventStoreServer, startEventStore } from '../servers/eventstoredb/server.ts'
import { type Databases, databases } from '../servers/ferretdb/database.ts'
import { BUILD_TIMEOUT_MS } from '../servers/ferretdb.ts'
import { openApart } from '../stores/eventstoredb-logs.ts'
import { countingReads, everyEvent, expectExact, positionsOf, unevenTimes } from './uneven-clocks.ts'

const EVENTS = 4_000
const AT_ONCE = 100

describe('events of a range of times on servers', () => {
  let servers: { readonly events: EventStoreServer; readonly documents: Databases }

  before(async function () {
    this.timeout(BUILD_TIMEOUT_MS)
    const [events, documents] = await Promise.all([startEventStore(), databases()])
    servers = { events, documents }
  })
  after(async () => {
    await Promise.all([servers.events.stop(), servers.documents.end()])
  })

  it('are exact while the clocks jump, and most blocks are not read', async function () {
    this.timeout(BUILD_TIMEOUT_MS)
    const random = new Random(SEED)
    const log = await openApart({ url: servers.events.url })
    const documents = await servers.documents.open()
    const world = runWorld([history], { log, views: documents.views })
    await prepareWorld(world)
    const nextTime = unevenTimes(random)
    for (let n = 0; n < EVENTS; n += AT_ONCE) {
      const events = Array.from({ length: AT_ONCE }, () => {
        const about = random.pick([{ game: 'g2' }, { game: 'g1', board: 'b1' }, { game: 'g1' }])
        return someEvent({ data: { text: 'x'.repeat(1_000) }, meta: { ...about, time: nextTime() } })
      })
      await appended(log, `s-${n}`, 'none', events)
    }
    await runToEnd(world)
    const all = await everything(log)
    expect(new Set(all.map(({ position }) => blockOf(position))).size).to.be.above(3)
    const view = viewKey(history)
    const deps = {
      history: historyInViews(documents.views, view),
      reached: (game: string) => viewReached(documents.views, view, game),
      isPosition: async () => true,
      isFromBeforeRestore: async () => false,
    }
    await expectExact(deps, all, random, 20)
    const latest =
      all
        .map(({ meta }) => meta.time)
        .sort()
        .at(-1) ?? ''
    const counted = countingReads(deps)
    const last = { ...everyEvent('g1'), since: new Date(Date.parse(latest) + 60_000).toISOString() }
    expect(await positionsOf(counted.deps, last)).to.deep.equal([])
    expect(counted.read).to.equal(0)
    await log.close()
    await documents.close()
  })
})
