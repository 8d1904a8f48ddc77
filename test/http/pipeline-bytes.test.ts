// Raw bodies and streamed answers, and large JSON bodies, which are parsed one at a time.

import { Readable } from 'node:stream'
import { expect } from 'chai'
import { z } from 'zod'
import { Refusal } from '../../domain/decider.ts'
import { createLargeBodies } from '../../http/pipeline/large-bodies.ts'
import type { RawRoute } from '../../http/pipeline/router.ts'
import { openRoute } from '../../http/route.ts'
import { call } from './pipeline-calls.ts'
import { createWorld, type World } from './pipeline-world.ts'

const rawRoutes: RawRoute[] = [
  {
    method: 'PUT',
    path: '/api/files/local/:token/',
    handle: async (ctx) => {
      const { params } = ctx
      if (params.token === 'dead') throw new Refusal('not_found', 'not_found', 'Nothing is at this path.')
      if (params.token === 'broken') throw new Error('disk on fire')
      let bytes = 0
      for await (const chunk of ctx.req) bytes += (chunk as Buffer).length
      ctx.respond = false
      ctx.res.writeHead(200, { 'X-Request-Id': ctx.state.id }).end(String(bytes))
      return null
    },
  },
]

const common = {
  method: 'GET',
  needs: 'nothing',
  tenantOnly: false,
  records: false,
  answers: { 200: z.string() },
} as const

const routes = [
  openRoute({
    ...common,
    path: '/api/stream/lines/',
    summary: 'Lines.',
    handle: async () => ({
      status: 200,
      body: Readable.from(['{"a":1}\n', '{"a":2}\n']),
      headers: { 'content-type': 'application/x-ndjson' },
    }),
  }),
  openRoute({
    ...common,
    path: '/api/stream/bad-header/',
    summary: 'A header that cannot be sent.',
    handle: async () => ({ status: 200, body: {}, headers: { 'X-Bad': 'a\nb' } }),
  }),
]

describe('raw routes and streams', () => {
  let world: World
  before(async () => {
    world = await createWorld({ routes, rawRoutes })
  })
  after(() => world.close())

  it('lets a raw route read more than 64 KiB and answer by itself', async () => {
    const answer = await call(`${world.url}/api/files/local/t/`, { method: 'PUT', body: new Uint8Array(300_000) })
    expect([answer.status, answer.text]).to.deep.equal([200, '300000'])
    expect(JSON.parse(world.lines.at(-1) ?? '')).to.include({ route: '/api/files/local/:token/', status: 200 })
  })

  it('turns the error that a raw route throws before its answer into a problem document', async () => {
    const put = (token: string) => call(`${world.url}/api/files/local/${token}/`, { method: 'PUT', body: 'x' })
    expect((await put('dead')).json.code).to.equal('not_found')
    expect((await put('broken')).json.code).to.equal('internal')
    expect((await call(`${world.url}/api/files/local/%ff/`, { method: 'PUT' })).json.code).to.equal('malformed')
    expect((await call(`${world.url}/api/files/local/t/`)).headers.get('allow')).to.equal('PUT')
  })

  it('sends a stream as it is produced', async () => {
    const answer = await call(`${world.url}/api/stream/lines/`)
    expect([answer.headers.get('content-type'), answer.text]).to.deep.equal([
      'application/x-ndjson',
      '{"a":1}\n{"a":2}\n',
    ])
    expect((await call(`${world.url}/api/stream/lines/`, { method: 'HEAD' })).text).to.equal('')
  })

  it('answers 500 for an answer that cannot be sent', async () => {
    expect((await call(`${world.url}/api/stream/bad-header/`)).json.code).to.equal('internal')
  })
})

/** Takes 5 ms of the processor, as deep JSON of 64 KiB does. */
function parse(value: string): string {
  for (const endMs = performance.now() + 5; performance.now() < endMs; );
  return value
}

describe('large bodies', () => {
  it('are parsed at most one per event-loop iteration, alternating between addresses', async () => {
    const bodies = createLargeBodies()
    const order: string[] = []
    let thisIteration = 0
    let max = 0
    const send = (network: string) =>
      bodies.parse(network, () => {
        if (thisIteration++ === 0) setImmediate(() => (thisIteration = 0))
        max = Math.max(max, thisIteration)
        order.push(network)
        return parse(network)
      })
    const all = [...Array.from({ length: 4 }, () => send('a')), send('b'), send('b')]
    expect(await Promise.all(all)).to.deep.equal(['a', 'a', 'a', 'a', 'b', 'b'])
    expect(max).to.equal(1)
    expect(order.join('')).to.equal('aababa')
  })

  it('are refused with the error of their parser, and the next one is parsed', async () => {
    const bodies = createLargeBodies()
    const fault = new Error('is no JSON')
    const failed: unknown = await bodies.parse('a', () => Promise.reject(fault)).catch((error: unknown) => error)
    const thrown: unknown = await bodies
      .parse('a', () => {
        throw fault
      })
      .catch((error: unknown) => error)
    expect([failed, thrown]).to.deep.equal([fault, fault])
    expect(await bodies.parse('a', () => 'next')).to.equal('next')
  })
})
