// The API reference at /docs/api/: it shows everything that the documents have, and consists of nothing but itself.

import { expect } from 'chai'
import type { Operation } from '../../http/reference/documents.ts'
import { html, inline, paragraphs } from '../../http/reference/layout.ts'
import { curlOf } from '../../http/reference/pages.ts'
import { openWorld, type World } from '../front-door/world.ts'

const PAGES = ['/docs/', '/docs/api/', '/docs/api/rooms/', '/docs/api/events/']

describe('the API reference', () => {
  let world: World
  const pages = new Map<string, string>()
  before(async () => {
    world = await openWorld()
    for (const path of PAGES) pages.set(path, (await world.call('GET', path)).text)
  })
  after(() => world.close())

  const idsIn = (page: string) => [...page.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id)

  it('has a section for every operation, schema and problem code of the OpenAPI document', async () => {
    const { paths, components, 'x-problem-codes': codes } = (await world.call('GET', '/api/openapi.json')).body
    const operations = Object.values<Record<string, Operation>>(paths).flatMap((methods) => Object.values(methods))
    const ids = idsIn(pages.get('/docs/api/') ?? '')
    expect(operations.length).to.be.greaterThan(70)
    expect(ids).to.include.members(operations.map(({ operationId }) => operationId))
    expect(ids).to.include.members(Object.keys(components.schemas).map((name) => `schema-${name}`))
    expect(ids).to.include.members(Object.keys(codes).map((code) => `problem-${code}`))
  })

  it('has a section for every event of the rooms and every event type of the history', async () => {
    const { components } = (await world.call('GET', '/api/asyncapi.json')).body
    expect(idsIn(pages.get('/docs/api/rooms/') ?? '')).to.include.members(Object.keys(components.messages))
    const { schemas } = (await world.call('GET', '/api/schemas/events/')).body
    const types = schemas.map(({ type }: { type: string }) => type)
    expect(idsIn(pages.get('/docs/api/events/') ?? '')).to.include.members(types)
  })

  it('has no id twice, and no link to a section that is not there', () => {
    for (const [path, page] of pages) {
      const ids = idsIn(page)
      expect(
        ids.filter((id, index) => ids.indexOf(id) !== index),
        path,
      ).to.deep.equal([])
      const links = [...page.matchAll(/href="([^"]*)#([^"]*)"/g)]
      expect(links.length).to.be.greaterThan(path === '/docs/' ? 4 : 10)
      const lost = links.filter(([, of = '', id = '']) => !idsIn(pages.get(of === '' ? path : of) ?? '').includes(id))
      expect(
        lost.map(([link]) => link),
        path,
      ).to.deep.equal([])
    }
  })

  it('has no script, and refers to no other origin', () => {
    for (const page of pages.values()) {
      expect(page).to.not.match(/<script|<img|<link|<iframe|\son\w+=|style="/i)
      const targets = [...page.matchAll(/(?:href|src|action)="([^"]*)"/g)].map(([, target = '']) => target)
      expect(targets.filter((target) => !/^(#|\/(?!\/))/.test(target))).to.deep.equal([])
    }
  })

  it('is answered with a policy that allows its own style sheet alone, and with 304 to a caller who has it', async () => {
    for (const path of PAGES) {
      for (const spelled of [path, path.slice(0, -1), `${path}?x=1`]) {
        const { status, headers, text } = await world.call('GET', spelled)
        expect([status, headers['content-type'], text === pages.get(path)]).to.deep.equal([
          200,
          'text/html; charset=utf-8',
          true,
        ])
        expect(headers['content-security-policy']).to.match(
          /^default-src 'none'; style-src 'sha256-[\w+/=]{44}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
        )
        const etag = headers.etag ?? ''
        const known = await world.call('GET', spelled, { headers: { 'if-none-match': etag } })
        expect([known.status, known.text]).to.deep.equal([304, ''])
      }
    }
    expect((await world.call('HEAD', '/docs/api/')).text).to.equal('')
    expect((await world.call('POST', '/docs/api/')).status).to.equal(405)
    expect((await world.call('GET', '/docs/api/nothing/')).status).to.equal(404)
  })

  it('escapes every text, and marks code and strong words', () => {
    expect(html`<a title="${'"<&>\''}">${['<b>', null, false, 0]}</a>`.text).to.equal(
      '<a title="&quot;&lt;&amp;&gt;&#39;">&lt;b&gt;0</a>',
    )
    expect(inline('a `<b>` **c** `` d').text).to.equal('a <code>&lt;b&gt;</code> <strong>c</strong> `` d')
    expect(paragraphs('one\n\ntwo').text).to.equal('<p>one</p>\n<p>two</p>\n')
  })

  it('shows calls that a shell understands, whatever is in their example', () => {
    const operation: Operation = {
      operationId: 'example',
      summary: '',
      responses: {},
      'x-tenant-only': false,
      parameters: [
        { name: 'id', in: 'path', required: true, schema: {}, example: "a'b/c" },
        { name: 'path', in: 'query', required: true, schema: {}, example: '/x y' },
      ],
      requestBody: { required: true, content: { 'application/json': { schema: {}, example: { name: "it's" } } } },
      security: [{ bearer: [] }],
    }
    expect(curlOf('https://a.example/', 'PUT', '/api/{id}/', operation)).to.equal(
      [
        "curl -X PUT 'https://a.example/api/a'\\''b%2Fc/?path=%2Fx%20y' \\",
        '  -H "Authorization: Bearer $TOKEN" \\',
        "  --json '{\"name\":\"it'\\''s\"}'",
      ].join('\n'),
    )
  })
})
