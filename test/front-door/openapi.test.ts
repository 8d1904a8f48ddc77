// The OpenAPI document of a running service: an independent validator accepts it, each operation has a name and a
// group, and a client that uses only the document signs in and submits a score.

import { Validator } from '@seriousme/openapi-schema-validator'
import { expect } from 'chai'
import { makeBoard, makeGame, signInGuest } from './game-fixtures.ts'
import { openWorld, type World } from './world.ts'

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly tags?: readonly string[]
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required: boolean }[]
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
}

interface Document {
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly securitySchemes: Readonly<Record<string, { readonly name?: string }>> }
}

interface Sent {
  readonly params?: Readonly<Record<string, string>>
  readonly credential?: string
  readonly body?: object
}

describe('the published OpenAPI document', () => {
  let world: World
  let document: Document
  const operations = () =>
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
    )
  before(async () => {
    world = await openWorld()
    document = (await world.call('GET', '/api/openapi.json')).body
  })
  after(() => world.close())

  /** A call built from the document: the path and method of an operation, and the header that its security names. */
  async function call(id: string, { params = {}, credential = '', body }: Sent) {
    const found = operations().find(({ operation }) => operation.operationId === id)
    if (found === undefined) throw new Error(`the document has no operation ${id}`)
    const { path, method, operation } = found
    const [scheme = ''] = operation.security.flatMap(Object.keys)
    const { name } = document.components.securitySchemes[scheme] ?? {}
    const headers =
      name === undefined ? { authorization: `Bearer ${credential}` } : { [name.toLowerCase()]: credential }
    const filled = path.replace(/\{(\w+)\}/g, (_, param: string) => params[param] ?? '')
    return world.call(method.toUpperCase(), filled, { headers, ...(body !== undefined && { body }) })
  }

  it('is valid OpenAPI 3.1 for an independent validator', async () => {
    const { valid, errors } = await new Validator().validate(JSON.parse(JSON.stringify(document)))
    expect(errors ?? []).to.deep.equal([])
    expect(valid).to.equal(true)
  })

  it('gives each operation a name in camel case, a summary and one described group', () => {
    const groups = new Set(document.tags.map(({ name }) => name))
    expect(document.tags.every(({ description }) => description.length > 10)).to.equal(true)
    const bad = operations().filter(
      ({ operation: { operationId, summary, tags = [] } }) =>
        !/^[a-z][A-Za-z]+$/.test(operationId) || summary === '' || tags.length !== 1 || !groups.has(tags[0] ?? ''),
    )
    expect(bad.map(({ method, path }) => `${method} ${path}`)).to.deep.equal([])
    const ids = operations().map(({ operation }) => operation.operationId)
    expect(ids).to.include.members(['submitScore', 'listScores', 'requestChallenge', 'redeemChallenge'])
    expect(new Set(ids).size).to.equal(ids.length)
  })

  it('requires X-API-Key for the handshake by a security scheme, and not again by a parameter', () => {
    const handshake = operations().filter(({ path }) => path.startsWith('/api/auth/jwt/'))
    expect(handshake).to.have.length(2)
    for (const { operation } of handshake) {
      expect(operation.security).to.deep.equal([{ keyPrefix: [] }])
      expect(operation.parameters).to.deep.equal([])
    }
  })

  it('suffices for the handshake and a first score', async () => {
    const game = await makeGame(world)
    const board = await makeBoard(world, game)
    const { prefix } = game.server
    const challenge = (await call('requestChallenge', { credential: prefix })).body
    const unixTs = Math.floor(world.clock.nowMs / 1_000)
    const text = `${challenge.request_id}.${challenge.nonce}.${unixTs}.`
    const signature = game.server.sign(text)
    const redeemed = await call('redeemChallenge', {
      credential: prefix,
      body: { request_id: challenge.request_id, challenge: signature, unix_ts: unixTs },
    })
    expect(redeemed.status).to.equal(200)
    const { token } = redeemed.body
    const player = (await call('createPlayer', { params: { game: game.id }, credential: token, body: { name: 'Ada' } }))
      .body
    const sent = { player: player.id, score: '41.5' }
    const submitted = await call('submitScore', { params: { leaderboard: board }, credential: token, body: sent })
    expect([submitted.status, submitted.body.rank]).to.deep.equal([201, 1])
    const guest = await signInGuest(world, game, token, 'Guest')
    const listed = await call('listScores', { params: { leaderboard: board }, credential: guest.token })
    expect(listed.body.scores.map(({ score }: { score: string }) => score)).to.deep.equal(['41.5'])
  })
})
