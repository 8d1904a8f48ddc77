// A revocation on one node takes effect on the other within two seconds, although the other’s views lag. A node that
// cannot know of revocations admits nobody.

import { expect } from 'chai'
import { SYNCED_WITHIN_MS } from '../../access/revocations.ts'
import { createTokenSeal } from '../../credentials/sealed-token.ts'
import { eventually, pause } from '../until.ts'
import {
  clientToken,
  type Guest,
  keyToken,
  type MadeGame,
  makeBoard,
  makeGame,
  makeKey,
  signInGuest,
} from './game-fixtures.ts'
import type { Answered } from './http-client.ts'
import { answerCode } from './tenant.ts'
import { NODE_KEYS, type Node, type Nodes, openNodes } from './two-nodes.ts'
import { hmacSigner, must, redeem, requestChallenge, type Signer, signed, tokenOf } from './world.ts'

const consistency = createTokenSeal(NODE_KEYS.consistency)

describe('revocations on two nodes while the views of one lag', () => {
  let nodes: Nodes
  let a: Node
  let b: Node
  let game: MadeGame
  let board: string
  let key: Signer
  /** Two tokens of the key; B has seen one of them. */
  let usedToken: string
  let unusedToken: string
  let guest: Guest
  let other: Guest

  beforeEach(async () => {
    nodes = await openNodes()
    ;({ a, b } = nodes)
    game = await makeGame(a)
    board = await makeBoard(a, game)
    key = await makeKey(a, game, { kind: 'client' })
    usedToken = await tokenOf(a, key)
    unusedToken = await tokenOf(a, key)
    const signIn = await clientToken(a, game)
    guest = await signInGuest(a, game, signIn)
    other = await signInGuest(a, game, signIn)
    await b.caughtUp()
    await b.stall()
    for (const token of [usedToken, guest.token, other.token, game.token])
      expect(answerCode(await read(b, token))).to.equal('200')
  })
  afterEach(() => nodes.close())

  const read = (node: Node, token: string) => node.call('GET', `/api/lb/${board}/`, { token })
  const keyPath = () => `/api/gm/${game.id}/keys/${key.prefix}/`
  const revoke = (node: Node) => node.call('DELETE', keyPath(), { token: game.token })
  const signOut = (node: Node, token: string, body = {}) =>
    node.call('POST', `/api/gm/${game.id}/player/signout/`, { token, body })

  /**
   * Repeats calls to B until one is not answered with 200, and returns its outcome. No call begun more than two
   * seconds from now may be admitted.
   */
  async function refusal(call: () => Promise<Answered>): Promise<string> {
    const fromMs = performance.now()
    for (;;) {
      const beganMs = performance.now() - fromMs
      const answer = answerCode(await call())
      if (answer !== '200') return answer
      if (beganMs > SYNCED_WITHIN_MS) throw new Error(`let in ${beganMs} ms after it was revoked`)
      await pause(5)
    }
  }

  it('rejects the tokens and handshakes of a revoked key with 401', async () => {
    must(await revoke(a), 200)
    expect(answerCode(await read(a, usedToken))).to.equal('401 token_rejected')
    expect(await refusal(() => read(b, usedToken))).to.equal('401 token_rejected')
    expect(answerCode(await read(b, unusedToken))).to.equal('401 token_rejected')
    const challenge = (await requestChallenge(b, key.prefix)).body
    expect(answerCode(await redeem(b, key.prefix, signed(b, key, challenge)))).to.equal('401 challenge_rejected')
    expect([answerCode(await read(b, guest.token)), answerCode(await read(b, game.token))]).to.deep.equal([
      '200',
      '200',
    ])
  })

  it('refuses calls with 403 after permissions were narrowed, and admits them after they were widened again', async () => {
    const change = (permissions: readonly string[]) =>
      a.call('PUT', keyPath(), { token: game.token, body: { permissions } })
    must(await change(['lb:*:scores']), 200)
    expect(answerCode(await read(a, usedToken))).to.equal('403 permission_needed')
    expect(await refusal(() => read(b, usedToken))).to.equal('403 permission_needed')
    must(await change(['lb:*:scores', 'lb:*:details']), 200)
    await eventually(async () => answerCode(await read(b, usedToken)) === '200')
  })

  it('rejects the tokens and renewals of an ended session with 401', async () => {
    expect(must(await signOut(a, guest.token), 200)).to.deep.equal({ signed_out: 1 })
    expect(await refusal(() => read(b, guest.token))).to.equal('401 token_rejected')
    const body = { refresh_token: guest.refreshToken }
    const renewed = await b.call('POST', `/api/gm/${game.id}/player/refresh/`, { body })
    expect(answerCode(renewed)).to.equal('401 sign_in_rejected')
    expect(answerCode(await read(b, other.token))).to.equal('200')
  })

  it('rejects all sessions of a player who signs out everywhere', async () => {
    const body = { guest_token: guest.guestToken }
    const token = await clientToken(a, game)
    const second = must(await a.call('POST', `/api/gm/${game.id}/player/guest/`, { token, body }), 200).token
    expect(must(await signOut(a, second, { everywhere: true }), 200)).to.deep.equal({ signed_out: 2 })
    expect(await refusal(() => read(b, guest.token))).to.equal('401 token_rejected')
    expect(answerCode(await read(b, other.token))).to.equal('200')
  })

  it('rejects also a session that began on the other node and is not in the views of this one', async () => {
    const token = await clientToken(a, game)
    const again = () =>
      b.call('POST', `/api/gm/${game.id}/player/guest/`, { token, body: { guest_token: guest.guestToken } })
    b.goOn()
    await b.caughtUp()
    await a.stall()
    const hidden = must(await again(), 200)
    await b.caughtUp()
    expect(answerCode(await read(b, hidden.token))).to.equal('200')
    expect(must(await signOut(a, guest.token, { everywhere: true }), 200)).to.deep.equal({ signed_out: 1 })
    expect(await refusal(() => read(b, hidden.token))).to.equal('401 token_rejected')
    const body = { refresh_token: hidden.refresh_token }
    const renewed = await b.call('POST', `/api/gm/${game.id}/player/refresh/`, { body })
    expect(answerCode(renewed)).to.equal('401 sign_in_rejected')
    const since = must(await again(), 200)
    await b.caughtUp()
    expect(answerCode(await read(b, since.token))).to.equal('200')
    expect(answerCode(await read(b, other.token))).to.equal('200')
  }).timeout(60_000)

  it('answers 503 while a node cannot read revocations, and applies them once it can', async () => {
    b.reachable = false
    must(await revoke(a), 200)
    expect(await refusal(() => read(b, usedToken))).to.equal('503 store_away')
    for (const token of [usedToken, unusedToken, guest.token, game.token]) {
      expect(answerCode(await read(b, token))).to.equal('503 store_away')
    }
    const refresh = { refresh_token: other.refreshToken }
    const renewed = await b.call('POST', `/api/gm/${game.id}/player/refresh/`, { body: refresh })
    expect(answerCode(renewed)).to.equal('503 store_away')
    expect(answerCode(await b.call('GET', '/health/live'))).to.equal('200')
    b.reachable = true
    expect([answerCode(await read(b, usedToken)), answerCode(await read(b, unusedToken))]).to.deep.equal([
      '401 token_rejected',
      '401 token_rejected',
    ])
    expect([answerCode(await read(b, guest.token)), answerCode(await read(b, game.token))]).to.deep.equal([
      '200',
      '200',
    ])
  })

  it('answers a revocation only after it is published, and lets the caller repeat it', async () => {
    a.reachable = false
    expect(answerCode(await revoke(a))).to.equal('503 store_away')
    expect(answerCode(await read(a, usedToken))).to.equal('401 token_rejected')
    expect(answerCode(await read(b, usedToken))).to.equal('200')
    a.reachable = true
    const again = await revoke(a)
    expect([again.status, again.body]).to.deep.equal([200, { deleted: key.prefix }])
    expect(await refusal(() => read(b, usedToken))).to.equal('401 token_rejected')
  })

  it('publishes a revocation by itself if nobody repeats the call', async () => {
    a.reachable = false
    expect(answerCode(await signOut(a, guest.token))).to.equal('503 store_away')
    expect(answerCode(await signOut(a, guest.token))).to.equal('401 token_rejected')
    a.reachable = true
    await eventually(async () => answerCode(await read(b, guest.token)) === '401 token_rejected')
  })

  it('answers a consistency token at the position of the stream that another node changed', async () => {
    const changing = await keyToken(a, game)
    const narrow = { permissions: [`gm:${game.id}:keys`] }
    const first = await a.call('PUT', keyPath(), { token: changing, body: narrow })
    const second = await b.call('PUT', keyPath(), { token: game.token, body: narrow })
    expect([first.status, second.status]).to.deep.equal([200, 200])
    const [one, two] = [first, second].map(({ headers }) => consistency.open(String(headers['x-consistency-token'])))
    expect(two).to.be.a('string').that.equals(one)
  })

  it('admits a key that was created while the views of both nodes lag, and rejects it after its revocation', async () => {
    await a.stall()
    const fresh = await makeKey(a, game, { kind: 'client' })
    for (const node of [a, b]) expect(answerCode(await read(node, await tokenOf(node, fresh)))).to.equal('200')
    const token = await tokenOf(b, fresh)
    a.goOn()
    await a.caughtUp()
    must(await a.call('DELETE', `/api/gm/${game.id}/keys/${fresh.prefix}/`, { token: game.token }), 200)
    expect(answerCode(await read(a, token))).to.equal('401 token_rejected')
    expect(await refusal(() => read(b, token))).to.equal('401 token_rejected')
    for (const node of [a, b]) {
      const challenge = (await requestChallenge(node, fresh.prefix)).body
      expect(answerCode(await redeem(node, fresh.prefix, signed(node, fresh, challenge)))).to.equal(
        '401 challenge_rejected',
      )
    }
  }).timeout(60_000)

  it('rejects the tokens of a key that the operator revoked', async () => {
    const operator = await tokenOf(a, a.operator)
    const issued = must(await a.call('POST', '/api/gm/', { token: operator, body: { name: 'Another' } }), 201)
    const signer = hmacSigner(issued.key.prefix, issued.key.secret)
    const token = await tokenOf(a, signer)
    must(await a.call('DELETE', `/api/gm/${issued.game.id}/keys/${signer.prefix}/`, { token: operator }), 200)
    expect(answerCode(await a.call('GET', `/api/gm/${issued.game.id}/`, { token }))).to.equal('401 token_rejected')
  })
})
