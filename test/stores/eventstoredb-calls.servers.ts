// How often a server under load calls EventStoreDB: counted by the server that receives the calls.

import { expect } from 'chai'
import { clientToken, type Guest, makeBoard, makeGame, signInGuest } from '../front-door/game-fixtures.ts'
import { openWorld, type World } from '../front-door/world.ts'
import { Random } from '../random.ts'
import { type EventStoreServer, startEventStore } from '../servers/eventstoredb/server.ts'
import { endSharedServers, freshStoresBeside } from '../servers/store-urls.ts'

const PLAYERS = 24
const SUBMISSIONS = 600
const CALLERS = 16
const SEED = 23_023
/** Appends and stream reads per submission. */
const CALLS_MAX = 1.02

describe('submissions on EventStoreDB', function () {
  this.timeout(240_000)
  let eventStore: EventStoreServer
  let world: World
  let board: string
  let guests: Guest[]

  before(async () => {
    eventStore = await startEventStore()
    world = await openWorld({ storeUrls: await freshStoresBeside(eventStore) })
    const game = await makeGame(world)
    const token = await clientToken(world, game)
    board = await makeBoard(world, game, { unique: true })
    guests = await Promise.all(Array.from({ length: PLAYERS }, () => signInGuest(world, game, token)))
  })
  after(async () => {
    await world?.close()
    await eventStore?.stop()
    await endSharedServers()
  })

  const calls = () => {
    const { appends, streamReads } = eventStore.counts()
    return { appends, streamReads }
  }
  const submit = async ({ token }: Guest, score: string) => {
    const sent = { token, body: { score, extra_data: { score } } }
    const { status, body } = await world.call('POST', `/api/lb/${board}/score/`, sent)
    expect(status).to.be.oneOf([200, 201])
    return body
  }

  // A player's first submission on a process reads their stream once. It is not counted here.
  it('append once each and read nothing if the player is known, whether or not they improve', async () => {
    for (const guest of guests) await submit(guest, '500')
    const random = new Random(SEED)
    const before = calls()
    let improved = 0
    let sent = 0
    await Promise.all(
      Array.from({ length: CALLERS }, async () => {
        while (sent < SUBMISSIONS) {
          sent += 1
          const answer = await submit(random.pick(guests), `${random.below(1_000)}.5`)
          if (answer.improved) improved += 1
        }
      }),
    )
    const after = calls()
    const appends = after.appends - before.appends
    const reads = after.streamReads - before.streamReads
    expect(improved).to.be.within(PLAYERS, SUBMISSIONS / 2)
    expect(reads).to.equal(0)
    expect(appends).to.be.at.least(SUBMISSIONS / 32)
    expect((appends + reads) / SUBMISSIONS).to.be.at.most(CALLS_MAX)
  })

  it('read the stream and the best submission of a player who is not known yet, and the key of all once', async () => {
    await world.restart()
    const before = calls()
    for (const guest of guests) await submit(guest, '1')
    const after = calls()
    expect(after.appends - before.appends).to.equal(PLAYERS)
    expect(after.streamReads - before.streamReads).to.equal(2 * PLAYERS + 1)
  })
})
