// Which routes the router refuses when the server starts.

import { expect } from 'chai'
import { ApiRouter } from '../../http/pipeline/router.ts'

const PLAYER = '/api/gm/:game/players/:player/'
const COUNT = '/api/gm/:game/players/count/'

/** Registers these paths for GET, one after another. */
function registered(...paths: readonly string[]): ApiRouter {
  const router = new ApiRouter()
  for (const path of paths) router.register({ method: 'GET', path }, async () => {})
  return router
}

describe('the route table', () => {
  it('serves a literal segment that is registered before a parameter in its place', () => {
    const router = registered(COUNT, PLAYER)
    expect(router.match('/api/gm/g1/players/count/', 'GET').layer?.name).to.equal(COUNT)
    expect(router.match('/api/gm/g1/players/p1/', 'GET').layer?.name).to.equal(PLAYER)
  })

  it('refuses a literal segment after a parameter in its place, which would answer its calls', () => {
    expect(() => registered(PLAYER, COUNT)).to.throw(`GET ${COUNT} must come before ${PLAYER} in the route table`)
  })

  it('accepts a literal segment after a parameter for another method', () => {
    const router = registered(PLAYER)
    router.register({ method: 'POST', path: COUNT }, async () => {})
    expect(router.match('/api/gm/g1/players/count/', 'POST').layer?.name).to.equal(COUNT)
  })

  it('refuses a path twice for one method', () => {
    expect(() => registered(PLAYER, PLAYER)).to.throw(`GET ${PLAYER} is in the route table twice`)
  })
})
