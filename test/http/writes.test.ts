// How many writes of one network address run at the same time, each over its own connection.

import { expect } from 'chai'
import { RecentCallers } from '../../http/connections/fair-start.ts'
import {
  createWrites,
  LARGE_WRITE_BYTES,
  LARGE_WRITES_PER_ADDRESS,
  WRITES_PER_ADDRESS,
  WRITES_PER_ADDRESS_SHARED,
  WRITES_SHARED_MS,
} from '../../http/pipeline/writes.ts'
import { gate, until } from '../until.ts'
import { createWorld, type World } from './pipeline-world.ts'
import { get, openRaw, statusesIn } from './raw-connection.ts'

const MANY = { perSecond: 10_000, burst: 10_000 }
const RATES = { key: MANY, player: MANY, address: MANY, handshake: MANY, guest: MANY }
const ATTACKER = '127.0.0.2'
const BYSTANDER = '127.0.0.3'
const BOARD = '/api/lb/b1/'

describe('writes of one network address', () => {
  let world: World
  afterEach(() => world.close())

  const AUTHORIZATION = `Authorization: Bearer client`
  const write = get(`${BOARD}slow/`, AUTHORIZATION, 'Content-Length: 0').replace('GET', 'POST')

  async function send(address: string, request: string) {
    const connection = await openRaw(world.port, address)
    connection.socket.write(request)
    return async () => statusesIn(await connection.until((text) => statusesIn(text).length === 1))[0]
  }

  it('run 64 at the same time; the next one waits, but no other addresses and no reads', async () => {
    world = await createWorld({ rateLimits: RATES })
    const writes = []
    for (let n = 0; n <= WRITES_PER_ADDRESS; n++) writes.push(await send(ATTACKER, write))
    const read = await send(ATTACKER, get(`${BOARD}score/`, AUTHORIZATION))
    expect(await read()).to.equal(200)
    expect(world.runs.now).to.equal(WRITES_PER_ADDRESS)
    writes.push(await send(BYSTANDER, write))
    await until(() => world.runs.now === WRITES_PER_ADDRESS + 1)
    expect(world.runs.total).to.equal(WRITES_PER_ADDRESS + 1)
    world.gate.open()
    const statuses = await Promise.all(writes.map((status) => status()))
    expect(new Set(statuses)).to.deep.equal(new Set([200]))
    expect(world.runs.total).to.equal(WRITES_PER_ADDRESS + 2)
  })

  it('all run at the same time with RATE_LIMITS=off', async () => {
    world = await createWorld({ rateLimits: 'off' })
    const writes = []
    for (let n = 0; n <= WRITES_PER_ADDRESS; n++) writes.push(await send(ATTACKER, write))
    await until(() => world.runs.now === WRITES_PER_ADDRESS + 1)
    world.gate.open()
    await Promise.all(writes.map((status) => status()))
  })
})

describe('writes of several network addresses', () => {
  it('run 16 at the same time per address until a second after another one wrote, and 64 of a single one', async () => {
    let nowMs = 0
    const writes = createWrites(undefined, () => nowMs)
    const { opened, open } = gate()
    let ran = 0
    const write = async () => {
      ran += 1
      await opened
    }
    const many = (network: string) =>
      Array.from({ length: WRITES_PER_ADDRESS + 1 }, () => writes.run(network, write, 0))
    const all = [writes.run('b', write, 0), ...many('a')]
    await until(() => ran === 1 + WRITES_PER_ADDRESS_SHARED)
    nowMs += WRITES_SHARED_MS
    const later = writes.run('a', write, 0)
    await until(() => ran === 2 + WRITES_PER_ADDRESS_SHARED)
    open()
    await Promise.all([...all, later])
    expect(ran).to.equal(3 + WRITES_PER_ADDRESS)
  })
})

describe('writes with large and small bodies of an address that is not alone', () => {
  it('run 16 at the same time, of which 8 are large', async () => {
    const writes = createWrites(undefined, () => 0)
    const { opened, open } = gate()
    const ran = { large: 0, small: 0 }
    const write = (kind: 'large' | 'small', bytes: number) =>
      writes.run(
        'a',
        async () => {
          ran[kind] += 1
          await opened
        },
        bytes,
      )
    const first = writes.run('b', () => opened, 0)
    const all = Array.from({ length: WRITES_PER_ADDRESS_SHARED }, () => [
      write('large', LARGE_WRITE_BYTES),
      write('small', 0),
    ]).flat()
    await until(() => ran.large + ran.small === WRITES_PER_ADDRESS_SHARED)
    expect(ran).to.deep.equal({ large: LARGE_WRITES_PER_ADDRESS, small: 8 })
    open()
    await Promise.all([first, ...all])
  })
})

describe('RecentCallers', () => {
  it('remembers another caller until a second after its last call', () => {
    let nowMs = 0
    const callers = new RecentCallers(1_000, () => nowMs)
    const at = (ms: number, site: string) => {
      nowMs = ms
      return callers.hasOthers(site)
    }
    expect([at(0, 'a'), at(0, 'a'), at(999, 'b'), at(1_998, 'b')]).to.deep.equal([false, false, true, false])
    expect([at(9_000, 'a'), at(9_001, 'b'), at(9_002, 'a'), at(10_000, 'a')]).to.deep.equal([false, true, true, true])
    expect(at(10_001, 'a')).to.equal(false)
  })
})

describe('a write that waits for others of its network address', () => {
  it('is refused with 503 busy, without having run, when its wait ends', async () => {
    const writes = createWrites(1)
    const { opened, open } = gate()
    const running = Array.from({ length: WRITES_PER_ADDRESS }, () => writes.run('a', () => opened, 0))
    let ran = false
    const late: unknown = await writes.run('a', async () => (ran = true), 0).catch((error: unknown) => error)
    expect(late).to.deep.include({ kind: 'unavailable', code: 'busy', fields: { retry_after: 2 } })
    expect(ran).to.equal(false)
    open()
    await Promise.all(running)
    expect(await writes.run('a', async () => 'runs again', 0)).to.equal('runs again')
  })

  it('waits while 8 writes with bodies of 4 KiB run, if its own body is large', async () => {
    const writes = createWrites()
    const { opened, open } = gate()
    let ran = 0
    const write = async () => {
      ran += 1
      await opened
    }
    const large = Array.from({ length: LARGE_WRITES_PER_ADDRESS + 1 }, () => writes.run('a', write, LARGE_WRITE_BYTES))
    await until(() => ran === LARGE_WRITES_PER_ADDRESS)
    const small = writes.run('a', write, LARGE_WRITE_BYTES - 1)
    await until(() => ran === LARGE_WRITES_PER_ADDRESS + 1)
    open()
    await Promise.all([...large, small])
    expect(ran).to.equal(LARGE_WRITES_PER_ADDRESS + 2)
  })
})
