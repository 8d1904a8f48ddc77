// Limits of rooms in Redis: nodes that do not read, lost answers, full memory, other installations, dead nodes, a
// clock that is set back.

import { expect } from 'chai'
import { connectRedis, type Redis } from '../../stores/redis/redis.ts'
import { MAX_INBOX_BYTES } from '../../stores/redis/rooms-inbox.ts'
import { RedisRoomsNode } from '../../stores/redis/rooms-node.ts'
import { passesSoon, playerOf, roomsOf, WatchedNode } from '../contracts/rooms-watched.ts'
import { gate } from '../until.ts'
import { LOBBY, LONG_DEAD_MS, roomsOn } from './redis-rooms.ts'
import { onceBack, RedisWorld, rejection } from './redis-world.ts'

describe('Rooms in Redis at their limits', () => {
  const world = new RedisWorld()
  afterEach(() => world.close())

  const { roomsAt, nodeAt, keysOf } = roomsOn(world)

  it('bound the inbox of a node that does not read, and report the loss to it', async () => {
    const { url } = await world.server()
    const [redis, sender] = [await connectRedis(url), await nodeAt(url)]
    const { opened, open } = gate()
    /** Reads nothing until the test allows it. */
    const connect = async (): Promise<Redis> => {
      const real = await connectRedis(url)
      return { shown: real.shown, close: () => real.close(), use: (...call) => opened.then(() => real.use(...call)) }
    }
    const lost: string[] = []
    const hearing = { heard: () => {}, lost: (reason: string) => void lost.push(reason), asked: () => {} }
    const stuck = new RedisRoomsNode({ redis, connect, namespace: 'scorebook:', deadMs: LONG_DEAD_MS, hearing })
    const a = await sender.made('g')
    const seat = { game: 'g', room: a.seat.room, member: 'stuck' }
    const joining = stuck
      .join({ ...seat, player: null, since: null, fixed: null, asks: true }, () => {})
      .catch(() => 'lost')
    await passesSoon(() => expect(a.heard.at(-1)).to.include({ type: 'joined', member: 'stuck' }))
    const data = JSON.stringify('x'.repeat(60_000))
    const [inbox = ''] = (await keysOf(url)).filter((key) => key.includes(':inbox:'))
    for (let n = 0; n * data.length <= MAX_INBOX_BYTES * 1.5; n++) await sender.node.send(a.seat, data)
    for (const key of (await keysOf(url)).filter((one) => one.includes(':inbox:'))) {
      expect(Number(await world.command(url, 'MEMORY', 'USAGE', key, 'SAMPLES', '0'))).to.be.below(MAX_INBOX_BYTES)
    }
    expect(inbox).to.include('inbox')
    open()
    await passesSoon(() => expect(lost).to.have.length(1))
    expect(lost[0]).to.match(/no longer there/)
    expect(await joining).to.equal('lost')
    await stuck.close()
    redis.close()
  })

  it('release a seat whose join was not answered, and repeat a leave that was lost', async () => {
    const { url } = await world.server()
    const way = await world.lossy(url)
    const [near, far] = [await nodeAt(url), await nodeAt(way.url)]
    const a = await near.made('g')
    const b = await far.joined('g', a.seat.room)
    way.lose()
    expect((await rejection(far.join('g', a.seat.room))).name).to.equal('RedisUnavailable')
    way.repair()
    // The inbox may be readable before commands can be sent again: then the next heartbeat releases the seat.
    await onceBack(() => far.node.heartbeat())
    const received = () => a.heard.slice(1).map((event) => (event.type === 'left' ? event.reason : event.type))
    await passesSoon(() => expect(received()).to.deep.equal(['joined', 'join_failed']))
    way.lose()
    expect((await rejection(far.node.heartbeat())).name).to.equal('RedisUnavailable')
    // There is no connection, so the command is not sent.
    expect((await rejection(far.leave(b, 'unheard'))).name).to.equal('RedisUnavailable')
    way.repair()
    await onceBack(() => far.node.heartbeat())
    await passesSoon(() => expect(received()).to.deep.equal(['joined', 'join_failed', 'unheard']))
    expect([...far.lost, ...near.lost]).to.deep.equal([])
    expect((await far.joined('g', a.seat.room)).joined.members).to.have.length(2)
  })

  it('are refused with advice if memory is full, while members can leave and nodes stay alive', async () => {
    const { url } = await world.server()
    const node = await nodeAt(url)
    const [a, b] = [await node.made('g'), await node.made('g')]
    const c = await node.joined('g', a.seat.room)
    await world.command(url, 'CONFIG', 'SET', 'maxmemory', '1')
    const calls = [
      node.node.send(a.seat, '1'),
      node.node.sendTo(a.seat, c.seat.member, '1'),
      node.join('g', a.seat.room),
      node.join('g', LOBBY.id, { fixed: LOBBY }),
      node.create('g'),
    ]
    const reason = `Redis at ${url} refused a command: it has no memory left (maxmemory is reached). Raise maxmemory, or free some.`
    for (const call of calls) expect((await rejection(call)).message).to.equal(reason)
    await node.node.heartbeat()
    expect([await node.leave(b), await node.leave(c)]).to.deep.equal([true, true])
    await world.command(url, 'CONFIG', 'SET', 'maxmemory', '0')
    expect(await node.node.send(a.seat, '1')).to.include({ seq: 1 })
    await passesSoon(() => expect(a.heard.map(({ type }) => type)).to.deep.equal(['joined', 'left', 'message']))
    expect(node.lost).to.deep.equal([])
  })

  it('are separate per namespace', async () => {
    const { url } = await world.server()
    // The rights of operations.md: for the keys of that namespace only.
    const rights = 'on >pw ~one:* resetchannels -@all +@read +@write -@dangerous +eval +evalsha +info +time +ping'
    await world.command(url, 'ACL', 'SETUSER', 'one', ...rights.split(' '))
    const one = await nodeAt(url.replace('//', '//one:pw@'), { namespace: 'one:' })
    const other = await nodeAt(url, { namespace: 'other:' })
    await one.leave(await one.made('g'))
    await one.node.heartbeat()
    await one.joined('g', LOBBY.id, { fixed: LOBBY })
    const b = await other.joined('g', LOBBY.id, { fixed: LOBBY })
    expect(b.joined.members).to.deep.equal([{ member: b.seat.member, player: playerOf(b.seat.member) }])
    expect(one.received.map(({ type }) => type)).to.deep.equal(['joined', 'joined'])
  })

  it('free the seats of a silent node by the clock of Redis', async () => {
    const deadMs = 1_500
    const { url } = await world.server()
    const rooms = await roomsAt(url, { deadMs })
    const [dead, other] = [await WatchedNode.enter(rooms), await nodeAt(url, { deadMs })]
    const a = await other.made('g')
    const began = performance.now()
    await dead.joined('g', a.seat.room)
    await dead.node.heartbeat()
    while ((await roomsOf(rooms, 'g')).rooms[0]?.members !== 1) await other.node.heartbeat()
    expect(performance.now() - began).to.be.at.least(deadMs)
    await dead.node.heartbeat()
    expect([dead.lost.length, other.lost.length]).to.deep.equal([1, 0])
  })

  it('remove dead nodes on time even if the clock was set back, and leave no keys', async () => {
    const { url } = await world.server()
    const [dead, other] = [await nodeAt(url), await nodeAt(url)]
    const { seat } = await dead.made('g')
    await other.joined('g', seat.room)
    const [nodes = ''] = (await keysOf(url)).filter((key) => key.endsWith(':nodes'))
    const pass = async (ms: number) => {
      for (const one of (await world.command(url, 'ZRANGE', nodes, '0', '-1')) as string[]) {
        await world.command(url, 'ZINCRBY', nodes, String(-ms), one)
      }
    }
    await pass(-3_600_000)
    await other.node.heartbeat()
    for (let n = 0; n < 2; n++) {
      await pass(LONG_DEAD_MS / 2)
      await other.node.heartbeat()
    }
    expect(await world.command(url, 'ZCARD', nodes)).to.equal(1)
    await other.node.close()
    const left = (await keysOf(url)).filter((key) => key.includes('rooms:'))
    expect(left.map((key) => key.split(':').at(-1))).to.have.members(['epochs', 'counts'])
  })
})
