// Rooms in a Redis that many processes share, and that is emptied, killed, restarted, paused or full, or whose
// answers get lost: rooms either continue or are all lost at once, and no member sees two orders in one room.

import { expect } from 'chai'
import { NODE_LOST } from '../../stores/contract/rooms.ts'
import { oneOrder } from '../contracts/rooms-order.suite.ts'
import { messagesOf, passesSoon, roomsOf, seqsOf, upTo, WatchedNode } from '../contracts/rooms-watched.ts'
import { LOBBY, roomsOn } from './redis-rooms.ts'
import { onceBack, RedisWorld, rejection } from './redis-world.ts'

const SENT_EACH = 5_000

describe('Rooms in Redis', () => {
  const world = new RedisWorld()
  afterEach(() => world.close())

  const { roomsAt, nodeAt, keysOf } = roomsOn(world)

  it(`have one order while 4 members send ${SENT_EACH} messages each over two nodes and others join`, async function () {
    this.timeout(120_000)
    const { url } = await world.server()
    await oneOrder(await roomsAt(url), SENT_EACH)
  })

  it('lose nothing if the connections of nodes break repeatedly', async function () {
    this.timeout(60_000)
    const { url } = await world.server()
    const [one, other] = [await nodeAt(url), await nodeAt(url)]
    const a = await one.made('g')
    const b = await other.joined('g', a.seat.room)
    for (let round = 0; round < 20; round++) {
      const sent = upTo(0, 50).map((n) => onceBack(() => one.node.send(a.seat, `[${round},${n}]`)))
      const clients = String(await world.command(url, 'CLIENT', 'LIST')).split('\n')
      const waiting = clients.filter((line) => line.includes('cmd=xread')).map((line) => /^id=(\d+)/.exec(line)?.[1])
      for (const id of waiting) if (id !== undefined) await world.command(url, 'CLIENT', 'KILL', 'ID', id)
      await Promise.all(sent)
    }
    await passesSoon(() => expect(seqsOf(b)).to.deep.equal(upTo(1, 1_000)))
    await passesSoon(() => expect(messagesOf(a)).to.deep.equal(messagesOf(b)))
    expect([...one.lost, ...other.lost]).to.deep.equal([])
    // Entries that were read are removed.
    for (const inbox of (await keysOf(url)).filter((key) => key.includes(':inbox:'))) {
      const unread = () => world.command(url, 'HGET', inbox.replace(':inbox:', ':node:'), 'unread')
      while ((await unread()) !== '0' || (await world.command(url, 'XLEN', inbox)) !== 0)
        await world.command(url, 'PING')
    }
  })

  it('are lost for all nodes after Redis was emptied, and can be created again', async () => {
    const { url } = await world.server()
    const [one, other] = [await nodeAt(url), await nodeAt(url)]
    const a = await one.joined('g', LOBBY.id, { fixed: LOBBY })
    const b = await other.joined('g', LOBBY.id, { fixed: LOBBY })
    await one.node.send(a.seat, '"before"')
    await passesSoon(() => expect(messagesOf(b)).to.have.length(1))
    await world.command(url, 'FLUSHALL')
    await world.command(url, 'SCRIPT', 'FLUSH')
    const c = await WatchedNode.enter(await roomsAt(url))
    const first = await c.joined('g', LOBBY.id, { fixed: LOBBY, since: a.joined.seq + 1 })
    expect((await rejection(one.node.send(a.seat, '"lost"'))).name).to.equal('StoreUnavailable')
    await other.node.heartbeat()
    expect([one.lost.length, other.lost.length]).to.deep.equal([1, 1])
    expect(first.joined.members).to.have.length(1)
    expect([first.joined.missed, first.joined.seq > a.joined.seq]).to.deep.equal([null, true])
    expect(await one.node.send(a.seat, '"lost"')).to.equal('not_in_room')
    expect(await other.node.send(b.seat, '"lost"')).to.equal('not_in_room')
    const again = await one.joined('g', LOBBY.id, { fixed: LOBBY })
    await c.node.send(first.seat, '"after"')
    await passesSoon(() => expect(messagesOf(again).map(({ data }) => data)).to.deep.equal(['"after"']))
    expect(messagesOf(b).map(({ data }) => data)).to.deep.equal(['"before"'])
  })

  it('are lost for all nodes after Redis was restarted or killed, which each node detects', async () => {
    const server = await world.server({ fsync: 'always' })
    const rooms = await roomsAt(server.url)
    const [one, other] = [await WatchedNode.enter(rooms), await nodeAt(server.url)]
    let rounds = 0
    for (const again of [() => server.restart(), () => server.kill().then(() => server.start())]) {
      const made = await onceBack(() => one.made('g'))
      const b = await other.joined('g', made.seat.room)
      const fixed = await other.joined('g', LOBBY.id, { fixed: LOBBY })
      await other.node.send(b.seat, '1')
      const epoch = ((await world.command(server.url, 'SMEMBERS', 'scorebook:rooms:epochs')) as string[])[0] ?? ''
      await again()
      rounds++
      await passesSoon(() => expect([one.lost.length, other.lost.length]).to.deep.equal([rounds, rounds]))
      expect(await onceBack(() => roomsOf(rooms, 'g'))).to.deep.equal({ rooms: [], count: 0 })
      expect(await onceBack(() => other.join('g', made.seat.room))).to.equal('room_not_found')
      const next = await onceBack(() => other.joined('g', LOBBY.id, { fixed: LOBBY, since: fixed.joined.seq }))
      expect([next.joined.members.length, next.joined.missed]).to.deep.equal([1, null])
      // Heartbeats remove the remains of the previous run.
      await onceBack(() => one.node.heartbeat())
      await other.leave(next)
      expect(epoch).to.have.length(40)
      expect((await keysOf(server.url)).filter((key) => key.includes(epoch))).to.deep.equal([])
    }
  })

  it('continue after Redis was suspended for longer than the deadline', async () => {
    const server = await world.server()
    const [one, other] = [await nodeAt(server.url), await nodeAt(server.url)]
    const a = await one.made('g')
    const b = await other.joined('g', a.seat.room)
    await one.node.send(a.seat, '"before"')
    server.suspend()
    expect((await rejection(one.node.heartbeat())).name).to.equal('RedisUnavailable')
    expect((await rejection(other.node.send(b.seat, '"unknown"'))).name).to.equal('RedisUnavailable')
    server.resume()
    await onceBack(() => one.node.send(a.seat, '"after"'))
    const heard = () => messagesOf(b).map(({ data }) => data)
    await passesSoon(() => expect(heard().at(-1)).to.equal('"after"'))
    await passesSoon(() => expect(messagesOf(a)).to.deep.equal(messagesOf(b)))
    expect(seqsOf(a)).to.deep.equal(upTo(1, heard().length))
    await onceBack(() => other.node.heartbeat())
    expect([...one.lost, ...other.lost]).to.deep.equal([])
  })

  it('report a missed event to the node, which releases its seats', async () => {
    const { url } = await world.server()
    const rooms = await roomsAt(url)
    const [one, other] = [await WatchedNode.enter(rooms), await nodeAt(url)]
    const a = await one.made('g')
    await other.joined('g', a.seat.room)
    const [inbox = ''] = (await keysOf(url)).filter((key) => key.includes(':inbox:'))
    // Three entries, of which the reader finds only the last.
    const cut = `for n = 1, 3 do
      local told = redis.call('HINCRBY', KEYS[1], 'told', 1)
      redis.call('XADD', KEYS[2], told .. '-0', 'e', 'l g/none m left')
    end
    return redis.call('XTRIM', KEYS[2], 'MAXLEN', 1)`
    await world.command(url, 'EVAL', cut, '2', inbox.replace(':inbox:', ':node:'), inbox)
    await passesSoon(() => expect(one.lost.length + other.lost.length).to.equal(1))
    expect([...one.lost, ...other.lost][0]).to.match(/^entries \d+ to \d+ were no longer there$/)
    const [cutOff, whole] = one.lost.length === 1 ? [one, other] : [other, one]
    await cutOff.node.heartbeat()
    expect((await roomsOf(rooms, 'g')).rooms.map(({ members }) => members)).to.deep.equal([1])
    await passesSoon(() => expect(whole.received.at(-1)).to.include({ type: 'left', reason: NODE_LOST }))
    expect((await cutOff.joined('g', a.seat.room)).joined.members).to.have.length(2)
  })
})
