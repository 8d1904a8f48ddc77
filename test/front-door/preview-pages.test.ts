// The pages of who moves under other rules, over HTTP: what changes between two pages shows in the next one.

import { expect } from 'chai'
import { keyToken, makeBoard, makeKey, makePlayer } from './game-fixtures.ts'
import type { Answered, Body } from './http-client.ts'
import { answerCode, openTenant, type Tenant } from './tenant.ts'
import { must, tokenOf } from './world.ts'

const PLAYERS = 7

describe('the pages of a preview', () => {
  let tenant: Tenant
  let board: string

  beforeEach(async () => {
    tenant = await openTenant()
    const { world, game } = tenant
    board = await makeBoard(world, game, { ordering: 'desc' })
    for (let n = 0; n < PLAYERS; n++) {
      const player = await makePlayer(world, game, `Player ${n}`)
      must(await tenant.post(`/api/lb/${board}/score/`, { player, score: String(n) }), 201)
    }
  })

  const page = (token: string, offset: number, limit = 2): Promise<Answered> =>
    tenant.post(`/api/lb/${board}/preview/?limit=${limit}&offset=${offset}`, { ordering: 'asc' }, token)
  const listed = async (token: string, offset: number): Promise<string[]> =>
    must(await page(token, offset), 200).movers.map(({ player }: Body) => player)

  it('are refused to a caller who has lost the permission, and answered to others', async () => {
    const { world, game } = tenant
    const manager = await makeKey(world, game, { permissions: [`lb:${board}:configure`] })
    const token = await tokenOf(world, manager)
    expect(await listed(token, 0)).to.have.length(2)
    expect(await listed(token, 2)).to.have.length(2)
    must(await tenant.put(`/api/gm/${game.id}/keys/${manager.prefix}/`, { permissions: ['lb:*:scores'] }), 200)
    expect(answerCode(await page(token, 2))).to.equal('403 permission_needed')
    expect(await listed(game.token, 2)).to.have.length(2)
    const stranger = await openTenant()
    expect((await page(stranger.game.token, 2)).status).to.be.oneOf([403, 404])
  })

  it('leave out who was banned or deleted after the first page by another caller', async () => {
    const { world, game } = tenant
    const reader = await keyToken(world, game, { permissions: [`lb:${board}:configure`] })
    const all = must(await page(reader, 0, 100), 200).movers.map(({ player }: Body) => player)
    expect(all).to.have.length(PLAYERS - 1)
    const [first, , banned, , deleted] = all
    must(await tenant.post(`/api/gm/${game.id}/players/${banned}/ban/`, {}), 200)
    for (const offset of [2, 4]) expect(await listed(reader, offset), 'banned').to.not.include(banned)
    must(await tenant.remove(`/api/gm/${game.id}/players/${deleted}/`), 200)
    for (const offset of [2, 4]) expect(await listed(reader, offset), 'deleted').to.not.include(deleted)
    must(await tenant.post(`/api/gm/${game.id}/players/${first}/ban/`, {}), 200)
    const { top, entries_before: entries } = must(await page(reader, 2), 200)
    expect(entries).to.equal(PLAYERS - 3)
    expect(top.map(({ player }: Body) => player)).to.not.include(first)
  })

  it('summarise on request who moves, enters and leaves, with the first three before and after', async () => {
    const path = `/api/lb/${board}/preview/?summary=1`
    const change = { ordering: 'asc', min_score: '2' }
    const places = (found: Body[]) => found.map(({ player_name: name, score }) => [name, score])
    for (const query of ['', '&limit=2', '&limit=2&offset=2']) {
      const { summary } = must(await tenant.post(path + query, change), 200)
      const { podium, ...counts } = summary
      expect(counts, query).to.deep.equal({ moved: 4, entered: 0, left: 2 })
      const before = ['6', '5', '4'].map((score) => [`Player ${score}`, score])
      const after = ['2', '3', '4'].map((score) => [`Player ${score}`, score])
      expect([places(podium.before), places(podium.after)], query).to.deep.equal([before, after])
    }
    const plain = must(await tenant.post(`/api/lb/${board}/preview/`, change), 200)
    expect(Object.keys(plain)).to.deep.equal(['entries_before', 'entries_after', 'changed', 'top'])
    expect(answerCode(await tenant.post(`/api/lb/${board}/preview/?summary=0`, change))).to.equal('400 malformed')
  })

  it('include what the same caller has submitted since the first page', async () => {
    const { world, game } = tenant
    expect(must(await page(game.token, 0), 200).entries_before).to.equal(PLAYERS)
    const player = await makePlayer(world, game, 'Late')
    must(await tenant.post(`/api/lb/${board}/score/`, { player, score: '100' }), 201)
    expect(must(await page(game.token, 2), 200).entries_before).to.equal(PLAYERS + 1)
  })
})
