// Retries of the client library when requests or answers are lost, or the service asks it to wait. Every call takes
// effect once, and no call fails that could have succeeded.

import { expect } from 'chai'
import fc from 'fast-check'
import { type Client, connect, Unreachable } from '../../../clients/javascript/connect.ts'
import { openWorld, type World } from '../../front-door/world.ts'
import { failureOf, operatorKey } from './keys.ts'

/** The fate of one request: answered, or the request or its answer is lost. */
type Fate = 'fine' | 'question lost' | 'answer lost'

describe('the client library on a bad network', () => {
  let world: World
  let baseUrl: string
  let steady: Client
  let game: string
  let fates: Fate[] = []
  const now = () => world.clock.nowMs

  const lossy: typeof fetch = async (input, init) => {
    const fate = fates.shift() ?? 'fine'
    if (fate === 'question lost') throw new TypeError('lost')
    const response = await fetch(input, init)
    if (fate === 'fine') return response
    await response.arrayBuffer()
    throw new TypeError('lost')
  }

  before(async () => {
    world = await openWorld()
    baseUrl = `http://127.0.0.1:${world.port}`
    const operator = await connect({ baseUrl, key: await operatorKey(world.dataDir), now })
    const made = await operator.createGame('Quest')
    game = made.game.id
    steady = await connect({ baseUrl, key: made.key, now })
  })
  after(() => world.close())

  it('submits each score once, however often the request or the answer is lost', async () => {
    const made = await steady.issueKey(game, { name: 'k', kind: 'server', algorithm: 'hmac-sha256' })
    const { id: player } = await steady.createPlayer(game, { name: 'Ada' })
    const fate = fc.constantFrom<Fate>('fine', 'question lost', 'answer lost')
    await fc.assert(
      fc.asyncProperty(fc.array(fate, { maxLength: 4 }), fc.array(fate, { maxLength: 3 }), async (first, second) => {
        const board = await steady.createLeaderboard(game, { name: 'B', ordering: 'desc', unique: false })
        fates = []
        const client = await connect({ baseUrl, key: made, now, fetch: lossy })
        fates = [...first]
        const one = await client.submit(board.id, { score: '1', player })
        fates = [...second]
        const two = await client.submit(board.id, { score: '2', player })
        fates = []
        const { scores } = await steady.scores(board.id)
        expect(scores.map(({ id }) => id)).to.deep.equal([two.submitted, one.submitted])
      }),
      { numRuns: 12 },
    )
  })

  it('requests a new challenge if the answer to a redeemed one is lost', async () => {
    const made = await steady.issueKey(game, { name: 'k', kind: 'server', algorithm: 'ed25519' })
    fates = ['fine', 'answer lost', 'answer lost', 'fine', 'fine']
    const client = await connect({ baseUrl, key: made, now, fetch: lossy })
    fates = []
    expect(await client.game(game)).to.include({ id: game })
  })

  it('throws Unreachable after its patience has run out', async () => {
    const made = await steady.issueKey(game, { name: 'k', kind: 'server', algorithm: 'hmac-sha256' })
    const waits: number[] = []
    const onWait = (waitMs: number) => waits.push(waitMs)
    const client = await connect({ baseUrl, key: made, now, fetch: lossy, reconnectMs: 250, onWait })
    fates = Array.from({ length: 20 }, (): Fate => 'question lost')
    const failure = await client.game(game).then(
      () => null,
      (thrown: unknown) => thrown,
    )
    fates = []
    expect(failure).to.be.instanceOf(Unreachable)
    expect(waits.length).to.be.within(1, 4)
    expect(waits.reduce((sum, one) => sum + one, 0)).to.be.at.most(250)
  })

  it('waits as long as Retry-After says, but no longer than its patience', async () => {
    const made = await steady.issueKey(game, { name: 'k', kind: 'server', algorithm: 'hmac-sha256' })
    const waits: number[] = []
    let refusals = 1
    const busy: typeof fetch = (input, init) => {
      if (init?.method !== 'PUT' || refusals-- <= 0) return fetch(input, init)
      const body = JSON.stringify({ code: 'rate_limited', status: 429, detail: 'slower', policy: 'key' })
      const headers = { 'Content-Type': 'application/problem+json', 'Retry-After': '1' }
      return Promise.resolve(new Response(body, { status: 429, headers }))
    }
    const onWait = (waitMs: number) => waits.push(waitMs)
    const options = { baseUrl, key: made, now, fetch: busy, onWait }
    const client = await connect(options)
    expect(await client.changeGame(game, { name: 'Later' })).to.include({ name: 'Later' })
    expect(waits).to.have.length(1)
    expect(waits[0]).to.be.within(1_000, 1_250)
    refusals = 1
    const hasty = await connect({ ...options, patienceMs: 900 })
    expect(await failureOf(hasty.changeGame(game, { name: 'Now' }))).to.include({ status: 429, code: 'rate_limited' })
    expect(await steady.game(game)).to.include({ name: 'Later' })
  })

  it('connects to an address where nothing listens with one budget of time, not one for each handshake', async () => {
    const made = await steady.issueKey(game, { name: 'k', kind: 'server', algorithm: 'hmac-sha256' })
    const waits: number[] = []
    const nowhere: typeof fetch = () => Promise.reject(new TypeError('refused'))
    const options = { baseUrl, key: made, now, fetch: nowhere, reconnectMs: 250 }
    const failure = await connect({ ...options, onWait: (waitMs) => waits.push(waitMs) }).catch((thrown) => thrown)
    expect(failure).to.be.instanceOf(Unreachable)
    expect(waits.length).to.be.within(1, 4)
    expect(waits.reduce((sum, one) => sum + one, 0)).to.be.at.most(250)
  })

  it('waits before it asks for another challenge, as long as a refusal of the proof says', async () => {
    const made = await steady.issueKey(game, { name: 'k', kind: 'server', algorithm: 'hmac-sha256' })
    const waits: number[] = []
    let refusals = 1
    const busy: typeof fetch = (input, init) => {
      if (!String(input).endsWith('/redeem/') || refusals-- <= 0) return fetch(input, init)
      const headers = { 'Content-Type': 'application/problem+json', 'Retry-After': '1' }
      return Promise.resolve(new Response('{"code":"busy","status":503}', { status: 503, headers }))
    }
    const client = await connect({ baseUrl, key: made, now, fetch: busy, onWait: (waitMs) => waits.push(waitMs) })
    expect(await client.game(game)).to.include({ id: game })
    expect(waits).to.have.length(1)
    expect(waits[0]).to.be.within(1_000, 1_250)
  })
})
