// Links that open the console signed in: who may create one, and what its code is worth.

import { expect } from 'chai'
import { ON_SERVERS } from '../servers/store-urls.ts'
import { keyToken, makeKey } from './game-fixtures.ts'
import { answerCode, openTenant, type Tenant } from './tenant.ts'
import { must, openWorld, tokenOf, type World } from './world.ts'

const REJECTED = '401 sign_in_rejected'

describe('a link to the console', () => {
  let world: World
  let tenant: Tenant
  before(async () => {
    world = await openWorld()
    tenant = await openTenant(world)
  })
  after(() => world.close())

  const link = (token: string) => world.call('POST', '/api/console/link/', { token })
  const codeOf = async (token: string): Promise<string> => must(await link(token), 201).code
  const redeem = (code: unknown) => world.call('POST', '/api/console/redeem/', { body: { code } })

  it('gives a token with the permissions and the expiry of the one that created it, once', async () => {
    const permissions = [`gm:${tenant.game.id}:details`, 'lb:*:scores']
    const token = await keyToken(world, tenant.game, { permissions })
    const created = Math.floor(world.clock.nowMs / 1_000)
    world.clock.nowMs += 1_800_000
    const made = await link(token)
    expect([made.status, Object.keys(made.body), made.body.expires_in]).to.deep.equal([201, ['code', 'expires_in'], 30])
    const { token: second, ...rest } = must(await redeem(made.body.code), 200)
    expect(rest).to.deep.equal({ expires_at: created + 3_600, permissions, declined: [] })
    expect(second).to.not.equal(token)
    expect((await tenant.get(`/api/gm/${tenant.game.id}/`, second)).status).to.equal(200)
    expect(answerCode(await tenant.get(`/api/gm/${tenant.game.id}/keys/`, second))).to.equal('403 permission_needed')
    expect(answerCode(await redeem(made.body.code))).to.equal(REJECTED)
    world.clock.nowMs += 1_800_000
    expect(answerCode(await tenant.get(`/api/gm/${tenant.game.id}/`, second))).to.equal('401 token_rejected')
  })

  it('works for the operator, and not for a client key', async () => {
    tenant = await openTenant(world)
    const { token } = must(await redeem(await codeOf(tenant.operator)), 200)
    expect((await world.call('GET', '/api/gm/', { token })).status).to.equal(200)
    const client = await keyToken(world, tenant.game, { kind: 'client' })
    expect(answerCode(await link(client))).to.equal('403 tenant_only')
  })

  it('expires after 30 seconds', async () => {
    const [early, late] = [await codeOf(tenant.game.token), await codeOf(tenant.game.token)]
    world.clock.nowMs += 29_999
    expect((await redeem(early)).status).to.equal(200)
    world.clock.nowMs += 1
    expect(answerCode(await redeem(late))).to.equal(REJECTED)
  })

  it('is rejected in the same way if its code was never issued', async () => {
    for (const code of ['x', 'A'.repeat(43), 'A'.repeat(128), '-']) {
      expect([code, answerCode(await redeem(code))]).to.deep.equal([code, REJECTED])
    }
    for (const code of ['', 'A'.repeat(129), 7, null]) {
      expect(answerCode(await redeem(code))).to.equal('400 malformed')
    }
  })

  it('ends with its key, before and after it is redeemed', async () => {
    const key = await makeKey(world, tenant.game)
    const own = await tokenOf(world, key)
    const code = await codeOf(own)
    const { token } = must(await redeem(await codeOf(own)), 200)
    must(await tenant.remove(`/api/gm/${tenant.game.id}/keys/${key.prefix}/`), 200)
    expect(answerCode(await redeem(code))).to.equal(REJECTED)
    expect(answerCode(await tenant.get(`/api/gm/${tenant.game.id}/`, token))).to.equal('401 token_rejected')
  })

  it('is refused with 429 while its key has 100 unused ones, where secrets are in memory; Redis has its own limit', async () => {
    const token = await keyToken(world, tenant.game)
    for (let n = 0; n < 100; n++) must(await link(token), 201)
    const another = await link(token)
    if (ON_SERVERS) expect(another.status).to.equal(201)
    else expect(answerCode(another)).to.equal('429 rate_limited')
    expect((await link(tenant.game.token)).status).to.equal(201)
  })

  it('does not exist with CONSOLE=off', async () => {
    await world.restart({ console: false })
    for (const path of ['/api/console/link/', '/api/console/redeem/']) {
      expect(answerCode(await world.call('POST', path, { body: {} }))).to.equal('404 not_found')
    }
  })
})
