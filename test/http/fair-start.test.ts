// Fair start of requests: an address that floods the process starts a few per event-loop iteration.

import { once } from 'node:events'
import { expect } from 'chai'
import { z } from 'zod'
import { FairStart } from '../../http/connections/fair-start.ts'
import { LONG_TURN_MS, STARTS_PER_TURN, STARTS_PER_TURN_ALONE } from '../../http/connections/limits.ts'
import { openRoute } from '../../http/route.ts'
import { yieldToEventLoop } from '../../runtime/yield-to-event-loop.ts'
import { createWorld, type World } from './pipeline-world.ts'
import { get, openRaw, statusesIn } from './raw-connection.ts'

const ATTACKER = '127.0.0.2'
const BYSTANDER = '127.0.0.3'
const times = (count: number, run: (n: number) => void) => Array.from({ length: count }, (_, n) => run(n))

describe('FairStart', () => {
  const started: string[] = []
  let nowMs = 0
  const start = (fair: FairStart, address: string) => fair.start(address, () => started.push(address))
  beforeEach(() => started.splice(0))

  it('starts 64 requests of the only present address in one event-loop iteration, and the next 64 in the next', async () => {
    const fair = new FairStart({}, () => nowMs)
    times(2 * STARTS_PER_TURN_ALONE, () => start(fair, 'a'))
    expect(started).to.have.length(STARTS_PER_TURN_ALONE)
    await yieldToEventLoop()
    expect(started).to.have.length(2 * STARTS_PER_TURN_ALONE)
  })

  it('starts 4 requests per iteration of each address when two are present', async () => {
    const fair = new FairStart({}, () => nowMs)
    start(fair, 'b')
    times(10, () => start(fair, 'a'))
    expect(started).to.deep.equal(['b', 'a', 'a', 'a', 'a'])
    await yieldToEventLoop()
    expect(started).to.have.length(1 + 2 * STARTS_PER_TURN)
    await yieldToEventLoop()
    expect(started).to.have.length(11)
  })

  it('alternates between waiting addresses, each in the order of its own requests', async () => {
    const fair = new FairStart({}, () => nowMs)
    const observed: string[] = []
    start(fair, 'c')
    start(fair, 'b')
    for (const address of ['a', 'b']) times(8, (n) => fair.start(address, () => observed.push(`${address}${n}`)))
    await yieldToEventLoop()
    await yieldToEventLoop()
    const second = ['a4', 'b3', 'a5', 'b4', 'a6', 'b5', 'a7', 'b6']
    expect(observed.slice(7)).to.deep.equal([...second, 'b7'])
    expect(observed.filter((one) => one.startsWith('a'))).to.deep.equal(times(8, (n) => `a${n}`))
  })

  it('starts one request per iteration of each address after an iteration of more than 4 ms', async () => {
    const fair = new FairStart({}, () => nowMs)
    start(fair, 'b')
    times(10, () => start(fair, 'a'))
    nowMs += LONG_TURN_MS + 1
    await yieldToEventLoop()
    expect(started).to.have.length(1 + STARTS_PER_TURN + 1)
  })

  it('forgets a cancelled waiting request, which takes no slot of an iteration', async () => {
    const fair = new FairStart({}, () => nowMs)
    start(fair, 'b')
    const cancels = Array.from({ length: 9 }, (_, n) => fair.start('a', () => started.push(`a${n}`)))
    for (const one of cancels.slice(4, 8)) one()
    await yieldToEventLoop()
    expect(started).to.deep.equal(['b', 'a0', 'a1', 'a2', 'a3', 'a8'])
  })

  it('counts each request that waits for a later iteration', async () => {
    let deferred = 0
    const fair = new FairStart({ deferred: () => deferred++ }, () => nowMs)
    start(fair, 'b')
    times(10, () => start(fair, 'a'))
    await yieldToEventLoop()
    await yieldToEventLoop()
    expect(deferred).to.equal(10 - STARTS_PER_TURN)
  })
})

describe('a flood of requests from one network address', () => {
  let world: World
  afterEach(() => world.close())

  /** A route that records the most requests of the attacker that ran in one event-loop iteration. */
  const countPerIteration = () => {
    const observed = { thisIteration: 0, max: 0 }
    const route = openRoute({
      method: 'GET',
      path: '/api/test/:who/',
      needs: 'nothing',
      tenantOnly: false,
      records: false,
      summary: 'A test.',
      answers: { 200: z.unknown() },
      handle: async ({ params: { who } }) => {
        if (who === 'attacker') {
          if (observed.thisIteration++ === 0) setImmediate(() => (observed.thisIteration = 0))
          observed.max = Math.max(observed.max, observed.thisIteration)
        }
        return { status: 200, body: {} }
      },
    })
    return { observed, route }
  }

  async function flood(forwarded: string[]) {
    const { observed, route } = countPerIteration()
    world = await createWorld({ routes: [route], trustedProxies: (ip) => ip === '127.0.0.4' })
    const peer = (own: string) => (forwarded.length > 0 ? '127.0.0.4' : own)
    const bystander = await openRaw(world.port, peer(BYSTANDER))
    const from = (own: string) => (forwarded.length > 0 ? [`X-Forwarded-For: ${own}`] : [])
    bystander.socket.write(get('/api/test/bystander/', ...from(BYSTANDER)))
    await bystander.until((text) => statusesIn(text).length === 1)
    const attackers = await Promise.all(Array.from({ length: 60 }, () => openRaw(world.port, peer(ATTACKER))))
    const send = async (count: number, answered: number) => {
      for (const { socket } of attackers) socket.write(get('/api/test/attacker/', ...from(ATTACKER)).repeat(count))
      await Promise.all(attackers.map(({ until }) => until((text) => statusesIn(text).length === answered)))
    }
    // The first request ensures that each connection is accepted, so the others are read in one iteration.
    await send(1, 1)
    // That may take longer than the bystander counts as present. It is present again when the attack begins.
    observed.max = 0
    bystander.socket.write(get('/api/test/bystander/', ...from(BYSTANDER)))
    await send(5, 6)
    for (const { socket } of [bystander, ...attackers]) {
      socket.destroy()
      await once(socket, 'close')
    }
    return observed.max
  }

  // One measurement may cover the ends of two iterations.
  it('runs few of its requests per iteration while another address calls', async () => {
    expect(await flood([])).to.be.within(1, 2 * STARTS_PER_TURN)
  })

  it('is counted by the forwarded address behind a trusted proxy', async () => {
    expect(await flood(['x-forwarded-for'])).to.be.within(1, 2 * STARTS_PER_TURN)
  })
})
