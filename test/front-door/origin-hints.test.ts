// A page is refused because it was opened by another name of this machine: the log says so, once, and how to fix it.

import { expect } from 'chai'
import { pino } from 'pino'
import { createOriginHints } from '../../http/pipeline/cors.ts'
import { makeGame } from './game-fixtures.ts'
import { must, openWorld, type World } from './world.ts'

const ALLOWED = 'http://localhost:5173'
const REFUSED = 'http://127.0.0.1:5173'
const MESSAGE = 'origin refused: it is allowed by another name of this machine'

describe('hints about a refused origin', () => {
  let world: World
  before(async () => {
    world = await openWorld({ logLevel: 'info' })
    const game = await makeGame(world)
    const body = { cors_origins: [ALLOWED] }
    must(await world.call('PUT', `/api/gm/${game.id}/`, { token: game.token, body }), 200)
  })
  after(() => world.close())

  const preflight = (origin: string) =>
    world.call('OPTIONS', '/api/auth/jwt/challenge/', { headers: { origin, 'access-control-request-method': 'POST' } })
  const hints = () => world.lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === MESSAGE)

  it('logs one hint when the same page is allowed by another name of this machine', async () => {
    expect((await preflight(ALLOWED)).status).to.equal(200)
    for (const _ of [1, 2, 3]) {
      expect((await preflight(REFUSED)).body).to.include({ status: 403, code: 'origin_not_allowed' })
    }
    expect(hints().map(({ origin, allowed, advice }) => ({ origin, allowed, advice }))).to.deep.equal([
      {
        origin: REFUSED,
        allowed: ALLOWED,
        advice: `Open the page at ${ALLOWED}, or allow ${REFUSED} too: scorebook game set --origin ${ALLOWED} ${REFUSED}`,
      },
    ])
  })

  it('logs no hint for an origin on another host or port, or without a URL', async () => {
    const before = hints().length
    for (const origin of ['https://evil.example', 'http://127.0.0.1:5174', 'https://127.0.0.1:5173', 'null']) {
      expect((await preflight(origin)).status).to.equal(403)
    }
    expect(hints()).to.have.length(before)
  })

  it('logs hints for at most 100 origins', async () => {
    const lines: string[] = []
    const hint = createOriginHints(pino({ base: null }, { write: (line: string) => void lines.push(line) }))
    for (let port = 1; port <= 150; port++) await hint(`http://127.0.0.1:${port}`, async () => true)
    expect(lines).to.have.length(100)
  })
})
