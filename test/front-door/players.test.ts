// Players, as the tenant creates, finds and renames them, and as they see themselves.

import { expect } from 'chai'
import { clientToken, type MadeGame, makeGame, makePlayer, signInGuest } from './game-fixtures.ts'
import type { Body } from './http-client.ts'
import { answerCode, openTenant, type Tenant } from './tenant.ts'
import { must, type World } from './world.ts'

const ID = /^[a-z2-7]{24}$/

describe('players', () => {
  let world: World
  let game: MadeGame
  let get: Tenant['get']
  let post: Tenant['post']
  let put: Tenant['put']
  let allOf: Tenant['allOf']
  let nowText: Tenant['nowText']

  before(async () => {
    ;({ world, game, get, post, put, allOf, nowText } = await openTenant())
  })

  const path = () => `/api/gm/${game.id}/players/`

  it('creates, reads and renames a player in exactly these fields', async () => {
    const made = must(await post(path(), { name: 'Ad\u0061\u0308', external_id: 'steam:1' }), 201)
    expect(made).to.deep.equal({
      id: made.id,
      name: 'Adä',
      created: nowText(),
      guest: false,
      external_id: 'steam:1',
      banned: null,
    })
    expect(made.id).to.match(ID)
    expect(must(await get(`${path()}${made.id}/`), 200)).to.deep.equal(made)
    expect(must(await put(`${path()}${made.id}/`, { name: 'Eve' }), 200)).to.deep.equal({ ...made, name: 'Eve' })
    expect(must(await put(`${path()}${made.id}/`, {}), 200)).to.deep.equal({ ...made, name: 'Eve' })
  })

  it('gives an external id to one player of a game, also among simultaneous calls', async () => {
    const body = { name: 'A', external_id: 'raced' }
    const answers = await Promise.all(Array.from({ length: 16 }, () => post(path(), body)))
    const codes = answers.map((answer) => answer.body.code ?? answer.status)
    expect(codes.filter((code) => code === 201)).to.have.length(1)
    expect(codes.filter((code) => code === 'external_id_taken')).to.have.length(15)
    const other = await makeGame(world)
    expect((await post(`/api/gm/${other.id}/players/`, body, other.token)).status).to.equal(201)
  })

  it('includes guests, and shows them themselves in fewer fields', async () => {
    const guest = await signInGuest(world, game, await clientToken(world, game), 'Gus')
    const shown = must(await get(`${path()}${guest.id}/`), 200)
    expect(shown).to.include({ name: 'Gus', guest: true, external_id: null, banned: null })
    const me = must(await get(`/api/gm/${game.id}/player/me/`, guest.token), 200)
    expect(me).to.deep.equal({ id: guest.id, name: 'Gus', created: shown.created, guest: true })
    const renamed = await world.call('PUT', `/api/gm/${game.id}/player/me/`, {
      token: guest.token,
      body: { name: 'Max' },
    })
    expect(must(renamed, 200)).to.deep.equal({ ...me, name: 'Max' })
  })

  it('finds players by part of their name, in any case, in the order of creation', async () => {
    const own = await makeGame(world)
    for (const name of ['Alba', 'Bob', 'ÅLAND', '%', 'balalaika']) {
      await makePlayer(world, own, name)
      world.clock.nowMs += 1
    }
    const found = async (part: string) =>
      must(await get(`/api/gm/${own.id}/players/?name=${encodeURIComponent(part)}`, own.token), 200).players.map(
        ({ name }: Body) => name,
      )
    expect(await found('AL')).to.deep.equal(['Alba', 'balalaika'])
    expect(await found('åla')).to.deep.equal(['ÅLAND'])
    expect(await found('%')).to.deep.equal(['%'])
    expect(await found('_')).to.deep.equal([])
    const listed = await allOf(`/api/gm/${own.id}/players/`, 'players', own.token)
    expect(listed.map(({ name }) => name)).to.deep.equal(['Alba', 'Bob', 'ÅLAND', '%', 'balalaika'])
  })

  it('answers 404 for a player of another game', async () => {
    const other = await makeGame(world)
    const stranger = await makePlayer(world, other)
    for (const answer of [await get(`${path()}${stranger}/`), await put(`${path()}${stranger}/`, { name: 'X' })]) {
      expect(answerCode(answer)).to.equal('404 player_not_found')
    }
  })
})
