// What a call with a long list holds while it runs: its share of the room for bodies, and no long turn to hash it.

import { expect } from 'chai'
import { z } from 'zod'
import { fields } from '../../http/fields.ts'
import { type ListBody, route } from '../../http/route.ts'
import { eventually, gate } from '../until.ts'
import { type Answer, call, type Sent } from './pipeline-calls.ts'
import { createWorld, type World } from './pipeline-world.ts'

const LIST: ListBody = { field: 'submissions', max: 500, maxBytes: 1_048_576, documented: fields({}) }
/** Longer than three times what one body may have without a list: it counts as four. */
const ELEMENTS = Array.from({ length: 200 }, (_, n) => ({ n, text: 'x'.repeat(1_000) }))
const COUNTED = 4

describe('a call with a long list', () => {
  let world: World
  let [entered, mayEnd] = [gate(), gate()]
  let calls = 0

  /** Begins each element as a part of its own. The first call waits until it may end. */
  const listRoute = () =>
    route({
      method: 'POST',
      path: '/api/list/',
      summary: 'A call with a list.',
      needs: 'token',
      tenantOnly: true,
      records: true,
      inParts: true,
      list: LIST,
      body: fields({ submissions: z.array(z.unknown()) }),
      answers: { 200: z.unknown() },
      async handle({ body: { submissions }, header, beginPart }) {
        const key = header('idempotency-key')
        for (const [nth, element] of submissions.entries()) {
          const partKey = key === null ? null : `${key}\n${nth}`
          const part = await beginPart({ key: partKey, meaning: [element], player: null, boardKey: null })
          await part.end()
        }
        entered.open()
        if (++calls === 1) await mayEnd.opened
        return { status: 200, body: { count: submissions.length } }
      },
    })

  const send = (sent: Sent = {}): Promise<Answer> =>
    call(`${world.url}/api/list/`, { method: 'POST', token: 'tenant', body: { submissions: ELEMENTS }, ...sent })

  beforeEach(async () => {
    ;[entered, mayEnd] = [gate(), gate()]
    calls = 0
    const bodies = { perAddress: COUNTED, perProcess: COUNTED }
    world = await createWorld({ routes: [listRoute()], edgeLimits: { bodies } })
  })
  afterEach(() => world.close())

  it('keeps its share of the room for bodies until it is answered, and not only until it is parsed', async () => {
    const first = send()
    await entered.opened
    const refused = await send()
    expect([refused.status, refused.json.code]).to.deep.equal([503, 'server_full'])
    mayEnd.open()
    expect((await first).json).to.deep.equal({ count: ELEMENTS.length })
    // The room is free once the server has closed the response, which its client may read before.
    await eventually(async () => (await send()).status === 200)
  })

  it('keeps no room once it is refused', async () => {
    mayEnd.open()
    const body = { submissions: ELEMENTS, unknown: true }
    expect((await send({ body })).status).to.equal(400)
    await eventually(async () => (await send()).status === 200)
  })

  it('is not hashed as a whole under its Idempotency-Key: each element is hashed by itself', async () => {
    mayEnd.open()
    expect((await send({ headers: { 'idempotency-key': 'the call' } })).status).to.equal(200)
    const longest = Math.max(...ELEMENTS.map((element) => JSON.stringify([element]).length))
    expect(world.hashed).to.have.length(1 + ELEMENTS.length)
    expect(Math.max(...world.hashed.map(({ length }) => length))).to.equal(longest)
  })
})
