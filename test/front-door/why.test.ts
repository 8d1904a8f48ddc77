// The events that explain a score, over HTTP.

import { expect } from 'chai'
import { eventually } from '../until.ts'
import { makeBoard, makePlayer } from './game-fixtures.ts'
import type { Body } from './http-client.ts'
import { answerCode, openTenant, type Tenant } from './tenant.ts'
import { must, type World } from './world.ts'

const EVENT_FIELDS = ['position', 'stream', 'revision', 'id', 'type', 'time', 'data', 'meta']

describe('the explanation of a score', () => {
  let tenant: Tenant
  let world: World
  let board: string

  before(async () => {
    tenant = await openTenant()
    world = tenant.world
    board = await makeBoard(world, tenant.game)
  })

  const submit = (player: string, score: string) => tenant.post(`/api/lb/${board}/score/`, { player, score })
  const why = async (id: string) => must(await tenant.get(`/api/score/${id}/why/`), 200)
  const effects = ({ events: list }: Body) => list.map(({ effect, event }: Body) => [effect, event.data.score ?? null])

  it('tells an operator the permission that it needs for any game', async () => {
    const { status, body } = await tenant.get('/api/score/none/why/', tenant.operator)
    expect([status, body.code, body.needed]).to.deep.equal([403, 'permission_needed', 'gm:*:history'])
  })

  it('lists the events that made the score', async () => {
    const player = await makePlayer(world, tenant.game)
    const { id: first } = must(await submit(player, '7'), 201)
    must(await submit(player, '6'), 200)
    must(await submit(player, '9'), 200)
    const explained = await why(first)
    expect(explained).to.include({ score: first, leaderboard: board, player, hidden: false, left_out: 0 })
    expect(effects(explained)).to.deep.equal([
      ['rules', null],
      ['began', '7'],
      ['improved', '9'],
    ])
    expect(Object.keys(explained.events[0].event)).to.deep.equal(EVENT_FIELDS)
    must(await tenant.post(`/api/gm/${tenant.game.id}/players/${player}/ban/`, { reason: 'unfair' }), 200)
    const hidden = await why(first)
    expect([hidden.hidden, effects(hidden).slice(3)]).to.deep.equal([true, [['hidden', null]]])
    must(await tenant.post(`/api/gm/${tenant.game.id}/players/${player}/unban/`, {}), 200)
    must(await tenant.remove(`/api/score/${first}/`), 200)
    expect(answerCode(await tenant.get(`/api/score/${first}/why/`))).to.equal('404 score_not_found')
    const { id: second } = must(await submit(player, '2'), 201)
    const again = await why(second)
    expect(effects(again)).to.deep.equal([
      ['rules', null],
      ['removed', null],
      ['began', '2'],
    ])
  })

  it('lists the remaining submissions after one was deleted while each was an entry', async () => {
    const player = await makePlayer(world, tenant.game)
    const changing = await makeBoard(world, tenant.game, { unique: false })
    const made: Body[] = []
    for (const score of ['5', '9', '7', '8'])
      made.push(must(await tenant.post(`/api/lb/${changing}/score/`, { player, score }), 201))
    must(await tenant.remove(`/api/score/${made[1].submitted}/`), 200)
    must(await tenant.put(`/api/lb/${changing}/`, { unique: true }), 202)
    const ended = async () => must(await tenant.get(`/api/lb/${changing}/rebuild/`), 200).finished !== null
    await eventually(ended)
    expect(effects(await why(made[0].submitted))).to.deep.equal([
      ['rules', null],
      ['began', '5'],
      ['improved', '7'],
      ['improved', '8'],
      ['removed', null],
      ['rules', null],
    ])
    must(await tenant.put(`/api/lb/${changing}/`, { unique: false }), 202)
    await eventually(ended)
    must(await tenant.remove(`/api/score/${made[0].submitted}/`), 200)
    expect(effects(await why(made[2].submitted))).to.deep.equal([
      ['rules', null],
      ['began', '7'],
      ['rules', null],
      ['rules', null],
    ])
  })

  it('lists only the own submission on a board that is not unique', async () => {
    const all = await makeBoard(world, tenant.game, { unique: false })
    const player = await makePlayer(world, tenant.game)
    const made = async (score: string) => must(await tenant.post(`/api/lb/${all}/score/`, { player, score }), 201)
    const [one, two] = [await made('1'), await made('2')]
    expect(effects(await why(one.id))).to.deep.equal([
      ['rules', null],
      ['began', '1'],
    ])
    expect(effects(await why(two.id))).to.deep.equal([
      ['rules', null],
      ['began', '2'],
    ])
  })
})
