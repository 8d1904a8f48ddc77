// Races over two nodes that share the stores: of any number of racers for a ticket, a code or a login, on
// whichever node, exactly one wins.

import { expect } from 'chai'
import { ON_SERVERS } from '../servers/places.ts'
import { type Door, openDoor, PASSWORD } from './players-at-the-door.ts'
import { makePlayer } from './scenery.ts'
import { openServerNodes } from './server-nodes.ts'
import { openNodes } from './two-nodes.ts'
import { must, type World } from './world.ts'

const RACERS = 32
const ROUNDS = 3

interface Pair {
  readonly a: World
  readonly b: World
  codeTo(email: string): Promise<string>
  close(): Promise<void>
}

describe('racing over two nodes', () => {
  let nodes: Pair
  let doors: readonly [Door, Door]

  before(async () => {
    nodes = ON_SERVERS ? await openServerNodes() : await inMemory()
    const atA = await openDoor(nodes.a)
    const { client } = atA
    const path = (way: string) => `/api/gm/${atA.game.id}/player/${way}/`
    const atB: Door = {
      ...atA,
      world: nodes.b,
      post: (way, body, token = client, headers = {}) => nodes.b.call('POST', path(way), { token, body, headers }),
    }
    doors = [atA, atB]
  })
  after(() => nodes.close())

  /** All at once, on both nodes in turn; what each was answered. */
  async function race(way: string, bodyOf: (n: number) => object, headers = {}) {
    const racing = Array.from({ length: RACERS }, (_, n) => {
      const door = doors[n % 2] as Door
      return door.post(way, bodyOf(n), undefined, headers)
    })
    const answers = await Promise.all(racing)
    return { answers, outcome: counted(answers.map(({ status, body }) => `${status} ${body.code ?? ''}`.trim())) }
  }

  it(`${RACERS} redeemers of one ticket: one is let in`, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const [door] = doors
      const ticket = await door.ticket({ player: await makePlayer(door.world, door.game) })
      const { outcome } = await race('ticket/redeem', () => ({ ticket }))
      expect(outcome).to.deep.equal({ '200': 1, '401 sign_in_rejected': RACERS - 1 })
    }
  })

  it(`${RACERS} who send one code: one is let in`, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const email = `racing-${round}@example.com`
      must(await doors[round % 2 === 0 ? 0 : 1].post('code', { email }), 202)
      const code = await nodes.codeTo(email)
      const { outcome } = await race('code/verify', () => ({ email, code }))
      expect(outcome).to.deep.equal({ '201': 1, '401 sign_in_rejected': RACERS - 1 })
    }
  })

  it(`${RACERS} registrations of one login: one has it, and by their password alone one signs in`, async () => {
    const [atA, atB] = doors
    const passwordOf = (n: number) => `${PASSWORD} ${n}`
    const { answers, outcome } = await race('register', (n) => ({ login: 'raced', password: passwordOf(n) }))
    expect(outcome).to.deep.equal({ '201': 1, '409 login_taken': RACERS - 1 })
    const winner = answers.findIndex(({ status }) => status === 201)
    const signedIn = must(await atB.post('password', { login: 'raced', password: passwordOf(winner) }), 200)
    expect(signedIn.player.id).to.equal(answers[winner]?.body.player.id)
    const loser = await atA.post('password', { login: 'raced', password: passwordOf((winner + 1) % RACERS) })
    expect([loser.status, loser.body.code]).to.deep.equal([401, 'sign_in_rejected'])
  }).timeout(60_000)

  it(`${RACERS} registrations with one address and a login each: all are made, and the address is one’s`, async () => {
    const email = 'shared@example.com'
    const register = (n: number) => {
      const body = { login: `sharing-${n}`, password: PASSWORD, email }
      return (doors[n % 2] as Door).post('register', body, undefined, { 'idempotency-key': `sharing ${n}` })
    }
    const answers = await Promise.all(Array.from({ length: RACERS }, (_, n) => register(n)))
    for (const [n, { status, body }] of answers.entries()) {
      if (status === 201) continue
      // Ten conflicts on the one address: sent again with its key, the call goes on where it was.
      expect([status, body.code]).to.deep.equal([503, 'busy'])
      answers[n] = await register(n)
    }
    expect(answers.map(({ status }) => status)).to.deep.equal(Array(RACERS).fill(201))
    must(await doors[0].post('code', { email }), 202)
    const owner = must(await doors[1].post('code/verify', { email, code: await nodes.codeTo(email) }), 200)
    expect(answers.filter(({ body }) => body.player.id === owner.player.id)).to.have.length(1)
  }).timeout(60_000)

  it(`${RACERS} tickets for one new external id: one player`, async () => {
    const making = Array.from({ length: RACERS }, (_, n) => {
      const { world, game } = doors[n % 2] as Door
      const body = { external_id: 'steam:raced' }
      return world.call('POST', `/api/gm/${game.id}/player/ticket/`, { token: game.token, body })
    })
    const tickets = (await Promise.all(making)).map((answer) => must(answer, 201).ticket)
    const { answers, outcome } = await race('ticket/redeem', (n) => ({ ticket: tickets[n] }))
    expect(outcome).to.deep.equal({ '200': RACERS })
    expect(new Set(answers.map(({ body }) => body.player.id)).size).to.equal(1)
  })

  it(`one registration sent ${RACERS} times with its Idempotency-Key: one player`, async () => {
    const wish = { login: 'repeated', password: PASSWORD }
    const { answers, outcome } = await race('register', () => wish, { 'idempotency-key': 'register once' })
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
