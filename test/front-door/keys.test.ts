// Keys: issued with a secret that is shown once, listed, changed and revoked; weak public keys are refused.

import { expect } from 'chai'
import nacl from 'tweetnacl'
import { clientDefaults, type MadeGame, makeGame, makeKey } from './game-fixtures.ts'
import { answerCode, openTenant, type Tenant } from './tenant.ts'
import { ed25519Signer, handshake, must, type World } from './world.ts'

describe('keys', () => {
  let world: World
  let game: MadeGame
  let operator: string
  let get: Tenant['get']
  let post: Tenant['post']
  let put: Tenant['put']
  let remove: Tenant['remove']
  let allOf: Tenant['allOf']
  let nowText: Tenant['nowText']

  before(async () => {
    ;({ world, game, operator, get, post, put, remove, allOf, nowText } = await openTenant())
  })

  const path = () => `/api/gm/${game.id}/keys/`

  it('issues a key with the defaults of its kind, in exactly these fields', async () => {
    const made = must(await post(path(), { name: 'ck', kind: 'client', algorithm: 'hmac-sha256' }), 201)
    const { secret, ...key } = made
    expect(secret).to.match(/^[A-Za-z0-9_-]{43}$/)
    expect(key).to.deep.equal({
      prefix: key.prefix,
      name: 'ck',
      game: game.id,
      kind: 'client',
      algorithm: 'hmac-sha256',
      permissions: clientDefaults(game.id),
      created: nowText(),
      revoked: false,
      last_used: null,
    })
    expect(key.prefix).to.match(/^ck_[a-z2-7]{24}$/)
    const listed = (await allOf(path(), 'keys')).filter(({ prefix }) => prefix === key.prefix)
    expect(listed).to.deep.equal([key])
  })

  it('generates an Ed25519 pair, and shows the seed once', async () => {
    const made = must(await post(path(), { name: 'e', kind: 'server', algorithm: 'ed25519' }), 201)
    expect(made).to.have.all.keys(
      'prefix',
      'name',
      'game',
      'kind',
      'algorithm',
      'permissions',
      'created',
      'revoked',
      'last_used',
      'private_key',
    )
    expect(Buffer.from(made.private_key, 'base64url')).to.have.length(32)
    expect((await handshake(world, ed25519Signer(made.prefix, made.private_key))).status).to.equal(200)
  })

  it('registers an Ed25519 public key of the tenant', async () => {
    const seed = nacl.randomBytes(32)
    const public_key = Buffer.from(nacl.sign.keyPair.fromSeed(seed).publicKey).toString('base64url')
    const made = must(
      await post(path(), { name: 'own', kind: 'client', algorithm: 'ed25519', permissions: [], public_key }),
      201,
    )
    expect(made).to.have.all.keys(
      'prefix',
      'name',
      'game',
      'kind',
      'algorithm',
      'permissions',
      'created',
      'revoked',
      'last_used',
    )
    expect(made.permissions).to.deep.equal([])
    expect(
      (await handshake(world, ed25519Signer(made.prefix, Buffer.from(seed).toString('base64url')))).status,
    ).to.equal(200)
  })

  const WEAK: [string, string][] = [
    ['the neutral element', `01${'00'.repeat(31)}`],
    ['order 2', `ec${'ff'.repeat(30)}7f`],
    ['order 4', '00'.repeat(32)],
    ['order 4, the other one', `${'00'.repeat(31)}80`],
    ['order 8', 'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a'],
    ['order 8, the other one', '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05'],
    ['not canonical: y = p', `ed${'ff'.repeat(30)}7f`],
    ['not canonical: y = p + 1', `ee${'ff'.repeat(30)}7f`],
    ['not canonical: y = 2^255 - 1', `${'ff'.repeat(31)}7f`],
    ['x = 0 with its sign set', `01${'00'.repeat(30)}80`],
    ['not on the curve', `02${'00'.repeat(31)}`],
  ]
  for (const [what, hex] of WEAK) {
    it(`refuses a weak public key: ${what}`, async () => {
      const public_key = Buffer.from(hex, 'hex').toString('base64url')
      const body = { name: 'weak', kind: 'server', algorithm: 'ed25519', public_key }
      expect(answerCode(await post(path(), body))).to.equal('400 weak_public_key')
    })
  }

  it('refuses an invalid public key, and any public key for hmac-sha256', async () => {
    const sound = Buffer.from(nacl.sign.keyPair().publicKey).toString('base64url')
    const base = { name: 'k', kind: 'server', algorithm: 'ed25519' }
    for (const public_key of [`${sound}=`, sound.slice(1), `${sound}A`, '', 1]) {
      expect(answerCode(await post(path(), { ...base, public_key }))).to.equal('400 malformed')
    }
    const answer = await post(path(), { ...base, algorithm: 'hmac-sha256', public_key: sound })
    expect([answer.status, answer.body.errors[0].pointer]).to.deep.equal([400, '/public_key'])
  })

  it('changes the permissions of a key, refuses that for a revoked one, and keeps it in the list', async () => {
    const key = await makeKey(world, game)
    const of = `${path()}${key.prefix}/`
    const changed = must(await put(of, { permissions: ['lb:*:scores'] }), 200)
    expect(changed.permissions).to.deep.equal(['lb:*:scores'])
    expect(changed).to.not.have.property('secret')
    expect(must(await remove(of), 200)).to.deep.equal({ deleted: key.prefix })
    expect(must(await remove(of), 200)).to.deep.equal({ deleted: key.prefix })
    expect(answerCode(await put(of, { permissions: [] }))).to.equal('409 key_revoked')
    const listed = (await allOf(path(), 'keys')).find(({ prefix }) => prefix === key.prefix)
    expect(listed).to.deep.equal({ ...changed, revoked: true })
  })

  it('lets the operator issue, list, change and revoke keys of any game', async () => {
    const made = must(await post(path(), { name: 'again', kind: 'server', algorithm: 'hmac-sha256' }, operator), 201)
    expect(made.game).to.equal(game.id)
    expect((await get(path(), operator)).status).to.equal(200)
    expect((await put(`${path()}${made.prefix}/`, { permissions: [] }, {}, operator)).status).to.equal(200)
    expect((await remove(`${path()}${made.prefix}/`, operator)).status).to.equal(200)
    expect(answerCode(await get(`/api/gm/${'a'.repeat(24)}/keys/`, operator))).to.equal('404 game_not_found')
  })

  it('answers 404 for keys of the operator and of another game', async () => {
    const other = await makeGame(world)
    for (const prefix of [world.operator.prefix, other.server.prefix, 'sk_nobody']) {
      expect(answerCode(await remove(`${path()}${prefix}/`))).to.equal('404 key_not_found')
      expect(answerCode(await remove(`${path()}${prefix}/`, operator))).to.equal('404 key_not_found')
    }
  })
})
