// The OpenAPI and AsyncAPI documents are serialised once, and not sent to a caller who already has them.

import { expect } from 'chai'
import { asyncApiRoute, openApiRoute, staticDocument } from '../../http/routes/static-documents.ts'
import { call } from './pipeline-calls.ts'
import { createWorld, type World } from './pipeline-world.ts'

describe('static documents', () => {
  let world: World
  let made = 0
  before(async () => {
    const rooms = {
      transient: null as never,
      store: null as never,
      countsNetworks: false,
      url: '',
      secret: null,
      document: () => ({ asyncapi: '3.0.0', made: ++made }),
    }
    const info = { version: '1', url: 'http://localhost' }
    world = await createWorld({ routes: [asyncApiRoute({ rooms }), openApiRoute([], info)] })
  })
  after(() => world.close())

  for (const path of ['/api/openapi.json', '/api/asyncapi.json']) {
    it(`answers ${path} with an ETag, and with 304 and no body to a caller who sends it`, async () => {
      const first = await call(`${world.url}${path}`)
      const etag = first.headers.get('etag') ?? ''
      expect(etag).to.match(/^"[\w-]{27}"$/)
      expect(first.headers.get('content-type')).to.equal('application/json; charset=utf-8')
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const again = await call(`${world.url}${path}`, { headers: { 'if-none-match': known } })
        expect([again.status, again.text, again.headers.get('etag')]).to.deep.equal([304, '', etag])
        expect(again.headers.get('x-request-id')).to.be.a('string')
        expect(again.headers.get('cache-control')).to.equal('no-store')
        expect(again.headers.get('content-length')).to.equal(null)
      }
      const other = await call(`${world.url}${path}`, { headers: { 'if-none-match': '"other"' } })
      expect([other.status, other.text]).to.deep.equal([200, first.text])
    })
  }

  it('are built once, and share one buffer for all answers', async () => {
    expect(made).to.equal(1)
    const document = staticDocument(() => ({}))
    expect(document(null).body).to.equal(document(null).body)
  })
})
