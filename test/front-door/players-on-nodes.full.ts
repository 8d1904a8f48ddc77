// Players on two nodes that share the stores, while the views of one lag: a player who was banned or deleted on the
// other is refused by every call and sign-in method, and admitted at once after an unban.

import { expect } from 'chai'
import { SYNCED_WITHIN_MS } from '../../access/revocations.ts'
import { BEHIND_AFTER_MS } from '../../commands/command-context.ts'
import { pause } from '../until.ts'
import { makeBoard } from './game-fixtures.ts'
import type { Answered } from './http-client.ts'
import { openSignInApi, type SignInApi } from './sign-in-api.ts'
import { everyCall, refresh, SIGN_IN_METHODS, type SignedInPlayer, type SignInMethod } from './sign-in-methods.ts'
import { answerCode } from './tenant.ts'
import { type Node, type Nodes, openNodes } from './two-nodes.ts'
import { must } from './world.ts'

const LONGEST_MS = 10_000
const BANNED = '403 player_banned'
const NOBODY = '401 token_rejected'
const REJECTED = '401 sign_in_rejected'

describe('players on two nodes while the views of one lag', () => {
  let nodes: Nodes
  let a: Node
  let b: Node
  let atA: SignInApi
  let atB: SignInApi
  let board: string

  beforeEach(async () => {
    nodes = await openNodes()
    ;({ a, b } = nodes)
    atA = await openSignInApi(a)
    atB = { ...atA, world: b, post: (path, body, token = atA.client) => playerCall(b, path, body, token) }
    board = await makeBoard(a, atA.game)
  })
  afterEach(() => nodes.close())

  const playerCall = (node: Node, path: string, body: unknown, token: string) =>
    node.call('POST', `/api/gm/${atA.game.id}/player/${path}/`, { token, body })
  const tenants = (node: Node, method: string, { id }: SignedInPlayer, what = '') =>
    node.call(method, `/api/gm/${atA.game.id}/players/${id}/${what}`, { token: atA.game.token })
  const submit = (node: Node, token: string, player?: string) =>
    node.call('POST', `/api/lb/${board}/score/`, { token, body: { score: '1', ...(player ? { player } : {}) } })
  const codeOf = async (api: SignInApi, email: string) => {
    must(await api.post('code', { email }), 202)
    return nodes.mails.findLast((mail) => mail.email === email)?.code ?? ''
  }
  const read = (node: Node, token: string) => node.call('GET', `/api/lb/${board}/`, { token })

  /** Repeats the call until it has this outcome; a call begun later than two seconds from now must have it. */
  async function soon(call: () => Promise<Answered>, wanted: string): Promise<void> {
    const fromMs = performance.now()
    for (;;) {
      const beganMs = performance.now() - fromMs
      const answer = answerCode(await call())
      if (answer === wanted) return
      if (beganMs > SYNCED_WITHIN_MS) expect(answer).to.equal(wanted)
      await pause(5)
    }
  }

  async function stalled(): Promise<void> {
    await b.caughtUp()
    await b.stall()
  }

  /** One player for each sign-in method, before the views of B lag. */
  async function signInByEveryMethod(): Promise<[name: string, player: SignedInPlayer][]> {
    const players: [string, SignedInPlayer][] = []
    for (const [name, signIn] of Object.entries(SIGN_IN_METHODS)) players.push([name, await signIn(atA, codeOf)])
    expect(players).to.have.length(4)
    return players
  }

  /** Runs for all players in parallel, as each answer of B that waits for its view reaches its time limit. */
  async function forEachPlayer(
    players: readonly [string, SignedInPlayer][],
    play: (player: SignedInPlayer, name: string) => Promise<void>,
  ) {
    const playOne = async ([name, player]: [string, SignedInPlayer]) => {
      await play(player, name).catch((error: Error) => {
        error.message = `a player signed in by ${name}: ${error.message}`
        throw error
      })
    }
    await Promise.all(players.map(playOne))
  }

  it('refuses a player who was banned on the other node everywhere, by every sign-in method', async () => {
    const players = await signInByEveryMethod()
    await stalled()
    await forEachPlayer(players, async (player) => {
      must(await read(b, player.token), 200)
      must(await tenants(a, 'POST', player, 'ban/'), 200)
      expect(answerCode(await player.signInAgain(atB))).to.equal(BANNED)
      await soon(() => read(b, player.token), BANNED)
      for (const api of [atA, atB]) {
        const answers = await everyCall(api, player.token)
        expect(answers).to.have.length.above(30)
        for (const [what, answer] of answers) expect([what, answerCode(answer)]).to.deep.equal([what, BANNED])
        expect(answerCode(await refresh(api, player))).to.equal(BANNED)
      }
      expect(answerCode(await submit(b, atA.game.token, player.id))).to.equal(BANNED)
      must(await tenants(a, 'POST', player, 'unban/'), 200)
      must(await player.signInAgain(atB), 200)
      await soon(() => read(b, player.token), '200')
      must(await refresh(atB, player), 200)
    })
  }).timeout(120_000)

  it('rejects a player who was deleted on the other node everywhere, by every sign-in method', async () => {
    const players = await signInByEveryMethod()
    await stalled()
    await forEachPlayer(players, async (player, name) => {
      must(await read(b, player.token), 200)
      must(await tenants(a, 'DELETE', player), 200)
      const again = await player.signInAgain(atB)
      // The address is free for its owner; the other credentials are gone.
      if (name === 'code') expect(must(again, 201).player.id).to.not.equal(player.id)
      else expect(answerCode(again)).to.equal(REJECTED)
      await soon(() => read(b, player.token), NOBODY)
      for (const api of [atA, atB]) {
        for (const [what, answer] of await everyCall(api, player.token)) {
          expect([what, answerCode(answer)]).to.deep.equal([what, NOBODY])
        }
        expect(answerCode(await refresh(api, player))).to.equal(REJECTED)
      }
      const named = '422 unknown_player'
      expect(answerCode(await submit(b, atA.game.token, player.id))).to.equal(named)
    })
  }).timeout(120_000)

  it('admits an unbanned player at once by every sign-in method, although a lagging view still shows the ban', async () => {
    const players = await signInByEveryMethod()
    for (const [, player] of players) must(await tenants(a, 'POST', player, 'ban/'), 200)
    await stalled()
    for (const [, player] of players) {
      expect(answerCode(await read(b, player.token))).to.equal(BANNED)
      must(await tenants(a, 'POST', player, 'unban/'), 200)
    }
    await forEachPlayer(players, async (player) => {
      must(await player.signInAgain(atB), 200)
      await soon(() => read(b, player.token), '200')
      must(await refresh(atB, player), 200)
      must(await submit(b, player.token), 201)
      expect((await submit(b, atA.game.token, player.id)).status).to.equal(200)
    })
  })

  for (const [name, method, what] of [
    ['a ban', 'POST', 'ban/'],
    ['a deletion', 'DELETE', ''],
  ] as const) {
    it(`answers ${name} once the lagging views show it`, async () => {
      const player = await (SIGN_IN_METHODS.guest as SignInMethod)(atA, codeOf)
      must(await submit(a, player.token), 201)
      await a.stall()
      let isAnswered = false
      const fromMs = performance.now()
      const answering = tenants(a, method, player, what).finally(() => {
        isAnswered = true
      })
      await pause(BEHIND_AFTER_MS + 200)
      expect(isAnswered).to.equal(false)
      a.goOn()
      must(await answering, 200)
      expect(performance.now() - fromMs).to.be.below(LONGEST_MS)
      const list = await a.call('GET', `/api/lb/${board}/score/`, { token: atA.game.token })
      expect(must(list, 200).count).to.equal(0)
    })
  }

  it('answers a ban and a deletion with 503 while the views lag, and replays them once the views show them', async () => {
    const banned = await (SIGN_IN_METHODS.guest as SignInMethod)(atA, codeOf)
    const deleted = await (SIGN_IN_METHODS.guest as SignInMethod)(atA, codeOf)
    for (const { token } of [banned, deleted]) must(await submit(a, token), 201)
    await a.stall()
    const once = (method: string, what: string) =>
      a.call(method, `/api/gm/${atA.game.id}/players/${what}`, {
        token: atA.game.token,
        headers: { 'idempotency-key': method },
      })
    const ban = () => once('POST', `${banned.id}/ban/`)
    const deletion = () => once('DELETE', `${deleted.id}/`)
    const late = await Promise.all([ban(), deletion()])
    for (const one of late) {
      expect([answerCode(one), one.headers['retry-after']]).to.deep.equal(['503 behind', '1'])
    }
    expect(answerCode(await read(a, banned.token))).to.equal(BANNED)
    expect(answerCode(await read(a, deleted.token))).to.equal(NOBODY)
    a.goOn()
    expect(must(await ban(), 200).banned).to.not.equal(null)
    expect(must(await deletion(), 200)).to.deep.equal({ deleted: deleted.id })
    const list = await a.call('GET', `/api/lb/${board}/score/`, { token: atA.game.token })
    expect(must(list, 200).count).to.equal(0)
  }).timeout(120_000)

  it('frees the login and the mail address of a deleted player when the deletion is answered', async () => {
    const registration = { login: 'ada', password: 'correct horse', email: 'ada@example.com' }
    const first = must(await atA.post('register', registration), 201)
    await stalled()
    expect(answerCode(await atB.post('register', registration))).to.equal('409 login_taken')
    must(await tenants(a, 'DELETE', { ...first, id: first.player.id } as SignedInPlayer), 200)
    const second = must(await atB.post('register', registration), 201)
    expect(second.player.id).to.not.equal(first.player.id)
    const { email } = registration
    const owner = must(await atB.post('code/verify', { email, code: await codeOf(atB, email) }), 200)
    expect(owner.player.id).to.equal(second.player.id)
  })
})
