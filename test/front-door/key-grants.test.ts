// Which permissions a caller may grant to a key: those that the token covers, and for the operator any of the game.

import { expect } from 'chai'
import { clientDefaults, type MadeGame, makeGame, makeKey } from './game-fixtures.ts'
import { answerCode, openTenant, type Tenant } from './tenant.ts'
import { must, tokenOf, type World } from './world.ts'

const HMAC = { name: 'k', kind: 'server', algorithm: 'hmac-sha256' }
const SERVER_DEFAULTS = (game: string) => [`gm:${game}:*`, 'lb:*:*', 'bkt:*:*', 'score:*:*', 'submit_for']

describe('granting permissions to a key', () => {
  let world: World
  let game: MadeGame
  let other: MadeGame
  let operator: string
  let tenant: Tenant
  let post: Tenant['post']
  let put: Tenant['put']

  before(async () => {
    tenant = await openTenant()
    ;({ world, game, operator, post, put } = tenant)
    other = await makeGame(world)
  })

  const path = () => `/api/gm/${game.id}/keys/`
  /** The answers to issuing a key with these permissions, and to changing a key without any to them. */
  async function giving(token: string, permissions: readonly string[]) {
    const issued = await post(path(), { ...HMAC, permissions }, token)
    const bare = await makeKey(world, game, { permissions: [] })
    const changed = await put(`${path()}${bare.prefix}/`, { permissions }, {}, token)
    return [issued, changed].map(({ status, body }) => ({ status, code: body.code, needed: body.needed }))
  }
  const GIVEN = [
    { status: 201, code: undefined, needed: undefined },
    { status: 200, code: undefined, needed: undefined },
  ]
  const refused = (status: number, code: string, needed?: string) => [
    { status, code, needed },
    { status, code, needed },
  ]

  /** `G` is the game, `H` another one. */
  const CASES: [owned: string[], given: string[], needed: string | null][] = [
    [['gm:G:keys'], [], null],
    [['gm:G:keys'], ['gm:G:keys'], null],
    [['gm:G:keys'], ['gm:G:configure'], 'gm:G:configure'],
    [['gm:G:keys'], ['gm:G:*'], 'gm:G:*'],
    [['gm:G:keys'], ['gm:*:keys'], 'gm:*:keys'],
    [['gm:G:keys'], ['submit_for'], 'submit_for'],
    [['gm:G:keys'], ['gm:G:keys', 'lb:*:scores', 'lb:*:submit'], 'lb:*:scores'],
    [['gm:G:*'], ['gm:G:keys', 'gm:G:history', 'gm:G:*'], null],
    [['gm:*:*'], ['gm:*:keys', 'gm:G:*'], null],
    [['gm:G:keys', 'lb:*:submit'], ['lb:x:submit', 'lb:*:submit'], null],
    [['gm:G:keys', 'lb:x:submit'], ['lb:*:submit'], 'lb:*:submit'],
    [['gm:G:keys', 'lb:x:submit'], ['lb:y:submit'], 'lb:y:submit'],
    [['gm:G:keys', 'lb:*:*'], ['lb:*', 'lb:*:submit'], 'lb:*'],
    [['gm:G:keys', '*'], ['submit_for', 'anything'], null],
    [['*:*:*'], ['gm:G:keys', 'score:*:delete', '*:*:*'], null],
  ]
  for (const [owned, given, needed] of CASES) {
    const answerCode = needed === null ? 'is allowed' : `is 403, and needs ${needed}`
    it(`granting ${JSON.stringify(given)} with a token of ${JSON.stringify(owned)} ${answerCode}`, async () => {
      const here = (text: string) => text.replace(':G', `:${game.id}`)
      const token = await tokenOf(world, await makeKey(world, game, { permissions: owned.map(here) }))
      const expected = needed === null ? GIVEN : refused(403, 'permission_needed', here(needed))
      expect(await giving(token, given.map(here))).to.deep.equal(expected)
    })
  }

  it('checks the permissions of the token, not those of its key', async () => {
    const narrow = await tokenOf(world, game.server, [`gm:${game.id}:keys`])
    expect(await giving(narrow, ['lb:*:scores'])).to.deep.equal(refused(403, 'permission_needed', 'lb:*:scores'))
    expect(await giving(game.token, ['lb:*:scores'])).to.deep.equal(GIVEN)
  })

  it('checks the default permissions of a kind like named ones', async () => {
    const manager = await makeKey(world, game, { permissions: [`gm:${game.id}:keys`] })
    const token = await tokenOf(world, manager)
    const issue = async (kind: string) => {
      const { status, body } = await post(path(), { ...HMAC, kind }, token)
      return [status, body.code, body.needed]
    }
    expect(await issue('server')).to.deep.equal([403, 'permission_needed', SERVER_DEFAULTS(game.id)[0]])
    expect(await issue('client')).to.deep.equal([403, 'permission_needed', clientDefaults(game.id)[0]])
    for (const kind of ['server', 'client']) expect((await post(path(), { ...HMAC, kind })).status).to.equal(201)
  })

  it('lets a change keep permissions that the key already has, and add none that the token lacks', async () => {
    const manager = await tokenOf(world, await makeKey(world, game, { permissions: [`gm:${game.id}:keys`] }))
    const key = await makeKey(world, game, { permissions: ['lb:*:scores', 'lb:*:submit', 'submit_for'] })
    const of = `${path()}${key.prefix}/`
    const kept = must(await put(of, { permissions: ['submit_for', 'lb:*:scores'] }, {}, manager), 200)
    expect(kept.permissions).to.deep.equal(['submit_for', 'lb:*:scores'])
    const refusal = await put(of, { permissions: ['submit_for', 'lb:*:submit'] }, {}, manager)
    expect([refusal.status, refusal.body.code, refusal.body.needed]).to.deep.equal([
      403,
      'permission_needed',
      'lb:*:submit',
    ])
    const listed = (await tenant.allOf(path(), 'keys')).find(({ prefix }) => prefix === key.prefix)
    expect(listed?.permissions).to.deep.equal(['submit_for', 'lb:*:scores'])
  })

  it('refuses a key that widens itself with 403', async () => {
    const own = await makeKey(world, game, { permissions: [`gm:${game.id}:keys`] })
    const refusal = await put(
      `${path()}${own.prefix}/`,
      { permissions: [`gm:${game.id}:*`] },
      {},
      await tokenOf(world, own),
    )
    expect(answerCode(refusal)).to.equal('403 permission_needed')
  })

  it('lets the operator grant any permission of the game', async () => {
    const any = [`gm:${game.id}:keys`, 'gm:*:*', 'lb:x:y', 'bkt:*:admin', 'submit_for', '*:*:*', '*']
    expect(await giving(operator, any)).to.deep.equal(GIVEN)
  })

  it('refuses permissions of the operator and of another game with 422, before it answers 403', async () => {
    const manager = await tokenOf(world, await makeKey(world, game, { permissions: [`gm:${game.id}:keys`] }))
    for (const token of [operator, game.token, manager]) {
      for (const permission of [
        'sys:games',
        'sys:*',
        `gm:${other.id}:keys`,
        `gm:${other.id}:*`,
        `gm:${'a'.repeat(24)}:x`,
        `*:${other.id}:*`,
        `*:${other.id}`,
        `lb:${other.id}:scores`,
      ]) {
        expect(await giving(token, ['lb:*:*', permission])).to.deep.equal(refused(422, 'permission_not_grantable'))
      }
    }
  })

  it('refuses a malformed permission with 400 before anything else', async () => {
    const manager = await tokenOf(world, await makeKey(world, game, { permissions: [`gm:${game.id}:keys`] }))
    const answers = await giving(manager, ['sys:games', 'lb:*:*', 'lb::x'])
    expect(answers).to.deep.equal(refused(400, 'malformed'))
  })

  it('accepts a permission that names any id but one of another game', async () => {
    const given = [`*:${'a'.repeat(24)}:scores`, `*:${game.id}:*`, `lb:${'b'.repeat(24)}:scores`]
    expect(await giving(game.token, given)).to.deep.equal(
      refused(403, 'permission_needed', `*:${'a'.repeat(24)}:scores`),
    )
    expect(await giving(operator, given)).to.deep.equal(GIVEN)
  })

  it('refuses to replay the secret of an issued key to a narrower token of the same key', async () => {
    const body = { ...HMAC, permissions: ['lb:*:scores'] }
    const headers = { 'idempotency-key': 'issue for one token' }
    const first = must(await world.call('POST', path(), { token: game.token, body, headers }), 201)
    const narrow = await tokenOf(world, game.server, [`gm:${game.id}:keys`])
    const refusal = await world.call('POST', path(), { token: narrow, body, headers })
    expect([refusal.status, refusal.body.code, refusal.body.needed, refusal.body.secret]).to.deep.equal([
      403,
      'permission_needed',
      'lb:*:scores',
      undefined,
    ])
    const again = await world.call('POST', path(), { token: game.token, body, headers })
    expect([must(again, 201), again.headers['idempotent-replay']]).to.deep.equal([first, 'true'])
  })

  it('replays an issued key from its Idempotency-Key, also after the caller lost the permission', async () => {
    const manager = await makeKey(world, game, { permissions: [`gm:${game.id}:keys`, 'lb:*:scores'] })
    const sent = {
      token: await tokenOf(world, manager),
      body: { ...HMAC, permissions: ['lb:*:scores'] },
      headers: { 'idempotency-key': 'issue once' },
    }
    const first = must(await world.call('POST', path(), sent), 201)
    must(await put(`${path()}${manager.prefix}/`, { permissions: [`gm:${game.id}:keys`] }, {}, operator), 200)
    const again = await world.call('POST', path(), sent)
    expect([must(again, 201), again.headers['idempotent-replay']]).to.deep.equal([first, 'true'])
    const other = await world.call('POST', path(), { ...sent, headers: { 'idempotency-key': 'issue twice' } })
    expect(answerCode(other)).to.equal('403 permission_needed')
  })
})
