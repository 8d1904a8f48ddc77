// Verification over HTTP: it finds no difference while calls arrive, and reports a live document that the test changed.

import { expect } from 'chai'
import { sealingKeys } from '../../credentials/master.ts'
import { partitionOf } from '../../domain/partition.ts'
import { PERSONAL_FIELDS } from '../../domain/personal.ts'
import { entries } from '../../projections/entries.ts'
import { viewKey } from '../../projections/projection.ts'
import { openStores } from '../../server/open-stores.ts'
import { verifier } from '../../server/verify.ts'
import { masterKeysOf } from '../../stores/embedded/data-folder.ts'
import { openSealed } from '../../stores/log-decorators/sealing/open.ts'
import { ON_SERVERS } from '../servers/store-urls.ts'
import { makeBoard, makeGame, makePlayer } from './game-fixtures.ts'
import type { Body } from './http-client.ts'
import { openLines } from './lines.ts'
import { answerCode } from './tenant.ts'
import { must, openWorld, tokenOf, type World } from './world.ts'

const ENTRIES = viewKey(entries)

describe('verification of a running server', () => {
  let world: World
  let operator: string

  before(async () => {
    world = await openWorld()
    operator = await tokenOf(world, world.operator)
  })
  after(() => world.close())

  const verified = async (): Promise<Body> => {
    const lines = await (await openLines(world.port, '/api/sys/verify/', operator)).all()
    for (const line of lines.slice(0, -1)) expect(Object.keys(line)).to.deep.equal(['progress'])
    return lines.at(-1)?.result
  }

  it('finds live views equal to the log while scores, bans and deletions arrive', async () => {
    const game = await makeGame(world)
    const board = await makeBoard(world, game)
    const all = await makeBoard(world, game, { unique: false })
    const players = await Promise.all(Array.from({ length: 8 }, (_, n) => makePlayer(world, game, `P${n}`)))
    let isDone = false
    let n = 0
    const traffic = async () => {
      while (!isDone) {
        const player = players[n++ % players.length] as string
        const body = { player, score: String((n * 7919) % 1_000) }
        const { token } = game
        const { status } = await world.call('POST', `/api/lb/${n % 3 === 0 ? all : board}/score/`, { token, body })
        expect(status).to.be.oneOf([200, 201])
        const path = `/api/gm/${game.id}/players/${player}`
        if (n % 11 === 0) {
          must(await world.call('POST', `${path}/ban/`, { token, body: {} }), 200)
          must(await world.call('POST', `${path}/unban/`, { token, body: {} }), 200)
        }
        if (n % 29 === 0) {
          must(await world.call('DELETE', `${path}/`, { token }), 200)
          players[players.indexOf(player)] = await makePlayer(world, game, `R${n}`)
        }
      }
    }
    const running = traffic()
    try {
      for (let times = 0; times < 3; times++) {
        const result = await verified()
        expect(result).to.deep.include({ equal: true, differences: [], found: 0, behind: false })
        expect(result.ranked).to.be.a('number')
      }
    } finally {
      isDone = true
      await running
    }
    const atRest = await verified()
    expect(atRest).to.deep.include({ equal: true, found: 0, parked: 0 })
    expect(atRest.ranked).to.be.greaterThan(0)
  })

  it('rejects a second run with 409, and aborts when its caller disconnects', async () => {
    const first = await openLines(world.port, '/api/sys/verify/', operator)
    expect(answerCode(await world.call('GET', '/api/sys/verify/', { token: operator }))).to.equal(
      '409 already_verifying',
    )
    first.close()
    let again = await world.call('GET', '/api/sys/verify/', { token: operator })
    while (again.status === 409) again = await world.call('GET', '/api/sys/verify/', { token: operator })
    expect(again.status).to.equal(200)
  })

  it('reports a changed live document, on a running server and offline', async () => {
    const game = await makeGame(world)
    const board = await makeBoard(world, game)
    const player = await makePlayer(world, game)
    const sent = { token: game.token, body: { player, score: '41' } }
    must(await world.call('POST', `/api/lb/${board}/score/`, sent), 201)
    await makePlayer(world, game, 'Later')
    await world.end()
    const hooks = { onFailure: () => {}, warn: () => {}, now: () => world.clock.nowMs }
    const open = () => openStores({ ...world.storeUrls, dataDir: world.dataDir, production: false }, hooks)
    const stores = await open()
    const [found] = await stores.views.find({
      ...{ view: ENTRIES, collection: 'entries', index: 'player', equal: [player], limit: 1 },
    })
    if (found === undefined) throw new Error('there is no entry')
    const at = (await stores.views.checkpoints(ENTRIES)).get(partitionOf(game.id))?.position ?? ''
    // The position must be newer than that of the document, or the store ignores the write.
    const planted = { collection: 'entries', id: found.id, pos: at, body: { ...found.body, score: '42' } }
    await stores.views.commit([{ view: ENTRIES, writes: [planted], checkpoints: new Map() }])
    await stores.close()
    const document = { view: ENTRIES, collection: 'entries', id: found.id }
    const isIt = ({ differences }: Body) => {
      const fields = differences.filter(({ field }: Body) => field !== 'pos')
      expect(fields).to.deep.equal([{ ...document, field: 'body.score', live: '"42"', rebuilt: '"41"' }])
      for (const one of differences) expect(one).to.include(document)
    }

    const stopped = await open()
    const master = await masterKeysOf(world.dataDir, { masterKey: null })
    if (master === null) throw new Error('there is no master key')
    const { stores: sealed } = await openSealed(stopped, sealingKeys(master), PERSONAL_FIELDS)
    const without = await verifier(sealed, world.dataDir, ON_SERVERS)(() => {}, new AbortController().signal)
    expect(without.equal).to.equal(false)
    isIt(without)
    await stopped.close()

    await world.restart()
    operator = await tokenOf(world, world.operator)
    const result = await verified()
    expect(result.equal).to.equal(false)
    isIt(result)
  })
})
