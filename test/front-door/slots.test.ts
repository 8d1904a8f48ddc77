// The maximum number of keys and buckets of a game, over HTTP. Leaderboards use the same code with a maximum of 10,000.

import { expect } from 'chai'
import { answerCode, openTenant, type Tenant } from './tenant.ts'
import { must } from './world.ts'

const CONCURRENCY = 20

describe('limits of keys, buckets and leaderboards of a game', () => {
  let tenant: Tenant
  beforeEach(async () => {
    tenant = await openTenant()
  })

  /** Creates so many, some of them in parallel; returns their ids. */
  async function make(count: number, path: string, body: object): Promise<string[]> {
    const ids: string[] = []
    while (ids.length < count) {
      const some = Array.from({ length: Math.min(CONCURRENCY, count - ids.length) }, () => tenant.post(path, body))
      for (const answer of await Promise.all(some)) {
        const made = must(answer, 201)
        ids.push(made.prefix ?? made.id)
      }
    }
    return ids
  }

  it('allows 1,000 keys including the first one, and another one after a revocation', async () => {
    const path = `/api/gm/${tenant.game.id}/keys/`
    const body = { name: 'k', kind: 'client', algorithm: 'hmac-sha256' }
    const [first = ''] = await make(999, path, body)
    const tooMany = '422 too_many_keys'
    expect(answerCode(await tenant.post(path, body))).to.equal(tooMany)
    expect(answerCode(await tenant.post(path, body, tenant.operator))).to.equal(tooMany)
    must(await tenant.remove(`${path}${first}/`), 200)
    must(await tenant.post(path, body), 201)
    expect(answerCode(await tenant.post(path, body))).to.equal(tooMany)
  }).timeout(120_000)

  it('allows 1,000 buckets, and another one after a deletion', async () => {
    const path = `/api/gm/${tenant.game.id}/buckets/`
    const [first = ''] = await make(1_000, path, { name: 'Saves' })
    const refused = await tenant.post(path, { name: 'Saves' })
    expect([answerCode(refused), refused.body.limit]).to.deep.equal(['422 too_many_buckets', 1_000])
    must(await tenant.remove(`/api/bkt/${first}/`), 200)
    must(await tenant.post(path, { name: 'Saves' }), 201)
  }).timeout(120_000)

  it('does not count archived leaderboards', async () => {
    const path = `/api/gm/${tenant.game.id}/lb/`
    const [first = ''] = await make(3, path, { name: 'Board', ordering: 'desc' })
    must(await tenant.remove(`/api/lb/${first}/`), 200)
    must(await tenant.remove(`/api/lb/${(await make(1, path, { name: 'Board', ordering: 'asc' }))[0]}/`), 200)
    expect(must(await tenant.get(path), 200).count).to.equal(2)
  })
})
