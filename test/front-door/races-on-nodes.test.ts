// Races over two nodes that share the stores: exactly one of many callers wins a ticket, a code or a login, on any
// node.

import { expect } from 'chai'
import { ON_SERVERS } from '../servers/store-urls.ts'
import { makePlayer } from './game-fixtures.ts'
import { openServerNodes } from './server-nodes.ts'
import { openSignInApi, PASSWORD, type SignInApi } from './sign-in-api.ts'
import { openNodes } from './two-nodes.ts'
import { handshake, hmacSigner, must, tokenOf, type World } from './world.ts'

const RACERS = 32
const ROUNDS = 3
const OPERATOR_ROUNDS = 10

interface Pair {
  readonly a: World
  readonly b: World
  codeTo(email: string): Promise<string>
  close(): Promise<void>
}

describe('races over two nodes', () => {
  let nodes: Pair
  let apis: readonly [SignInApi, SignInApi]

  before(async () => {
    nodes = ON_SERVERS ? await openServerNodes() : await inMemory()
    const atA = await openSignInApi(nodes.a)
    const { client } = atA
    const path = (route: string) => `/api/gm/${atA.game.id}/player/${route}/`
    const atB: SignInApi = {
      ...atA,
      world: nodes.b,
      post: (route, body, token = client, headers = {}) => nodes.b.call('POST', path(route), { token, body, headers }),
    }
    apis = [atA, atB]
  })
  after(() => nodes.close())

  /** Sends all calls at the same time, alternating between the nodes; returns the answers. */
  async function race(route: string, bodyOf: (n: number) => object, headers = {}) {
    const racing = Array.from({ length: RACERS }, (_, n) => {
      const api = apis[n % 2] as SignInApi
      return api.post(route, bodyOf(n), undefined, headers)
    })
    const answers = await Promise.all(racing)
    return { answers, outcome: counted(answers.map(({ status, body }) => `${status} ${body.code ?? ''}`.trim())) }
  }

  it(`lets in one of ${RACERS} callers who redeem the same code of a console link`, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { token } = apis[0].game
      const { code } = must(await nodes.a.call('POST', '/api/console/link/', { token }), 201)
      const racing = Array.from({ length: RACERS }, (_, n) =>
        (n % 2 === 0 ? nodes.a : nodes.b).call('POST', '/api/console/redeem/', { body: { code } }),
      )
      const outcomes = (await Promise.all(racing)).map(({ status, body }) => `${status} ${body.code ?? ''}`.trim())
      expect(counted(outcomes)).to.deep.equal({ '200': 1, '401 sign_in_rejected': RACERS - 1 })
    }
  })

  it('lets one of two revocations of the last two operator keys win, on two nodes at once', async () => {
    let left = nodes.a.operator
    for (let round = 0; round < OPERATOR_ROUNDS; round++) {
      const body = { name: 'second', algorithm: 'hmac-sha256' }
      const first = await tokenOf(nodes.a, left)
      const made = must(await nodes.a.call('POST', '/api/sys/keys/', { token: first, body }), 201)
      const other = hmacSigner(made.prefix, made.secret)
      const second = await tokenOf(nodes.b, other)
      const revoke = (at: World, token: string, prefix: string) =>
        at.call('DELETE', `/api/sys/keys/${prefix}/`, { token })
      const answers = await Promise.all([revoke(nodes.a, first, other.prefix), revoke(nodes.b, second, left.prefix)])
      const outcomes = answers.map(({ status, body }) => `${status} ${body.code ?? ''}`.trim())
      expect(outcomes).to.include('200')
      expect(outcomes.toSorted()[1]).to.be.oneOf(['401 token_rejected', '409 last_operator_key'])
      left = outcomes[0] === '200' ? left : other
      expect((await handshake(nodes.b, left)).status).to.equal(200)
    }
  }).timeout(60_000)

  it(`lets in one of ${RACERS} callers who redeem the same ticket`, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const [api] = apis
      const ticket = await api.ticket({ player: await makePlayer(api.world, api.game) })
      const { outcome } = await race('ticket/redeem', () => ({ ticket }))
      expect(outcome).to.deep.equal({ '200': 1, '401 sign_in_rejected': RACERS - 1 })
    }
  })

  it(`lets in one of ${RACERS} callers who send the same code`, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const email = `racing-${round}@example.com`
      must(await apis[round % 2 === 0 ? 0 : 1].post('code', { email }), 202)
      const code = await nodes.codeTo(email)
      const { outcome } = await race('code/verify', () => ({ email, code }))
      expect(outcome).to.deep.equal({ '201': 1, '401 sign_in_rejected': RACERS - 1 })
    }
  })

  it(`gives a login to one of ${RACERS} registrations, and accepts only its password`, async () => {
    const [atA, atB] = apis
    const passwordOf = (n: number) => `${PASSWORD} ${n}`
    const { answers, outcome } = await race('register', (n) => ({ login: 'raced', password: passwordOf(n) }))
    expect(outcome).to.deep.equal({ '201': 1, '409 login_taken': RACERS - 1 })
    const winner = answers.findIndex(({ status }) => status === 201)
    const signedIn = must(await atB.post('password', { login: 'raced', password: passwordOf(winner) }), 200)
    expect(signedIn.player.id).to.equal(answers[winner]?.body.player.id)
    const loser = await atA.post('password', { login: 'raced', password: passwordOf((winner + 1) % RACERS) })
    expect([loser.status, loser.body.code]).to.deep.equal([401, 'sign_in_rejected'])
  }).timeout(60_000)

  it(`makes ${RACERS} players with one mail address and a login each, and gives the address to one`, async () => {
    const email = 'shared@example.com'
    const register = (n: number) => {
      const body = { login: `sharing-${n}`, password: PASSWORD, email }
      return (apis[n % 2] as SignInApi).post('register', body, undefined, { 'idempotency-key': `sharing ${n}` })
    }
    const answers = await Promise.all(Array.from({ length: RACERS }, (_, n) => register(n)))
    for (const [n, { status, body }] of answers.entries()) {
      if (status === 201) continue
      // After ten conflicts on the one address: a repetition with its key continues the call.
      expect([status, body.code]).to.deep.equal([503, 'busy'])
      answers[n] = await register(n)
    }
    expect(answers.map(({ status }) => status)).to.deep.equal(Array(RACERS).fill(201))
    must(await apis[0].post('code', { email }), 202)
    const owner = must(await apis[1].post('code/verify', { email, code: await nodes.codeTo(email) }), 200)
    expect(answers.filter(({ body }) => body.player.id === owner.player.id)).to.have.length(1)
  }).timeout(60_000)

  it(`makes one player of ${RACERS} tickets for one new external id`, async () => {
    const making = Array.from({ length: RACERS }, (_, n) => {
      const { world, game } = apis[n % 2] as SignInApi
      const body = { external_id: 'steam:raced' }
      return world.call('POST', `/api/gm/${game.id}/player/ticket/`, { token: game.token, body })
    })
    const tickets = (await Promise.all(making)).map((answer) => must(answer, 201).ticket)
    const { answers, outcome } = await race('ticket/redeem', (n) => ({ ticket: tickets[n] }))
    expect(outcome).to.deep.equal({ '200': RACERS })
    expect(new Set(answers.map(({ body }) => body.player.id)).size).to.equal(1)
  })

  it(`makes one player of one registration that is sent ${RACERS} times with its Idempotency-Key`, async () => {
    const registration = { login: 'repeated', password: PASSWORD }
    const { answers, outcome } = await race('register', () => registration, { 'idempotency-key': 'register once' })
    const made = answers.filter(({ status }) => status === 201)
    expect(made).to.not.deep.equal([])
    expect(new Set(made.map(({ body }) => body.player.id)).size).to.equal(1)
    expect((outcome['201'] ?? 0) + (outcome['409 idempotency_in_progress'] ?? 0)).to.equal(RACERS)
  }).timeout(60_000)
})

async function inMemory(): Promise<Pair> {
  const nodes = await openNodes()
  const codeTo = async (to: string) => nodes.mails.findLast(({ email }) => email === to)?.code ?? ''
  return { ...nodes, codeTo }
}

function counted(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const word of words.toSorted()) counts[word] = (counts[word] ?? 0) + 1
  return counts
}
