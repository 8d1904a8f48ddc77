// A server whose clock is behind a log on EventStoreDB, which other nodes write too and which has no index by time.

import { expect } from 'chai'
import { STREAM_PREFIXES } from '../../domain/streams.ts'
import { StoresFault } from '../../stores/contract/faults.ts'
import { openEventStore } from '../../stores/eventstoredb/log.ts'
import { appended, someEvent } from '../contracts/events.ts'
import { type EventStoreServer, startEventStore } from '../servers/eventstoredb/server.ts'
import { BUILD_TIMEOUT_MS } from '../servers/ferretdb.ts'
import { endSharedServers, freshStoresBeside } from '../servers/store-urls.ts'
import { pause } from '../until.ts'
import { type MadeGame, makeBoard, makeGame, makePlayer } from './game-fixtures.ts'
import { answerCode } from './tenant.ts'
import { must, openWorld, tokenOf, type World } from './world.ts'

const DAY_MS = 86_400_000

describe('a server whose clock is behind a log on EventStoreDB', () => {
  let server: EventStoreServer
  let world: World
  let game: MadeGame
  let body: { player: string; score: string }
  let path: string
  let beganMs: number

  beforeEach(async function () {
    this.timeout(BUILD_TIMEOUT_MS)
    server = await startEventStore()
    world = await openWorld({ storeUrls: await freshStoresBeside(server) })
    beganMs = world.clock.nowMs
    game = await makeGame(world)
    path = `/api/lb/${await makeBoard(world, game)}/score/`
    body = { player: await makePlayer(world, game), score: '1' }
  })
  afterEach(async () => {
    await world.close()
    await server.stop()
  })
  after(endSharedServers)

  const submit = async () => world.call('POST', path, { token: await tokenOf(world, game.server), body })
  const refusalToStart = async () => {
    const failure = await world.restart({ acceptsClock: false }).catch((error: unknown) => error)
    expect(failure).to.be.instanceOf(StoresFault)
    return String(failure)
  }

  it('does not start more than a day behind the newest event, also after later ones, unless the clock is accepted', async () => {
    const newest = new Date(beganMs + 2 * DAY_MS).toISOString()
    world.clock.nowMs = beganMs + 2 * DAY_MS
    must(await submit(), 201)
    world.clock.nowMs = beganMs
    expect(await refusalToStart()).to.include(newest)
    await world.restart({ acceptsClock: true })
    must(await submit(), 200)
    expect(await refusalToStart()).to.include(newest)
    world.clock.nowMs = beganMs + DAY_MS
    await world.restart({ acceptsClock: false })
    must(await submit(), 200)
  })

  it('records nothing once another node has recorded an event more than a day later', async () => {
    must(await submit(), 201)
    const log = await openEventStore({ url: server.url, prefixes: STREAM_PREFIXES })
    const time = new Date(beganMs + 2 * DAY_MS).toISOString()
    await appended(log, 'lb_other-player', 'none', [someEvent({ meta: { game: game.id, time } })])
    await log.close()
    let answer = await submit()
    while (answer.status !== 503) {
      await pause(10)
      answer = await submit()
    }
    expect(answerCode(answer)).to.equal('503 clock_behind')
  })
})
