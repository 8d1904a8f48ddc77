// Readiness of a process: which parts are checked, how often, and who sees the result.

import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect } from 'chai'
import { Registry } from 'prom-client'
import { answerHealth, createReadiness, type Ready } from '../../http/pipeline/health.ts'

describe('readiness', () => {
  it('names each failing part with the reason', async () => {
    const check = createReadiness({
      log: async () => 'its head',
      documents: async () => ['a view'],
      rankings: () => Promise.reject(new Error('Redis is down')),
      views: async () => {
        throw new Error('behind')
      },
      mail: () => {
        throw new Error('')
      },
    })
    expect(await check()).to.deep.equal({ rankings: 'Redis is down', views: 'behind', mail: 'Error' })
  })

  it('is checked at most once a second, for any number of callers', async () => {
    let [nowMs, checks] = [0, 0]
    const check = createReadiness({ log: async () => void checks++ }, () => nowMs)
    await Promise.all([check(), check(), check()])
    nowMs = 1_000
    await check()
    expect(checks).to.equal(1)
    nowMs = 1_001
    await check()
    expect(checks).to.equal(2)
  })

  it('does not wait for a part that does not answer', async () => {
    const check = createReadiness({ log: () => new Promise(() => {}), rankings: async () => 0 })
    expect(await check()).to.deep.equal({ log: 'no answer within 900 ms' })
  })

  it('answers names to everybody, and reasons to operators', async () => {
    let is: ReturnType<Ready> = true
    const answered = async (metrics: Registry | null) => {
      const server = createServer((request, response) => answerHealth(request, response, () => is, metrics))
      await once(server.listen(0, '127.0.0.1'), 'listening')
      const address = server.address()
      const port = typeof address === 'object' ? address?.port : 0
      const answer = await fetch(`http://127.0.0.1:${port}/health/ready`)
      const readiness = [answer.status, await answer.json()]
      server.close()
      return readiness
    }
    for (is of [true, {}]) expect(await answered(null)).to.deep.equal([200, { status: 'ready' }])
    is = false
    expect(await answered(null)).to.deep.equal([503, { status: 'not ready' }])
    is = { rankings: 'Redis is down' }
    expect(await answered(null)).to.deep.equal([200, { status: 'degraded', missing: ['rankings'] }])
    expect(await answered(new Registry())).to.deep.equal([200, { status: 'degraded', reasons: is }])
  })
})
