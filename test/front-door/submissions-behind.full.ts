// A submission to a node whose views do not show in time what happened before it.

import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { rulesOf } from '../rules.ts'
import { makeBoard } from './game-fixtures.ts'
import { openSignInApi } from './sign-in-api.ts'
import { SIGN_IN_METHODS, type SignInMethod } from './sign-in-methods.ts'
import { type Nodes, openNodes } from './two-nodes.ts'
import { must } from './world.ts'

describe('a submission to a node whose views lag', () => {
  let nodes: Nodes

  beforeEach(async () => {
    nodes = await openNodes()
  })
  afterEach(() => nodes.close())

  it('is answered by the rules in force where it is recorded, of which the views know nothing', async () => {
    const { a, b, log } = nodes
    const api = await openSignInApi(a)
    const board = await makeBoard(a, api.game)
    const { token } = await (SIGN_IN_METHODS.guest as SignInMethod)(api, async () => '')
    const submit = (score: string) => b.call('POST', `/api/lb/${board}/score/`, { token, body: { score } })
    await b.caughtUp()
    expect(must(await submit('10'), 201)).to.include({ score: '10', improved: true })
    await b.caughtUp()
    await b.stall()
    const change = { change: 'c1', generation: 2, rules: { ...rulesOf(true), ordering: 'asc' } }
    const [{ meta } = expect.fail('there is no leaderboard')] = await log.readStream(`board-${board}`, 0, 1)
    const event = (type: string, data: object) => ({ id: randomUUID(), type, data: { ...change, ...data }, meta })
    await log.append(`board-${board}`, 0, [
      event('LeaderboardRulesRequested', {}),
      event('LeaderboardRulesChanged', { after: null, replaces: 1 }),
    ])
    expect(must(await submit('20'), 200)).to.include({ score: '10', improved: false })
    b.goOn()
  })
})
