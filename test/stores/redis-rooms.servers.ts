// Rooms in a Redis that many processes share, that is emptied, killed, restarted, held, full, or whose answers get lost:
// all is void at once or goes on, and nobody hears of two orders in one room.

import { expect } from 'chai'
import { afterEach, describe, it } from 'mocha'
import { NODE_LOST } from '../../stores/contract/rooms.ts'
import { connectRedis, type Redis } from '../../stores/redis/connection.ts'
import { INBOX_MOST_BYTES } from '../../stores/redis/rooms-inbox.ts'
import { RedisRoomsNode } from '../../stores/redis/rooms-node.ts'
import { oneOrder } from '../contracts/rooms-order.ts'
import { eventually, messagesOf, playerOf, roomsOf, seqsOf, upTo, WatchedNode } from '../contracts/rooms-watched.ts'
import { LONG_DEAD_MS } from './redis-rooms.ts'
import { onceBack, RedisWorld, rejection } from './redis-world.ts'

const LOBBY = { id: 'lobby', name: 'Lobby', max_members: 100, listed: true }
const SENT_EACH = 5_000

describe('Rooms in Redis', () => {
  const world = new RedisWorld()
  afterEach(() => world.close())

  /** Of a process of its own. */
  async function roomsAt(url: string, over: { namespace?: string; deadMs?: number } = {}) {
    return (await world.stores(url, { deadMs: LONG_DEAD_MS, ...over })).rooms
  }
  const nodeAt = async (url: string, over: { namespace?: string; deadMs?: number } = {}) =>
    WatchedNode.enter(await roomsAt(url, over))
  const keysOf = async (url: string) => ((await world.command(url, 'KEYS', '*')) as string[]).toSorted()

  it(`have one order for 4 who send ${SENT_EACH} each over two nodes, and for who joins meanwhile`, async function () {
    this.timeout(120_000)
    const { url } = await world.server()
    await oneOrder(await roomsAt(url), SENT_EACH)
  })

  it('lose nothing where the connections of nodes break again and again', async function () {
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
    await eventually(() => expect(seqsOf(b)).to.deep.equal(upTo(1, 1_000)))
    await eventually(() => expect(messagesOf(a)).to.deep.equal(messagesOf(b)))
    expect([...one.lost, ...other.lost]).to.deep.equal([])
    // What was read is taken out.
    for (const inbox of (await keysOf(url)).filter((key) => key.includes(':inbox:'))) {
      const unread = () => world.command(url, 'HGET', inbox.replace(':inbox:', ':node:'), 'unread')
      while ((await unread()) !== '0' || (await world.command(url, 'XLEN', inbox)) !== 0)
        await world.command(url, 'PING')
    }
  })

  it('are void for all where it was emptied, and begin anew', async () => {
    const { url } = await world.server()
    const [one, other] = [await nodeAt(url), await nodeAt(url)]
    const a = await one.joined('g', LOBBY.id, { fixed: LOBBY })
    const b = await other.joined('g', LOBBY.id, { fixed: LOBBY })
    await one.node.send(a.seat, '"before"')
    await eventually(() => expect(messagesOf(b)).to.have.length(1))
    await world.command(url, 'FLUSHALL')
    await world.command(url, 'SCRIPT', 'FLUSH')
    const c = await WatchedNode.enter(await roomsAt(url))
    const first = await c.joined('g', LOBBY.id, { fixed: LOBBY, since: a.joined.seq + 1 })
    expect((await rejection(one.node.send(a.seat, '"lost"'))).name).to.equal('StoreAway')
    await other.node.beat()
    expect([one.lost.length, other.lost.length]).to.deep.equal([1, 1])
    expect(first.joined.members).to.have.length(1)
    expect([first.joined.missed, first.joined.seq > a.joined.seq]).to.deep.equal([null, true])
    expect(await one.node.send(a.seat, '"lost"')).to.equal('not_in_room')
    expect(await other.node.send(b.seat, '"lost"')).to.equal('not_in_room')
    const again = await one.joined('g', LOBBY.id, { fixed: LOBBY })
    await c.node.send(first.seat, '"after"')
    await eventually(() => expect(messagesOf(again).map(({ data }) => data)).to.deep.equal(['"after"']))
    expect(messagesOf(b).map(({ data }) => data)).to.deep.equal(['"before"'])
  })

  it('are void for all where it was restarted or killed, which each node hears by itself', async () => {
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
      await eventually(() => expect([one.lost.length, other.lost.length]).to.deep.equal([rounds, rounds]))
      expect(await onceBack(() => roomsOf(rooms, 'g'))).to.deep.equal({ rooms: [], count: 0 })
      expect(await onceBack(() => other.join('g', made.seat.room))).to.equal('room_not_found')
      const next = await onceBack(() => other.joined('g', LOBBY.id, { fixed: LOBBY, since: fixed.joined.seq }))
      expect([next.joined.members.length, next.joined.missed]).to.deep.equal([1, null])
      // What the run before left is cleared away with the beats.
      await onceBack(() => one.node.beat())
      await other.leave(next)
      expect(epoch).to.have.length(40)
      expect((await keysOf(server.url)).filter((key) => key.includes(epoch))).to.deep.equal([])
    }
  })

  it('go on where it was held for longer than an answer may take', async () => {
    const server = await world.server()
    const [one, other] = [await nodeAt(server.url), await nodeAt(server.url)]
    const a = await one.made('g')
    const b = await other.joined('g', a.seat.room)
    await one.node.send(a.seat, '"before"')
    server.hold()
    expect((await rejection(one.node.beat())).name).to.equal('RedisAway')
    expect((await rejection(other.node.send(b.seat, '"unknown"'))).name).to.equal('RedisAway')
    server.resume()
    await onceBack(() => one.node.send(a.seat, '"after"'))
    const heard = () => messagesOf(b).map(({ data }) => data)
    await eventually(() => expect(heard().at(-1)).to.equal('"after"'))
    await eventually(() => expect(messagesOf(a)).to.deep.equal(messagesOf(b)))
    expect(seqsOf(a)).to.deep.equal(upTo(1, heard().length))
    await onceBack(() => other.node.beat())
    expect([...one.lost, ...other.lost]).to.deep.equal([])
  })

  it('tell a node that missed something, which gives up its seats', async () => {
    const { url } = await world.server()
    const rooms = await roomsAt(url)
    const [one, other] = [await WatchedNode.enter(rooms), await nodeAt(url)]
    const a = await one.made('g')
    await other.joined('g', a.seat.room)
    const [inbox = ''] = (await keysOf(url)).filter((key) => key.includes(':inbox:'))
    // Three entries, of which the reader finds the last.
    const cut = `for n = 1, 3 do
      local told = redis.call('HINCRBY', KEYS[1], 'told', 1)
      redis.call('XADD', KEYS[2], told .. '-0', 'e', 'l g/none m left')
    end
    return redis.call('XTRIM', KEYS[2], 'MAXLEN', 1)`
    await world.command(url, 'EVAL', cut, '2', inbox.replace(':inbox:', ':node:'), inbox)
    await eventually(() => expect(one.lost.length + other.lost.length).to.equal(1))
    expect([...one.lost, ...other.lost][0]).to.match(/^entries \d+ to \d+ were no longer there$/)
    const [cutOff, whole] = one.lost.length === 1 ? [one, other] : [other, one]
    await cutOff.node.beat()
    expect((await roomsOf(rooms, 'g')).rooms.map(({ members }) => members)).to.deep.equal([1])
    await eventually(() => expect(whole.told.at(-1)).to.include({ type: 'left', reason: NODE_LOST }))
    expect((await cutOff.joined('g', a.seat.room)).joined.members).to.have.length(2)
  })

  it('hold no more than so much for a node that does not read, which then knows', async () => {
    const { url } = await world.server()
    const [redis, sender] = [await connectRedis(url), await nodeAt(url)]
    let open = () => {}
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    /** Reads nothing until it is let. */
    const connect = async (): Promise<Redis> => {
      const real = await connectRedis(url)
      return { shown: real.shown, close: () => real.close(), use: (...call) => gate.then(() => real.use(...call)) }
    }
    const lost: string[] = []
    const hearing = { heard: () => {}, lost: (why: string) => void lost.push(why) }
    const stuck = new RedisRoomsNode({ redis, connect, namespace: 'scorebook:', deadMs: LONG_DEAD_MS, hearing })
    const a = await sender.made('g')
    const seat = { game: 'g', room: a.seat.room, member: 'stuck' }
    const joining = stuck.join({ ...seat, player: null, since: null, fixed: null }, () => {}).catch(() => 'lost')
    await eventually(() => expect(a.heard.at(-1)).to.include({ type: 'joined', member: 'stuck' }))
    const data = JSON.stringify('x'.repeat(60_000))
    const [inbox = ''] = (await keysOf(url)).filter((key) => key.includes(':inbox:'))
    for (let n = 0; n * data.length <= INBOX_MOST_BYTES * 1.5; n++) await sender.node.send(a.seat, data)
    for (const key of (await keysOf(url)).filter((one) => one.includes(':inbox:'))) {
      expect(Number(await world.command(url, 'MEMORY', 'USAGE', key, 'SAMPLES', '0'))).to.be.below(INBOX_MOST_BYTES)
    }
    expect(inbox).to.include('inbox')
    open()
    await eventually(() => expect(lost).to.have.length(1))
    expect(lost[0]).to.match(/no longer there/)
    expect(await joining).to.equal('lost')
    await stuck.close()
    redis.close()
  })

  it('take back a seat whose answer was lost, and let go who left unheard', async () => {
    const { url } = await world.server()
    const way = await world.lossy(url)
    const [near, far] = [await nodeAt(url), await nodeAt(way.url)]
    const a = await near.made('g')
    const b = await far.joined('g', a.seat.room)
    way.lose()
    expect((await rejection(far.join('g', a.seat.room))).name).to.equal('RedisAway')
    way.mend()
    const told = () => a.heard.slice(1).map((event) => (event.type === 'left' ? event.reason : event.type))
    await eventually(() => expect(told()).to.deep.equal(['joined', 'join_failed']))
    way.lose()
    expect((await rejection(far.node.beat())).name).to.equal('RedisAway')
    // There is no connection now, so it is not even sent.
    expect((await rejection(far.leave(b, 'unheard'))).name).to.equal('RedisAway')
    way.mend()
    await onceBack(() => far.node.beat())
    await eventually(() => expect(told()).to.deep.equal(['joined', 'join_failed', 'unheard']))
    expect([...far.lost, ...near.lost]).to.deep.equal([])
    expect((await far.joined('g', a.seat.room)).joined.members).to.have.length(2)
  })

  it('are refused where memory is full, with what to do; who sits there can leave, and nodes live on', async () => {
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
    const why = `Redis at ${url} refused a command: it has no memory left (maxmemory is reached). Raise maxmemory, or free some.`
    for (const call of calls) expect((await rejection(call)).message).to.equal(why)
    await node.node.beat()
    expect([await node.leave(b), await node.leave(c)]).to.deep.equal([true, true])
    await world.command(url, 'CONFIG', 'SET', 'maxmemory', '0')
    expect(await node.node.send(a.seat, '1')).to.include({ seq: 1 })
    await eventually(() => expect(a.heard.map(({ type }) => type)).to.deep.equal(['joined', 'left', 'message']))
    expect(node.lost).to.deep.equal([])
  })

  it('are of one namespace', async () => {
    const { url } = await world.server()
    // As operations.md gives them: for the keys of that namespace alone.
    const rights = 'on >pw ~one:* resetchannels -@all +@read +@write -@dangerous +eval +evalsha +info +time +ping'
    await world.command(url, 'ACL', 'SETUSER', 'one', ...rights.split(' '))
    const one = await nodeAt(url.replace('//', '//one:pw@'), { namespace: 'one:' })
    const other = await nodeAt(url, { namespace: 'other:' })
    await one.leave(await one.made('g'))
    await one.node.beat()
    await one.joined('g', LOBBY.id, { fixed: LOBBY })
    const b = await other.joined('g', LOBBY.id, { fixed: LOBBY })
    expect(b.joined.members).to.deep.equal([{ member: b.seat.member, player: playerOf(b.seat.member) }])
    expect(one.told.map(({ type }) => type)).to.deep.equal(['joined', 'joined'])
  })

  it('free the seats of a node that is silent, by the clock there is', async () => {
    const deadMs = 1_500
    const { url } = await world.server()
    const rooms = await roomsAt(url, { deadMs })
    const [dead, other] = [await WatchedNode.enter(rooms), await nodeAt(url, { deadMs })]
    const a = await other.made('g')
    const began = performance.now()
    await dead.joined('g', a.seat.room)
    await dead.node.beat()
    while ((await roomsOf(rooms, 'g')).rooms[0]?.members !== 1) await other.node.beat()
    expect(performance.now() - began).to.be.at.least(deadMs)
    await dead.node.beat()
    expect([dead.lost.length, other.lost.length]).to.deep.equal([1, 0])
  })

  it('end dead nodes in time where the clock was set back, and leave nothing behind', async () => {
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
    await other.node.beat()
    for (let n = 0; n < 2; n++) {
      await pass(LONG_DEAD_MS / 2)
      await other.node.beat()
    }
    expect(await world.command(url, 'ZCARD', nodes)).to.equal(1)
    await other.node.close()
    const left = (await keysOf(url)).filter((key) => key.includes('rooms:'))
    expect(left.map((key) => key.split(':').at(-1))).to.have.members(['epochs', 'counts'])
  })
})
