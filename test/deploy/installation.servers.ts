// The installation of compose.yaml as processes: scores are submitted through nginx and read on the other node, Redis
// has the rights of compose.yaml, and everything stops in order.

import { expect } from 'chai'
import { createClient } from 'redis'
import { builtProgram } from '../crash/build.ts'
import { clientToken, type MadeGame, makeBoard, makeGame, signInGuest } from '../front-door/game-fixtures.ts'
import { must, type World } from '../front-door/world.ts'
import { BUILD_TIMEOUT_MS } from '../servers/ferretdb.ts'
import {
  makeOperatorKey,
  type Running,
  type Stores,
  startOrder,
  startService,
  startStores,
  worldAt,
} from './installation.ts'
import { type Nginx, startNginx } from './nginx.ts'

const PLAYERS = 12

describe('the installation of compose.yaml, as processes', function () {
  this.timeout(120_000)
  let stores: Stores
  let nginx: Nginx
  let world: World
  let operator: { prefix: string; secret: string }
  const started: Running[] = []
  const nodes = () => started.filter(({ name }) => name.startsWith('api-'))

  before(async function () {
    this.timeout(BUILD_TIMEOUT_MS)
    builtProgram()
    stores = await startStores()
    operator = await makeOperatorKey(stores)
    for (const name of startOrder()) started.push(await startService(name, stores))
    const [one, other] = nodes().map(({ port }) => port)
    if (one === undefined || other === undefined) throw new Error('two API nodes were to be there')
    nginx = await startNginx([one, other])
    world = worldAt(nginx.port, operator)
  })
  after(async () => {
    await world?.close()
    await nginx?.stop()
    await Promise.all(started.map((one) => one.stop()))
    await stores?.stop()
  })

  let game: MadeGame
  let board: string

  it('ranks scores submitted through nginx, and shows them on either node with the consistency token', async () => {
    game = await makeGame(world)
    board = await makeBoard(world, game)
    const token = await clientToken(world, game)
    const direct = nodes().map(({ port }) => worldAt(port, operator))
    for (let n = 1; n <= PLAYERS; n++) {
      const guest = await signInGuest(world, game, token, `Player ${n}`)
      const sent = { token: guest.token, body: { score: String(n) }, headers: { 'idempotency-key': `first-${n}` } }
      const answer = await world.call('POST', `/api/lb/${board}/score/`, sent)
      expect(must(answer, 201)).to.include({ rank: 1, score: String(n), improved: true })
      const headers = { 'x-consistency-token': String(answer.headers['x-consistency-token']) }
      for (const node of direct) {
        const list = must(await node.call('GET', `/api/lb/${board}/score/?limit=1`, { token, headers }), 200)
        expect([list.count, list.scores[0].player_name]).to.deep.equal([n, `Player ${n}`])
      }
      const again = await world.call('POST', `/api/lb/${board}/score/`, sent)
      expect([again.status, again.headers['idempotent-replay']]).to.deep.equal([201, 'true'])
    }
    await Promise.all(direct.map((one) => one.close()))
  })

  it('balances calls over the nodes, and serves metrics only on the admin port', async () => {
    for (const { name, adminPort } of nodes()) {
      const text = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text()
      const counts = [...text.matchAll(/^scorebook_http_request_duration_seconds_count\{.*\/score\/.*\} (\d+)$/gm)]
      expect(
        counts.reduce((sum, [, count]) => sum + Number(count), 0),
        name,
      ).to.be.at.least(PLAYERS)
    }
    expect((await fetch(`http://127.0.0.1:${nginx.port}/metrics`)).status).to.equal(404)
  })

  it('serves the API only on API nodes', async () => {
    for (const { name, port } of started) {
      const serves = await fetch(`http://127.0.0.1:${port}/api/openapi.json`).then(
        ({ ok }) => ok,
        () => false,
      )
      expect(serves, name).to.equal(name.startsWith('api-'))
    }
  })

  it('uses exactly the Redis commands that its user may run', async () => {
    const looker = createClient({ url: stores.redisAdminUrl, RESP: 2 })
    const user = createClient({ url: stores.redisUrl, RESP: 2, disableClientInfo: true })
    await Promise.all([looker.connect(), user.connect()])
    try {
      const denied = (await looker.sendCommand(['ACL', 'LOG'])) as unknown as string[][]
      expect(denied.map((entry) => entry.join(' '))).to.deep.equal([])
      const foreign = [
        ['GET', 'other:key'],
        ['SET', 'other:key', '1'],
        ['EVAL', "return redis.call('GET', 'other:key')", '0'],
        ['KEYS', '*'],
        ['FLUSHALL'],
        ['FLUSHDB'],
        ['CONFIG', 'GET', 'requirepass'],
        ['ACL', 'LIST'],
        ['SHUTDOWN'],
        ['PUBLISH', 'scorebook:x', 'y'],
        ['SCRIPT', 'FLUSH'],
        ['MONITOR'],
      ]
      for (const command of foreign) {
        const answer = await user.sendCommand(command).then(String, (failure: Error) => failure.message)
        expect(answer, command.join(' ')).to.match(/NOPERM|can't (run|access)|permission/)
      }
      const nobody = createClient({
        url: stores.redisUrl.replace(/\/\/[^@]*@/, '//'),
        RESP: 2,
        disableClientInfo: true,
      })
      nobody.on('error', () => {})
      await nobody.connect()
      const unknown = await nobody.sendCommand(['GET', 'scorebook:x']).then(String, (failure: Error) => failure.message)
      expect(unknown).to.contain('NOAUTH')
      nobody.destroy()
    } finally {
      looker.destroy()
      user.destroy()
    }
  })

  it('loses no call through nginx while a node is replaced', async () => {
    const token = game.token
    const [first] = nodes()
    if (first === undefined) throw new Error('there is no node')
    const read = () => world.call('GET', `/api/lb/${board}/score/?limit=1`, { token })
    const answers: number[] = []
    const stopped = first.stop()
    let isStopped = false
    void stopped.then(() => {
      isStopped = true
    })
    while (!isStopped) answers.push((await read()).status)
    expect(await stopped).to.equal(0)
    started.splice(started.indexOf(first), 1)
    answers.push((await read()).status)
    expect(new Set(answers)).to.deep.equal(new Set([200]))
    expect(must(await read(), 200).count).to.equal(PLAYERS)
  })

  it('stops nginx, the API nodes and the projectors in order, without errors', async () => {
    await world.close()
    await nginx.stop()
    for (const one of started.splice(0).reverse()) {
      expect(await one.stop(), one.name).to.equal(0)
      expect(one.output(), one.name)
        .to.match(/"msg":"stopped"/)
        .and.not.match(/"level":(50|60)/)
    }
  })
})
