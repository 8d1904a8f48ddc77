// A path that names a leaderboard by its key: when it is looked up, and what is checked before and after.

import { expect } from 'chai'
import { z } from 'zod'
import { fields } from '../../http/fields.ts'
import { route } from '../../http/route.ts'
import { type Answer, call, type Sent } from './pipeline-calls.ts'
import { createWorld, type World } from './pipeline-world.ts'

const ID = 'k3vq2mzt5wx4bn6r7yjhdfga'

describe('a path with the key of a leaderboard', () => {
  let world: World
  let lookedUp: string[]
  beforeEach(async () => {
    world = await createWorld({ routes: [partRoute()] })
    lookedUp = []
    const { boardKeys } = world
    const get = boardKeys.get.bind(boardKeys)
    boardKeys.get = (key) => {
      lookedUp.push(key)
      return get(key)
    }
  })
  afterEach(() => world.close())

  /** Begins one part that names a leaderboard by a key. */
  const partRoute = () =>
    route({
      method: 'POST',
      path: '/api/part/',
      summary: 'A call with a part.',
      needs: 'token',
      tenantOnly: true,
      records: true,
      inParts: true,
      body: fields({ key: z.string() }),
      answers: { 200: z.unknown() },
      async handle({ body: { key }, beginPart }) {
        const boardKey = { key: 'weekly', board: world.boardKeys.get('weekly') ?? null }
        const part = await beginPart({ key: key === '' ? null : key, meaning: [], player: null, boardKey })
        await part.end()
        return { status: 200, body: {} }
      },
    })

  const send = (given: string, sent: Sent = {}) =>
    call(`${world.url}/api/lb/${given}/score/`, { token: 'tenant', ...sent })
  const submit = (given: string, headers: Record<string, string> = {}) =>
    send(given, { method: 'POST', body: { score: '1' }, headers })
  const shown = ({ status, json }: Answer) => [status, json.code]

  it('is looked up once, and one with an id never', async () => {
    for (const given of [ID, 'NotAKey', 'a_b', 'x']) await send(given)
    expect(lookedUp).to.deep.equal([])
    await send('weekly')
    await submit('weekly')
    expect(lookedUp).to.deep.equal(['weekly', 'weekly'])
  })

  it('is looked up in the game of the token, and never for the operator', async () => {
    expect((await send('weekly', { token: 'operator' })).json).to.include({ status: 403, needed: 'lb:weekly:scores' })
    expect(lookedUp).to.deep.equal([])
  })

  it('is called with the id', async () => {
    world.boardKeys.set('weekly', { board: 'none', since: '' })
    expect(shown(await submit('weekly'))).to.deep.equal([404, 'leaderboard_not_found'])
  })

  it('waits for the write that X-Consistency-Token names before it is looked up', async () => {
    world.reached.set('g1', '004')
    const written = await submit(ID)
    const headers = { 'x-consistency-token': written.headers.get('x-consistency-token') ?? '' }
    lookedUp.length = 0
    expect(shown(await send('weekly', { token: 'client', headers }))).to.deep.equal([503, 'behind'])
    expect(lookedUp).to.deep.equal([])
    world.reached.set('g1', '005')
    expect((await send('weekly', { token: 'client', headers })).status).to.equal(200)
  })

  it('is refused for its permission before an invalid X-Consistency-Token is', async () => {
    const headers = { 'x-consistency-token': 'nonsense' }
    expect(shown(await send('weekly', { token: 'bare', headers }))).to.deep.equal([403, 'permission_needed'])
    expect(shown(await send('weekly', { headers }))).to.deep.equal([400, 'consistency_token_unknown'])
  })

  it('with an Idempotency-Key waits until this node knows every call before the key got its leaderboard', async () => {
    world.boardKeys.set('weekly', { board: 'b1', since: '005' })
    world.reached.set('g1', '004')
    const keyed = { 'idempotency-key': 'k' }
    const late = await submit('weekly', keyed)
    expect([...shown(late), late.headers.get('retry-after')]).to.deep.equal([503, 'behind', '1'])
    expect(world.recorded.size, 'nothing was recorded').to.equal(0)
    expect((await submit('weekly')).status, 'a call that is not repeated').to.equal(201)
    world.reached.set('g1', '005')
    expect((await submit('weekly', keyed)).status).to.equal(201)
  })

  it('in a part with an idempotency key makes that part wait too', async () => {
    const inPart = (key: string) => call(`${world.url}/api/part/`, { token: 'tenant', method: 'POST', body: { key } })
    world.boardKeys.set('weekly', { board: 'b1', since: '005' })
    world.reached.set('g1', '004')
    expect(shown(await inPart('k'))).to.deep.equal([503, 'behind'])
    expect((await inPart('')).status, 'a part without a key').to.equal(200)
    world.reached.set('g1', '005')
    expect((await inPart('k')).status).to.equal(200)
  })
})
