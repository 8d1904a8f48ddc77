// The guest that a device keeps, and the outbox: over page loads, without a network, with lost answers, in two tabs,
// and after a time or an update that makes a repetition unsafe.

import { expect } from 'chai'
import { type Client, connect as connectServer } from '../../../clients/javascript/connect.ts'
import {
  connect,
  type KeyValueStorage,
  type PlayerClient,
  Unreachable,
} from '../../../clients/javascript/game-client.ts'
import { createOutbox, type OutboxOptions } from '../../../clients/javascript/outbox.ts'
import type { MadeKey } from '../../../clients/javascript/shapes.ts'
import { openWorld, type World } from '../../front-door/world.ts'
import { failureOf, operatorKey } from './keys.ts'

const HOUR_MS = 3_600_000

describe('a game on a device', () => {
  let world: World
  let baseUrl: string
  let server: Client
  let game: string
  let key: MadeKey
  let board: string
  let storage: KeyValueStorage & { readonly items: Map<string, string> }
  /** Decides the outcome of each further request. */
  let network: (path: string) => 'fine' | 'no network' | 'answer lost' = () => 'fine'
  let requests: string[] = []
  let reports: string[] = []
  const now = () => world.clock.nowMs

  const device: typeof fetch = async (input, init) => {
    const path = new URL(String(input)).pathname
    const fate = network(path)
    requests.push(path)
    if (fate === 'no network') throw new TypeError('no network')
    const response = await fetch(input, init)
    if (fate === 'fine') return response
    await response.arrayBuffer()
    throw new TypeError('the answer is lost')
  }

  before(async () => {
    world = await openWorld()
    baseUrl = `http://127.0.0.1:${world.port}`
    const operator = await connectServer({ baseUrl, key: await operatorKey(world.dataDir), now })
    const made = await operator.createGame('Quest')
    game = made.game.id
    server = await connectServer({ baseUrl, key: made.key, now })
    key = await server.issueKey(game, { name: 'game', kind: 'client', algorithm: 'hmac-sha256' })
  })
  after(() => world.close())
  beforeEach(async () => {
    board = (await server.createLeaderboard(game, { name: 'B', ordering: 'desc', unique: false })).id
    const items = new Map<string, string>()
    storage = {
      items,
      getItem: (name) => items.get(name) ?? null,
      setItem: (name, value) => items.set(name, value),
      removeItem: (name) => items.delete(name),
    }
    network = () => 'fine'
    requests = []
    reports = []
  })

  /** A page load. */
  async function load(withKey: MadeKey = key): Promise<PlayerClient> {
    const client = await connect({ baseUrl, key: withKey, storage, now, fetch: device, reconnectMs: 0 })
    return client.asGuest(game, { name: 'Ada' })
  }
  const reporting: OutboxOptions = {
    onSent: ({ score }, { rank }) => reports.push(`${score.score} sent, rank ${rank}`),
    onRefused: ({ score }, { code }) => reports.push(`${score.score} refused: ${code}`),
    onUnknown: ({ score }) => reports.push(`${score.score} unknown`),
  }
  const recorded = async () => (await server.scores(board)).scores.map(({ score }) => score).toSorted()

  it('keeps the guest and their session over page loads, and never the secret of the key', async () => {
    const first = await load()
    await first.rename('Ada the great')
    requests = []
    const second = await load()
    expect(second.player).to.deep.equal({ ...first.player, name: 'Ada the great' })
    expect(requests).to.deep.equal([])
    expect((await second.submit(board, { score: '5' })).player).to.equal(first.player.id)
    expect(requests).to.deep.equal([`/api/lb/${board}/score/`])
    expect([...storage.items].join()).not.to.contain(key.secret)
  })

  it('keeps one guest for two pages that begin at once, and one for each game', async () => {
    const [one, two] = await Promise.all([load(), load()])
    expect(one.player).to.deep.equal(two.player)
    const operator = await connectServer({ baseUrl, key: await operatorKey(world.dataDir), now })
    const other = await operator.createGame('Other')
    const client = await connect({ baseUrl, key: other.key, storage, now })
    expect((await client.asGuest(other.game.id)).player.id).not.to.equal(one.player.id)
    expect((await load()).player).to.deep.equal(one.player)
  })

  it('signs the kept guest in again after the session has ended or the key was replaced', async () => {
    const first = await load()
    world.clock.nowMs += 31 * 24 * HOUR_MS
    expect(await (await load()).me()).to.include({ id: first.player.id })
    await server.signOutPlayer(game, first.player.id)
    expect(await (await load()).me()).to.include({ id: first.player.id })
    const updated = await server.issueKey(game, { name: 'game 2', kind: 'client', algorithm: 'ed25519' })
    expect(await (await load(updated)).me()).to.include({ id: first.player.id })
  })

  it('is signed out over page loads and in other tabs until another guest begins', async () => {
    const client = await connect({ baseUrl, key, storage, now })
    const [first, otherTab] = [await load(), await load()]
    expect((await client.keptGuest(game))?.player).to.deep.equal(first.player)
    expect(await first.signOut()).to.deep.equal({ signed_out: 1 })
    expect([...storage.items].join()).not.to.contain(first.guestToken)
    expect(await client.keptGuest(game)).to.equal(null)
    for (const player of [first, otherTab]) {
      expect(await failureOf(player.me())).to.include({ status: 401, code: 'sign_in_rejected' })
      expect(await failureOf(player.submit(board, { score: '1' }))).to.include({ code: 'sign_in_rejected' })
    }
    expect(await client.keptGuest(game)).to.equal(null)
    const next = await load()
    expect(next.player.id).not.to.equal(first.player.id)
    expect(await failureOf(otherTab.me())).to.include({ code: 'sign_in_rejected' })
    expect((await client.keptGuest(game))?.player).to.deep.equal(next.player)
    const again = await client.asGuest(game, { guestToken: first.guestToken ?? '' })
    expect((await again.me()).id).to.equal(first.player.id)
    expect((await client.keptGuest(game))?.player.id).to.equal(first.player.id)
  })

  it('stays signed in if signing out does not reach the server', async () => {
    const first = await load()
    network = () => 'no network'
    expect(await first.signOut().catch((error: unknown) => error)).to.be.instanceOf(Unreachable)
    network = () => 'fine'
    expect(await (await load()).me()).to.include({ id: first.player.id })
  })

  it('is signed out where the storage takes nothing, too', async () => {
    storage = { ...storage, setItem: () => Promise.reject(new Error('full')) }
    const first = await load()
    await server.signOutPlayer(game, first.player.id)
    expect(await first.me()).to.include({ id: first.player.id })
    await first.signOut()
    expect(await failureOf(first.me())).to.include({ code: 'sign_in_rejected' })
  })

  it('forgets a guest that was deleted, and creates another one at the next page load', async () => {
    const first = await load()
    await server.deletePlayer(game, first.player.id)
    expect(await failureOf((await load()).me())).to.include({ status: 401, code: 'sign_in_rejected' })
    expect((await load()).player.id).not.to.equal(first.player.id)
  })

  it('reports a wrong key at once if no guest is kept, and a missing network', async () => {
    const wrong = { ...key, secret: 'wrong' }
    expect(await failureOf(load(wrong))).to.include({ status: 401, code: 'challenge_rejected' })
    network = () => 'no network'
    expect(await load().catch((error: unknown) => error)).to.be.instanceOf(Unreachable)
  })

  it('begins and submits without a network, and sends everything in order once it is back', async () => {
    await load()
    network = () => 'no network'
    const player = await load()
    const outbox = createOutbox(player, reporting)
    for (const score of ['1', '2', '3']) await outbox.submit(board, { score })
    expect(await outbox.flush()).to.deep.equal({ waiting: 3 })
    outbox.close()
    network = () => 'fine'
    const next = createOutbox(await load(), reporting)
    expect(await next.flush()).to.deep.equal({ waiting: 0 })
    next.close()
    expect(reports).to.deep.equal(['1 sent, rank 1', '2 sent, rank 1', '3 sent, rank 1'])
    expect(await recorded()).to.deep.equal(['1', '2', '3'])
  })

  it('counts a submission once whose answer is lost, also over a page load', async () => {
    const outbox = createOutbox(await load(), reporting)
    network = (path) => (path.endsWith('/score/') ? 'answer lost' : 'fine')
    await outbox.submit(board, { score: '5' })
    expect(await outbox.flush()).to.deep.equal({ waiting: 1 })
    outbox.close()
    network = () => 'fine'
    world.clock.nowMs += 46 * HOUR_MS
    const next = createOutbox(await load(), reporting)
    expect(await next.flush()).to.deep.equal({ waiting: 0 })
    next.close()
    expect([reports, await recorded()]).to.deep.equal([['5 sent, rank 1'], ['5']])
  })

  it('reports a submission with an unknown outcome after 47 hours, and does not send it again', async () => {
    const outbox = createOutbox(await load(), reporting)
    network = (path) => (path.endsWith('/score/') ? 'answer lost' : 'fine')
    await outbox.submit(board, { score: '5' })
    await outbox.submit(board, { score: '6' })
    await outbox.flush()
    outbox.close()
    network = () => 'fine'
    world.clock.nowMs += 47 * HOUR_MS
    const next = createOutbox(await load(), reporting)
    expect(await next.flush()).to.deep.equal({ waiting: 0 })
    next.close()
    expect(reports).to.deep.equal(['5 unknown', '6 sent, rank 1'])
    expect(await recorded()).to.deep.equal(['5', '6'])
  })

  it('sends a submission that was never sent, however old it is', async () => {
    await load()
    network = () => 'no network'
    const outbox = createOutbox(await load(), reporting)
    await outbox.submit(board, { score: '5' })
    await outbox.flush()
    outbox.close()
    network = () => 'fine'
    world.clock.nowMs += 100 * HOUR_MS
    const next = createOutbox(await load(), reporting)
    expect(await next.flush()).to.deep.equal({ waiting: 0 })
    next.close()
    expect([reports, await recorded()]).to.deep.equal([['5 sent, rank 1'], ['5']])
  })

  it('reports an unknown outcome under another key, and sends what was never sent with it', async () => {
    const outbox = createOutbox(await load(), reporting)
    network = (path) => (path.endsWith('/score/') ? 'answer lost' : 'fine')
    await outbox.submit(board, { score: '5' })
    await outbox.submit(board, { score: '6' })
    await outbox.flush()
    outbox.close()
    network = () => 'fine'
    const updated = await server.issueKey(game, { name: 'game 2', kind: 'client', algorithm: 'ed25519' })
    const next = createOutbox(await load(updated), reporting)
    expect(await next.flush()).to.deep.equal({ waiting: 0 })
    next.close()
    expect(reports).to.deep.equal(['5 unknown', '6 sent, rank 1'])
    expect(await recorded()).to.deep.equal(['5', '6'])
  })

  it('reports refusals, and sends what comes after them', async () => {
    const bounded = await server.createLeaderboard(game, { name: 'B', ordering: 'desc', max_score: '10' })
    const outbox = createOutbox(await load(), reporting)
    for (const score of ['11', 'x', '9']) await outbox.submit(bounded.id, { score })
    expect(await outbox.flush()).to.deep.equal({ waiting: 0 })
    outbox.close()
    expect(reports).to.deep.equal(['11 refused: score_above_maximum', 'x refused: malformed', '9 sent, rank 1'])
  })

  it('sends each submission of two tabs once', async () => {
    const [one, two] = [createOutbox(await load(), reporting), createOutbox(await load(), reporting)]
    const scores = Array.from({ length: 10 }, (_, n) => String(n + 1))
    await Promise.all(scores.map((score, n) => (n % 2 === 0 ? one : two).submit(board, { score })))
    await Promise.all([one.flush(), two.flush()])
    for (const outbox of [one, two]) outbox.close()
    expect(reports).to.have.length(10)
    expect((await recorded()).toSorted()).to.deep.equal(scores.toSorted())
    expect(requests.filter((path) => path.endsWith('/score/'))).to.have.length(10)
  })

  it('waits while the server is busy or something else answers', async () => {
    const player = await load()
    let answers = [new Response('<html>', { status: 200 }), new Response('{"code":"busy"}', { status: 503 })]
    const portal: typeof fetch = async (input, init) =>
      (init?.method === 'POST' ? answers.shift() : undefined) ?? fetch(input, init)
    const client = await connect({ baseUrl, key, storage, now, fetch: portal })
    const outbox = createOutbox(await client.asGuest(game), reporting)
    await outbox.submit(board, { score: '5' })
    expect(await outbox.flush()).to.deep.equal({ waiting: 1 })
    answers = []
    expect(await outbox.flush()).to.deep.equal({ waiting: 0 })
    outbox.close()
    expect([await recorded(), player.player.id]).to.deep.equal([['5'], (await client.asGuest(game)).player.id])
  })
})
