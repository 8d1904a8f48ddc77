import { expect } from 'chai'
import { z } from 'zod'
import { fields, listOf, paging } from '../../http/fields.ts'
import { openApiDocument } from '../../http/openapi/document.ts'
import { PROBLEMS } from '../../http/problem-codes.ts'
import type { Documented } from '../../http/route.ts'

const thing = fields({ id: z.string(), kind: z.enum(['a', 'b']) }).meta({ id: 'Thing' })
const base = { needs: 'token', tenantOnly: false, records: false } as const
const routes: Documented[] = [
  {
    ...base,
    method: 'GET',
    path: '/api/gm/:game/thing/',
    summary: 'List.',
    query: paging,
    answers: { 200: listOf('things', thing) },
  },
  {
    ...base,
    method: 'POST',
    path: '/api/gm/:game/thing/',
    summary: 'Make.',
    needs: { permission: 'gm:{game}:things', or: 'sys:games' },
    tenantOnly: true,
    records: true,
    body: fields({ kind: z.enum(['a', 'b']) }),
    answers: { 201: thing },
    refusals: ['external_id_taken'],
  },
  {
    ...base,
    method: 'POST',
    path: '/api/auth/open/',
    summary: 'Open.',
    needs: 'nothing',
    answers: { 200: fields({ thing }) },
  },
  { ...base, method: 'GET', path: '/api/gm/:game/lines/', summary: 'Lines.', answers: { 200: thing }, lines: true },
]
const info = { version: '1.2.3', url: 'https://api.example' }

function referencesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) =>
    name === '$ref' && typeof member === 'string' ? [member] : referencesIn(member),
  )
}

function at(document: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>(
      (value, step) =>
        typeof value === 'object' && value !== null ? Reflect.get(value, step.replaceAll('~1', '/')) : undefined,
      document,
    )
}

describe('the OpenAPI document of a table of routes', () => {
  const document = openApiDocument(routes, info)

  it('has every route', () => {
    for (const { method, path } of routes) {
      const pointer = `/paths/${path.replace(/:(\w+)/g, '{$1}').replaceAll('/', '~1')}/${method.toLowerCase()}`
      expect(at(document, pointer), pointer).to.be.an('object')
    }
  })

  it('resolves every reference, and names each operation id once', () => {
    const references = referencesIn(document)
    expect(references).to.include('#/components/schemas/Thing')
    for (const reference of references) expect(at(document, reference.slice(1)), reference).to.be.an('object')
    expect(JSON.stringify(document)).not.to.include('$defs')
    const ids = JSON.stringify(document).match(/"operationId":"[^"]+"/g) ?? []
    expect([ids.length, new Set(ids).size]).to.deep.equal([4, 4])
  })

  it('describes answers in lines as text, by the schema of each line', () => {
    const lines = at(document, '/paths/~1api~1gm~1{game}~1lines~1/get/responses/200/content')
    const content = { schema: { $ref: '#/components/schemas/Things' } }
    expect(lines).to.deep.equal({ 'application/x-ndjson': content, 'text/plain': content })
    expect(at(document, '/components/schemas/Things')).to.deep.equal({
      type: 'string',
      description: 'JSON documents, each on a line of its own (NDJSON).',
      contentMediaType: 'application/x-ndjson',
      contentSchema: { type: 'array', items: { $ref: '#/components/schemas/Thing' } },
    })
  })

  it('says who may call, what is sent, and what is refused', () => {
    const post = at(document, '/paths/~1api~1gm~1{game}~1thing~1/post') as Record<string, unknown>
    expect(post['x-permission']).to.equal('gm:{game}:things')
    expect(post['x-permission-or']).to.equal('sys:games')
    expect(post['x-tenant-only']).to.equal(true)
    expect(Object.keys(post.responses as object)).to.deep.equal([
      '201',
      '400',
      '401',
      '403',
      '404',
      '405',
      '408',
      '409',
      '413',
      '415',
      '422',
      '429',
      '431',
      '500',
      '503',
    ])
    const schema = at(post, '/requestBody/content/application~1json/schema')
    expect(schema).to.deep.equal({ $ref: '#/components/schemas/PostGmGameThingRequest' })
    expect(at(document, '/components/schemas/PostGmGameThingRequest/required')).to.deep.equal(['kind'])
    const get = at(document, '/paths/~1api~1gm~1{game}~1thing~1/get') as { parameters: { name: string }[] }
    expect(get.parameters.map(({ name }) => name)).to.deep.equal([
      'game',
      'limit',
      'offset',
      'page',
      'X-Consistency-Token',
    ])
    expect(at(document, '/paths/~1api~1auth~1open~1/post/security')).to.deep.equal([])
  })

  it('lists the codes that the path, the headers and the body of a call can lead to', () => {
    const handshake = { ...routes[2], byPrefix: true } as Documented
    const shown = openApiDocument([...routes.filter(({ path }) => path !== handshake.path), handshake], info)
    const codesOf = (pointer: string, status: number): string =>
      String(at(shown, `${pointer}/responses/${status}/description`))
    const thing = '/paths/~1api~1gm~1{game}~1thing~1'
    expect(codesOf(`${thing}/get`, 404))
      .to.include('`game_not_found`')
      .and.not.include('leaderboard_not_found')
    expect(codesOf(`${thing}/get`, 413)).to.include('`body_too_large`')
    expect(codesOf(`${thing}/get`, 415)).to.include('`unsupported_media_type`')
    expect(codesOf(`${thing}/post`, 429)).to.include('`recording_limit`')
    const open = '/paths/~1api~1auth~1open~1/post'
    expect(codesOf(open, 400)).to.include('`consistency_token_unknown`')
    expect(codesOf(open, 503)).to.include('`behind`').and.include('`server_full`')
    expect(codesOf(open, 401)).to.include('`api_key_required`')
  })

  it('lists game_not_found for a recorded call on a leaderboard, whose game may be deleted meanwhile, and not for a read', () => {
    const board = {
      ...(routes.find(({ method }) => method === 'POST') as Documented),
      path: '/api/lb/:leaderboard/it/',
    }
    const ofBoard = openApiDocument([board, { ...board, method: 'GET', records: false }], info)
    const onBoard = (method: string): string =>
      String(at(ofBoard, `/paths/~1api~1lb~1{leaderboard}~1it~1/${method}/responses/404/description`))
    expect(onBoard('post'), 'the game may be deleted before the call is recorded').to.include('`game_not_found`')
    expect(onBoard('get')).to.include('`leaderboard_not_found`').and.not.include('game_not_found')
  })

  it('declares the secret of rooms in other processes, and 401 without it', () => {
    const redeem = { ...routes[2], admits: () => {} } as Documented
    const post = at(openApiDocument([redeem], info), '/paths/~1api~1auth~1open~1/post')
    expect(at(post, '/security')).to.deep.equal([{ realtimeSecret: [] }])
    expect(String(at(post, '/responses/401/description'))).to.include('`unauthenticated`')
  })

  it('declares 304 where If-None-Match is compared', () => {
    const revalidating = { ...routes[0], revalidates: true } as Documented
    const get = at(openApiDocument([revalidating], info), '/paths/~1api~1gm~1{game}~1thing~1/get')
    expect(at(get, '/responses/304')).to.have.all.keys('description')
    expect((get as { parameters: { name: string }[] }).parameters.at(-1)?.name).to.equal('If-None-Match')
    expect(at(document, '/paths/~1api~1gm~1{game}~1thing~1/get/responses')).to.not.have.property('304')
  })

  it('shows If-Match only where it is compared', () => {
    const route = { ...routes[1], method: 'PUT' } as Documented
    const headersOf = (refusals: string[]) => {
      const put = at(openApiDocument([{ ...route, refusals }], info), '/paths/~1api~1gm~1{game}~1thing~1/put')
      return (put as { parameters: { name: string; in: string }[] }).parameters.filter((one) => one.in === 'header')
    }
    expect(headersOf([]).map(({ name }) => name)).to.deep.equal(['Idempotency-Key', 'X-Consistency-Token'])
    expect(headersOf(['precondition_failed']).map(({ name }) => name)).to.include('If-Match')
  })

  it('refuses an undeclared code, and one name for two schemas', () => {
    const route = routes[0] as Documented
    expect(() => openApiDocument([{ ...route, refusals: ['made_up'] }], info)).to.throw('made_up')
  })

  it('gives every code a status, a title and an advice', () => {
    for (const [code, { status, title, todo }] of Object.entries(PROBLEMS)) {
      expect(code).to.match(/^[a-z][a-z0-9_]*$/)
      expect(status).to.be.within(400, 503)
      expect(title).to.match(/^\S.*\S$/)
      expect(todo).to.match(/\.$/)
    }
  })
})
