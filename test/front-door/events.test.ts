// The event history of a game over HTTP: exported, filtered, resumed and followed.

import { expect } from 'chai'
import { EVENT_TYPES } from '../../domain/event-types.ts'
import { turn } from '../until.ts'
import { keyToken, makeBoard, makeGame, makeKey, makePlayer } from './game-fixtures.ts'
import type { Body } from './http-client.ts'
import { openLines } from './lines.ts'
import { answerCode, openTenant, type Tenant } from './tenant.ts'
import { must, openWorld, tokenOf, type World } from './world.ts'

const EVENT_FIELDS = ['position', 'stream', 'revision', 'id', 'type', 'time', 'data', 'meta']

describe('the event history of a game', () => {
  let tenant: Tenant
  let world: World
  let path: string
  let board: string
  let ada: string
  let bob: string

  before(async () => {
    tenant = await openTenant()
    world = tenant.world
    path = `/api/gm/${tenant.game.id}/events/`
    board = await makeBoard(world, tenant.game)
    ada = await makePlayer(world, tenant.game, 'Ada')
    bob = await makePlayer(world, tenant.game, 'Bob')
    for (const score of ['1', '3', '2']) await submit(ada, score)
    await submit(bob, '5')
  })

  const submit = (player: string, score: string) =>
    tenant.post(`/api/lb/${board}/score/`, { player, score, player_name: `by ${player}` })
  const events = async (query = ''): Promise<Body[]> =>
    (await openLines(world.port, path + query, tenant.game.token)).all()
  const types = (list: readonly Body[]) => list.map(({ type }) => type)
  const refused = async (query: string, at = path, token?: string) => answerCode(await tenant.get(at + query, token))

  it('streams all events in log order, one event per line', async () => {
    const lines = await openLines(world.port, path, tenant.game.token)
    expect([lines.status, lines.contentType]).to.deep.equal([200, 'application/x-ndjson'])
    const all = await lines.all()
    for (const event of all) {
      expect(Object.keys(event)).to.deep.equal(EVENT_FIELDS)
      expect([event.meta.game, event.meta.time]).to.deep.equal([tenant.game.id, event.time])
    }
    const positions = all.map(({ position }) => position)
    expect([...positions].sort()).to.deep.equal(positions)
    expect(new Set(positions).size).to.equal(positions.length)
    expect(types(all).slice(0, 2)).to.deep.equal(['GameCreated', 'KeyIssued'])
    expect(types(all).slice(-4)).to.deep.equal(Array(4).fill('ScoreSubmitted'))
    expect(all.at(-1).data).to.include({ score: '5', playerName: `by ${bob}` })
    expect(all.find(({ type }) => type === 'PlayerCreated').data.name).to.equal('Ada')
  })

  it('answers the same lines as text to a caller that accepts text and no NDJSON', async () => {
    const url = `http://127.0.0.1:${world.port}${path}?type=ScoreSubmitted`
    const read = async (accept: string) => {
      const answer = await fetch(url, { headers: { authorization: `Bearer ${tenant.game.token}`, accept } })
      return { type: answer.headers.get('content-type'), text: await answer.text() }
    }
    const lines = await read('*/*')
    expect(lines.type).to.equal('application/x-ndjson')
    expect(lines.text.trimEnd().split('\n')).to.have.length(4)
    const asText = { type: 'text/plain; charset=utf-8', text: lines.text }
    for (const accept of ['text/plain', 'text/*, application/problem+json', 'text/plain, application/x-ndjson;q=0'])
      expect(await read(accept), accept).to.deep.equal(asText)
    const others = ['application/json', 'application/json, text/plain, */*', 'text/plain, application/x-ndjson;q=0.1']
    for (const accept of others) expect(await read(accept), accept).to.deep.equal(lines)
  })

  it('filters by type, board, player, time and number', async () => {
    const all = await events()
    expect(types(await events('?type=ScoreSubmitted'))).to.have.length(4)
    expect(await events(`?player=${bob}`)).to.deep.equal(all.filter(({ meta }) => meta.player === bob))
    expect(await events(`?board=${board}`)).to.deep.equal(all.filter(({ meta }) => meta.board === board))
    expect(await events(`?board=${board}&player=${ada}&limit=2`)).to.deep.equal(
      all.filter(({ meta }) => meta.board === board && meta.player === ada).slice(0, 2),
    )
    const [first, last] = [all[0].time, all.at(-1).time]
    expect(await events(`?since=${last}`)).to.deep.equal(all.filter(({ time }) => time >= last))
    expect(await events(`?since=${first}&until=${last}`)).to.deep.equal(all.filter(({ time }) => time < last))
  })

  it('finds all events that one call recorded by the X-Request-Id of its answer', async () => {
    const made = await tenant.post(`/api/gm/${tenant.game.id}/players/`, { name: 'Cem', external_id: 'cem' })
    const request = made.headers['x-request-id']
    expect((await events(`?request=${request}`)).map(({ type }) => type)).to.deep.equal([
      'ExternalClaimed',
      'PlayerCreated',
    ])
    const improved = await submit(bob, '6')
    const own = await events(`?request=${improved.headers['x-request-id']}`)
    expect(own.map(({ type, data }) => [type, data.score])).to.deep.equal([['ScoreSubmitted', '6']])
    expect(await events(`?request=${request}&type=ScoreSubmitted`)).to.deep.equal([])
    expect(await refused('?request=a%20b')).to.equal('400 malformed')
  })

  it('refuses an unknown event type with 400 that names the parameter and every known type', async () => {
    const answer = await tenant.get(`${path}?type=Nope`)
    expect([answer.status, answer.body.code]).to.deep.equal([400, 'malformed'])
    expect(answer.body.errors).to.have.length(1)
    expect(answer.body.errors[0].pointer).to.equal('/type')
    for (const type of EVENT_TYPES) expect(answer.body.errors[0].detail).to.contain(type)
  })

  it('continues from any position', async () => {
    const all = await events()
    for (const [index, { position }] of all.entries()) {
      expect(await events(`?from=${position}`)).to.deep.equal(all.slice(index + 1))
    }
    const other = await makeGame(world)
    const [elsewhere] = await (await openLines(world.port, `/api/gm/${other.id}/events/`, other.token)).all()
    expect(await events(`?from=${elsewhere.position}`)).to.deep.equal([])
  })

  it('refuses invalid positions, conflicting parameters, and boards of another game', async () => {
    const { position } = (await events()).at(-1)
    const beyond = position.startsWith('f') ? position : position.replace(/^./, 'e')
    for (const from of ['x', '0', beyond, `${position}0`]) {
      expect([from, await refused(`?from=${from}`)]).to.deep.equal([from, '400 malformed'])
    }
    for (const query of ['?limit=0', '?limit=1000001', '?follow=0', '?follow=true', '?type=a-b', '?x=1', '?since=x']) {
      expect([query, await refused(query)]).to.deep.equal([query, '400 malformed'])
    }
    expect(await refused('?since=2026-01-02&until=2026-01-01')).to.equal('400 malformed')
    const conflict = '400 conflicting_parameters'
    expect(await refused(`?from=${position}&since=2026-01-01`)).to.deep.equal(conflict)
    expect(await refused('?follow=1&until=2026-01-01')).to.deep.equal(conflict)
    const other = await makeGame(world)
    const theirs = await makeBoard(world, other)
    for (const id of [theirs, 'nothing']) {
      expect(await refused(`?board=${id}`)).to.equal('404 leaderboard_not_found')
    }
  })

  it('shows the events of an archived board', async () => {
    const archived = await makeBoard(world, tenant.game)
    must(await tenant.remove(`/api/lb/${archived}/`), 200)
    expect(types(await events(`?board=${archived}`))).to.deep.equal(['LeaderboardCreated', 'LeaderboardArchived'])
  })

  it('shows no secret, and no text of a deleted player', async () => {
    const carol = await makePlayer(world, tenant.game, 'Carol-to-go')
    await submit(carol, '4')
    expect(JSON.stringify(await events()))
      .to.include('Carol-to-go')
      .and.include(`by ${carol}`)
    must(await tenant.remove(`/api/gm/${tenant.game.id}/players/${carol}/`), 200)
    const text = async () => JSON.stringify(await events())
    // The key is destroyed, or the view cleared, once the reaction to the deletion has read it.
    while (/Carol-to-go/.test(await text())) await turn()
    const ofCarol = await events(`?player=${carol}`)
    expect(ofCarol.find(({ type }) => type === 'PlayerCreated').data.name).to.equal(null)
    expect(ofCarol.find(({ type }) => type === 'ScoreSubmitted').data.playerName).to.equal(null)
    const body = { name: 'k', kind: 'server', algorithm: 'hmac-sha256' }
    const { secret } = must(await tenant.post(`/api/gm/${tenant.game.id}/keys/`, body), 201)
    expect(await text()).to.not.include(secret)
  })

  it('follows new events, and resumes without a gap or a repetition', async () => {
    const [{ position }] = (await events()).slice(-1)
    const follower = await openLines(
      world.port,
      `${path}?follow=1&from=${position}&type=ScoreSubmitted`,
      tenant.game.token,
    )
    const scores = ['11', '12', '13']
    const received: Body[] = []
    for (const score of scores) {
      await submit(ada, score)
      received.push(await follower.next())
    }
    expect(received.map(({ data }) => data.score)).to.deep.equal(scores)
    follower.close()
    const again = `${path}?follow=1&from=${received[0].position}&type=ScoreSubmitted&limit=2`
    expect(await (await openLines(world.port, again, tenant.game.token)).all()).to.deep.equal(received.slice(1))
  })

  it('ends a follower in order when its key is revoked or loses the permission', async () => {
    for (const how of ['revoke', 'narrow']) {
      const key = await makeKey(world, tenant.game)
      const follower = await openLines(world.port, `${path}?follow=1`, await tokenOf(world, key))
      await follower.next()
      const keyPath = `/api/gm/${tenant.game.id}/keys/${key.prefix}/`
      if (how === 'revoke') must(await tenant.remove(keyPath), 200)
      else must(await tenant.put(keyPath, { permissions: ['lb:*:*'] }), 200)
      // The answer ends in order and is not cut.
      await follower.all()
    }
  })

  it('refuses the 21st follower of a game with 429, and admits another one after a follower leaves', async () => {
    const game = await makeGame(world)
    const open = () => openLines(world.port, `/api/gm/${game.id}/events/?follow=1`, game.token)
    const followers = await Promise.all(Array.from({ length: 20 }, open))
    expect(followers.map(({ status }) => status)).to.deep.equal(Array(20).fill(200))
    expect((await open()).status).to.equal(429)
    const own = await openLines(world.port, `${path}?follow=1`, tenant.game.token)
    expect(own.status).to.equal(200)
    own.close()
    followers.pop()?.close()
    let next = await open()
    while (next.status === 429) next = await open()
    expect(next.status).to.equal(200)
    for (const follower of [...followers, next]) follower.close()
  })

  it('refuses client keys, and server keys without the history permission, with 403', async () => {
    const without = await keyToken(world, tenant.game, { permissions: ['lb:*:*'] })
    expect(await refused('', path, without)).to.equal('403 permission_needed')
    const client = await keyToken(world, tenant.game, { kind: 'client', permissions: ['gm:*:*'] })
    expect(await refused('?follow=1', path, client)).to.equal('403 tenant_only')
  })
})

describe('the event history of a stopping node', () => {
  it('ends its followers in order within nine seconds', async () => {
    const world = await openWorld()
    const game = await makeGame(world)
    const follower = await openLines(world.port, `/api/gm/${game.id}/events/?follow=1`, game.token)
    await follower.next()
    const startedMs = performance.now()
    await Promise.all([follower.all(), world.close()])
    // An answer that does not end by itself would be cut after ten seconds.
    expect(performance.now() - startedMs).to.be.below(9_000)
  })
})
