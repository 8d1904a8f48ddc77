// Players on two nodes that share the stores, the views of one standing still: who was banned or deleted on the other
// is refused by every call and every way to sign in, and once free again is let in at once.

import { expect } from 'chai'
import { HEARD_WITHIN_MS } from '../../access/revocations.ts'
import { BEHIND_AFTER_MS } from '../../http/pipeline/consistency.ts'
import type { Answered } from './http-client.ts'
import { type Door, openDoor } from './players-at-the-door.ts'
import { makeBoard } from './scenery.ts'
import { outcome } from './tenant.ts'
import { type Node, type Nodes, openNodes } from './two-nodes.ts'
import { everyCall, type Member, refresh, WAYS, type Way } from './ways.ts'
import { must } from './world.ts'

const LONGEST_MS = 10_000
const BANNED = { status: 403, code: 'player_banned' }
const NOBODY = { status: 401, code: 'token_rejected' }
const REJECTED = { status: 401, code: 'sign_in_rejected' }

describe('players on two nodes, the views of one standing still', () => {
  let nodes: Nodes
  let a: Node
  let b: Node
  let atA: Door
  let atB: Door
  let board: string

  beforeEach(async () => {
    nodes = await openNodes()
    ;({ a, b } = nodes)
    atA = await openDoor(a)
    atB = { ...atA, world: b, post: (way, body, token = atA.client) => playerCall(b, way, body, token) }
    board = await makeBoard(a, atA.game)
  })
  afterEach(() => nodes.close())

  const playerCall = (node: Node, way: string, body: unknown, token: string) =>
    node.call('POST', `/api/gm/${atA.game.id}/player/${way}/`, { token, body })
  const tenants = (node: Node, method: string, { id }: Member, what = '') =>
    node.call(method, `/api/gm/${atA.game.id}/players/${id}/${what}`, { token: atA.game.token })
  const submit = (node: Node, token: string, player?: string) =>
    node.call('POST', `/api/lb/${board}/score/`, { token, body: { score: '1', ...(player ? { player } : {}) } })
  const codeOf = async (door: Door, email: string) => {
    must(await door.post('code', { email }), 202)
    return nodes.mails.findLast((mail) => mail.email === email)?.code ?? ''
  }
  const read = (node: Node, token: string) => node.call('GET', `/api/lb/${board}/`, { token })

  /** Calls over and over until it is answered so; a call begun later than two seconds after now must be. */
  async function soon(call: () => Promise<Answered>, wanted: object): Promise<void> {
    const fromMs = performance.now()
    for (;;) {
      const beganMs = performance.now() - fromMs
      const answer = outcome(await call())
      if (JSON.stringify(answer) === JSON.stringify(wanted)) return
      if (beganMs > HEARD_WITHIN_MS) expect(answer).to.deep.equal(wanted)
      await new Promise((wake) => setTimeout(wake, 5))
    }
  }

  async function stalled(): Promise<void> {
    await b.caughtUp()
    await b.stall()
  }

  /** A member by each of the ways, before the views of B stand still. */
  async function comeIn(): Promise<[name: string, member: Member][]> {
    const members: [string, Member][] = []
    for (const [name, way] of Object.entries(WAYS)) members.push([name, await way(atA, codeOf)])
    expect(members).to.have.length(4)
    return members
  }

  /** With all members side by side, as each answer of B that waits for its view waits in vain. */
  async function ofEach(members: readonly [string, Member][], play: (member: Member, name: string) => Promise<void>) {
    const playOne = async ([name, member]: [string, Member]) => {
      await play(member, name).catch((why: Error) => {
        why.message = `who came in by ${name}: ${why.message}`
        throw why
      })
    }
    await Promise.all(members.map(playOne))
  }

  it('banned on the other node, a player is refused everywhere, by every sign-in method', async () => {
    const members = await comeIn()
    await stalled()
    await ofEach(members, async (member) => {
      must(await read(b, member.token), 200)
      must(await tenants(a, 'POST', member, 'ban/'), 200)
      expect(outcome(await member.again(atB))).to.deep.equal(BANNED)
      await soon(() => read(b, member.token), BANNED)
      for (const door of [atA, atB]) {
        const answers = await everyCall(door, member.token)
        expect(answers).to.have.length.above(30)
        for (const [what, answer] of answers) expect([what, outcome(answer)]).to.deep.equal([what, BANNED])
        expect(outcome(await refresh(door, member))).to.deep.equal(BANNED)
      }
      expect(outcome(await submit(b, atA.game.token, member.id))).to.deep.equal(BANNED)
      must(await tenants(a, 'POST', member, 'unban/'), 200)
      must(await member.again(atB), 200)
      await soon(() => read(b, member.token), { status: 200, code: undefined })
      must(await refresh(atB, member), 200)
    })
  }).timeout(120_000)

  it('deleted on the other node, a player is unknown everywhere, by every sign-in method', async () => {
    const members = await comeIn()
    await stalled()
    await ofEach(members, async (member, name) => {
      must(await read(b, member.token), 200)
      must(await tenants(a, 'DELETE', member), 200)
      const again = await member.again(atB)
      // An address is free for its owner; nothing is left of the other methods.
      if (name === 'code') expect(must(again, 201).player.id).to.not.equal(member.id)
      else expect(outcome(again)).to.deep.equal(REJECTED)
      await soon(() => read(b, member.token), NOBODY)
      for (const door of [atA, atB]) {
        for (const [what, answer] of await everyCall(door, member.token)) {
          expect([what, outcome(answer)]).to.deep.equal([what, NOBODY])
        }
        expect(outcome(await refresh(door, member))).to.deep.equal(REJECTED)
      }
      const named = { status: 422, code: 'unknown_player' }
      expect(outcome(await submit(b, atA.game.token, member.id))).to.deep.equal(named)
    })
  }).timeout(120_000)

  it('unbanned where a view yet says banned, a player is let in at once, by every sign-in method', async () => {
    const members = await comeIn()
    for (const [, member] of members) must(await tenants(a, 'POST', member, 'ban/'), 200)
    await stalled()
    for (const [, member] of members) {
      expect(outcome(await read(b, member.token))).to.deep.equal(BANNED)
      must(await tenants(a, 'POST', member, 'unban/'), 200)
    }
    await ofEach(members, async (member) => {
      must(await member.again(atB), 200)
      await soon(() => read(b, member.token), { status: 200, code: undefined })
      must(await refresh(atB, member), 200)
      must(await submit(b, member.token), 201)
      expect((await submit(b, atA.game.token, member.id)).status).to.equal(200)
    })
  })

  for (const [name, method, what] of [
    ['a ban', 'POST', 'ban/'],
    ['a deletion', 'DELETE', ''],
  ] as const) {
    it(`${name} is answered when the views that lag have it`, async () => {
      const member = await (WAYS.guest as Way)(atA, codeOf)
      must(await submit(a, member.token), 201)
      await a.stall()
      let isAnswered = false
      const fromMs = performance.now()
      const answering = tenants(a, method, member, what).finally(() => {
        isAnswered = true
      })
      await new Promise((wake) => setTimeout(wake, BEHIND_AFTER_MS + 200))
      expect(isAnswered).to.equal(false)
      a.goOn()
      must(await answering, 200)
      expect(performance.now() - fromMs).to.be.below(LONGEST_MS)
      const list = await a.call('GET', `/api/lb/${board}/score/`, { token: atA.game.token })
      expect(must(list, 200).count).to.equal(0)
    })
  }

  it('a ban and a deletion are not answered while the views stay away, though recorded and told; sent again, once they have them', async () => {
    const banned = await (WAYS.guest as Way)(atA, codeOf)
    const deleted = await (WAYS.guest as Way)(atA, codeOf)
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
      expect([outcome(one), one.headers['retry-after']]).to.deep.equal([{ status: 503, code: 'behind' }, '1'])
    }
    expect(outcome(await read(a, banned.token))).to.deep.equal(BANNED)
    expect(outcome(await read(a, deleted.token))).to.deep.equal(NOBODY)
    a.goOn()
    expect(must(await ban(), 200).banned).to.not.equal(null)
    expect(must(await deletion(), 200)).to.deep.equal({ deleted: deleted.id })
    const list = await a.call('GET', `/api/lb/${board}/score/`, { token: atA.game.token })
    expect(must(list, 200).count).to.equal(0)
  }).timeout(120_000)

  it('a login and an address are free for another where the deletion is answered', async () => {
    const wish = { login: 'ada', password: 'correct horse', email: 'ada@example.com' }
    const first = must(await atA.post('register', wish), 201)
    await stalled()
    expect(outcome(await atB.post('register', wish))).to.deep.equal({ status: 409, code: 'login_taken' })
    must(await tenants(a, 'DELETE', { ...first, id: first.player.id } as Member), 200)
    const second = must(await atB.post('register', wish), 201)
    expect(second.player.id).to.not.equal(first.player.id)
    const { email } = wish
    const owner = must(await atB.post('code/verify', { email, code: await codeOf(atB, email) }), 200)
    expect(owner.player.id).to.equal(second.player.id)
  })
})
