// Whether a process can serve: which parts are checked, how often, and who sees the result.

import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { Registry } from 'prom-client'
import { answerHealth, type Ready } from '../../http/pipeline/health.ts'
import { createReadiness } from '../../http/pipeline/readiness.ts'

describe('readiness', () => {
  it('names each part that is not well, and why', async () => {
    const look = createReadiness({
      log: async () => 'its head',
      documents: async () => ['a view'],
      rankings: () => Promise.reject(new Error('Redis is away')),
      views: async () => {
        throw new Error('behind')
      },
      mail: () => {
        throw new Error('')
      },
    })
    expect(await look()).to.deep.equal({ rankings: 'Redis is away', views: 'behind', mail: 'Error' })
  })

  it('is looked at once a second, however many ask, and again after that', async () => {
    let [nowMs, looks] = [0, 0]
    const look = createReadiness({ log: async () => void looks++ }, () => nowMs)
    await Promise.all([look(), look(), look()])
    nowMs = 1_000
    await look()
    expect(looks).to.equal(1)
    nowMs = 1_001
    await look()
    expect(looks).to.equal(2)
  })

  it('waits for no part that is silent', async () => {
    const look = createReadiness({ log: () => new Promise(() => {}), rankings: async () => 0 })
    expect(await look()).to.deep.equal({ log: 'no answer within 900 ms' })
  })

  it('is answered to everybody by name, and with reasons to operators', async () => {
    let is: ReturnType<Ready> = true
    const answered = async (metrics: Registry | null) => {
      const server = createServer((request, response) => answerHealth(request, response, () => is, metrics))
      await once(server.listen(0, '127.0.0.1'), 'listening')
      const address = server.address()
      const port = typeof address === 'object' ? address?.port : 0
      const answer = await fetch(`http://127.0.0.1:${port}/health/ready`)
      const told = [answer.status, await answer.json()]
      server.close()
      return told
    }
    for (is of [true, {}]) expect(await answered(null)).to.deep.equal([200, { status: 'ready' }])
    is = false
    expect(await answered(null)).to.deep.equal([503, { status: 'not ready' }])
    is = { rankings: 'Redis is away' }
    expect(await answered(null)).to.deep.equal([200, { status: 'degraded', missing: ['rankings'] }])
    expect(await answered(new Registry())).to.deep.equal([200, { status: 'degraded', reasons: is }])
  })
})
