// The total order of a room: sending, delivery, and replay of missed messages.

import { expect } from 'chai'
import { NODE_LOST, ROOM_KEEPS } from '../../stores/contract/rooms.ts'
import { messagesOf, type OpenRooms, passesSoon, type Sitter, seqsOf, upTo, WatchedNode } from './rooms-watched.ts'
import type { Check } from './test-contract.ts'

const DATA = ['1', '"a b  c"', '{"a":[1, 2],"é":"日\u2028 "}', '" "', '""', JSON.stringify('m x/y 1 2\n\\'), 'null']
const SENDERS = 4
const EACH = 500

const sendAll = async (node: WatchedNode, { seat }: Sitter, data: readonly string[]) => {
  for (const one of data) await node.node.send(seat, one)
}

export const roomsOrderChecks: readonly Check<OpenRooms>[] = [
  {
    name: 'deliver each message unchanged to every member and to nobody else',
    run: async (make) => {
      const { rooms } = await (await make())()
      const [one, other] = [await WatchedNode.enter(rooms), await WatchedNode.enter(rooms)]
      const a = await one.made('g')
      const b = await other.joined('g', a.seat.room)
      const elsewhere = [await one.made('g'), await other.made('h')]
      const results = []
      for (const data of DATA) results.push(await other.node.send(b.seat, data))
      const sent = DATA.map((data, n) => ({ data, from: b.seat.member, seq: n + 1 }))
      for (const { node, sitter } of [
        { node: one, sitter: a },
        { node: other, sitter: b },
      ]) {
        await passesSoon(() => expect(messagesOf(sitter)).to.have.length(DATA.length))
        const heard = messagesOf(sitter).map(({ data, from, seq }) => ({ data, from, seq }))
        expect(heard).to.deep.equal(sent)
        const receivedTexts = messagesOf(sitter).map(({ seq, sentAtMs }) => `${seq} ${sentAtMs}`)
        const expected = results.map((result) =>
          typeof result === 'string' ? result : `${result.seq} ${result.sentAtMs}`,
        )
        expect(receivedTexts).to.deep.equal(expected)
        expect(node.received.every(({ room, type }) => room === a.seat.room || type === 'joined')).to.equal(true)
      }
      expect(elsewhere.flatMap(({ heard }) => heard)).to.deep.equal([])
      const times = messagesOf(a).map(({ sentAtMs }) => sentAtMs)
      expect(times).to.deep.equal(times.toSorted((x, y) => x - y))
      expect(times[0]).to.be.within(Date.now() - 3_600_000, Date.now() + 3_600_000)
    },
  },
  {
    name: `deliver the last ${ROOM_KEEPS} missed messages, and report if more were missed`,
    run: async (make) => {
      const { rooms } = await (await make())()
      const node = await WatchedNode.enter(rooms)
      const a = await node.made('g')
      const missedSince = async (since: number | null) => {
        const { joined } = await node.joined('g', a.seat.room, { since })
        return joined.missed?.map(({ seq }) => seq) ?? null
      }
      expect(await missedSince(0)).to.deep.equal([])
      await sendAll(node, a, DATA)
      expect(await missedSince(0)).to.deep.equal(upTo(1, DATA.length))
      const again = await node.joined('g', a.seat.room, { since: 2 })
      expect(again.joined.seq).to.equal(DATA.length)
      await passesSoon(() => expect(messagesOf(a)).to.have.length(DATA.length))
      const heard = messagesOf(a).map(({ from, data, seq, sentAtMs }) => ({ from, data, seq, sentAtMs }))
      expect(again.joined.missed).to.deep.equal(heard.slice(2))
      await sendAll(node, a, upTo(1, 100 - DATA.length).map(String))
      expect(await missedSince(100 - ROOM_KEEPS)).to.deep.equal(upTo(101 - ROOM_KEEPS, ROOM_KEEPS))
      expect(await missedSince(99)).to.deep.equal([100])
      expect(await missedSince(100)).to.deep.equal([])
      for (const since of [null, 0, 99 - ROOM_KEEPS, 101, Number.MAX_SAFE_INTEGER]) {
        expect(await missedSince(since), String(since)).to.equal(null)
      }
    },
  },
  {
    name: 'deliver a direct message to one member, outside the order',
    run: async (make) => {
      const { rooms } = await (await make())()
      const [one, other] = [await WatchedNode.enter(rooms), await WatchedNode.enter(rooms)]
      const a = await one.made('g')
      const [b, c] = [await other.joined('g', a.seat.room), await other.joined('g', a.seat.room)]
      for (const data of DATA) expect(await one.node.sendTo(a.seat, b.seat.member, data)).to.be.an('object')
      await one.node.sendTo(a.seat, a.seat.member, '"self"')
      await other.node.sendTo(c.seat, b.seat.member, '"near"')
      expect(await one.node.send(a.seat, '"last"')).to.include({ seq: 1 })
      const dataOf = (sitter: Sitter) => sitter.heard.map((event) => ('data' in event ? event.data : event.type))
      await passesSoon(() => expect(dataOf(b)).to.deep.equal(['joined', ...DATA, '"near"', '"last"']))
      await passesSoon(() => expect(dataOf(c)).to.deep.equal(['"near"', '"last"']))
      await passesSoon(() => expect(dataOf(a)).to.deep.equal(['joined', 'joined', ...DATA, '"self"', '"last"']))
      const [, , direct] = a.heard
      expect(direct).to.include({ type: 'direct', from: a.seat.member, to: b.seat.member, room: a.seat.room })
      const { joined } = await one.joined('g', a.seat.room, { since: 0 })
      expect(joined.missed?.map(({ data }) => data)).to.deep.equal(['"last"'])
      for (const to of ['nobody', '', ' ', '__proto__']) {
        expect(await one.node.sendTo(a.seat, to, '1')).to.equal('member_not_found')
      }
      await other.leave(c)
      expect(await one.node.sendTo(a.seat, c.seat.member, '1')).to.equal('member_not_found')
      expect(await other.node.sendTo(c.seat, a.seat.member, '1')).to.equal('not_in_room')
      expect(await other.node.send(c.seat, '1')).to.equal('not_in_room')
    },
  },
  {
    name: `give all members the same order without gaps while ${SENDERS} send at once over two nodes`,
    run: async (make) => {
      const { rooms } = await (await make())()
      await oneOrder(rooms, EACH)
    },
  },
  {
    name: 'keep the same order for all members when one sends and leaves during delivery',
    run: async (make) => {
      const { rooms } = await (await make())()
      const [one, other] = [await WatchedNode.enter(rooms), await WatchedNode.enter(rooms)]
      const a = await one.made('g')
      const [b, c] = [await other.joined('g', a.seat.room), await one.joined('g', a.seat.room)]
      const asked: Promise<unknown>[] = []
      one.reacts((event) => {
        if (event.type !== 'message' || event.data !== '"first"') return
        asked.push(one.node.send(a.seat, '"second"'), one.leave(c, 'cut'))
      })
      await other.node.send(b.seat, '"first"')
      const dataReceivedBy = (sitter: Sitter) =>
        sitter.heard.map((event) => ('data' in event ? event.data : event.type))
      const order = ['"first"', '"second"', 'left']
      await passesSoon(() => expect(dataReceivedBy(b).slice(-3)).to.deep.equal(order))
      await passesSoon(() => expect(dataReceivedBy(a).slice(-3)).to.deep.equal(order))
      await Promise.all(asked)
    },
  },
  {
    name: 'continue for the others when a node closes, whose members leave at once',
    run: async (make) => {
      const { rooms } = await (await make())()
      const [one, other] = [await WatchedNode.enter(rooms), await WatchedNode.enter(rooms)]
      const a = await one.made('g')
      const b = await other.joined('g', a.seat.room)
      await other.made('g')
      await other.node.close()
      const left = { type: 'left', game: 'g', room: a.seat.room, member: b.seat.member, reason: NODE_LOST }
      await passesSoon(() => expect(a.heard.slice(1)).to.deep.equal([left]))
      const { rooms: found } = await rooms.list({ game: 'g', search: '', limit: 9, offset: 0, fixed: [] })
      expect(found.map(({ id, members }) => [id, members])).to.deep.equal([[a.seat.room, 1]])
      const calls = [
        other.node.heartbeat(),
        other.node.send(b.seat, '1'),
        other.create('g'),
        other.node.leave(b.seat, 'x'),
      ]
      const ends = await Promise.allSettled(calls)
      expect(ends.map(({ status }) => status)).to.deep.equal(calls.map(() => 'rejected'))
    },
  },
]

/** Concurrent senders over two nodes while members join: all receive one order, from their join on. */
export async function oneOrder(rooms: Parameters<typeof WatchedNode.enter>[0], each: number): Promise<void> {
  const nodes = [await WatchedNode.enter(rooms), await WatchedNode.enter(rooms)] as const
  const first = await nodes[0].made('g')
  const { room } = first.seat
  const senders = [first]
  for (let n = 1; n < SENDERS; n++) senders.push(await nodes[n % 2 === 0 ? 0 : 1].joined('g', room))
  const late: Sitter[] = []
  const sending = senders.map(async (sender, who) => {
    const { node } = nodes[who % 2 === 0 ? 0 : 1]
    for (let n = 0; n < each; n += 50) {
      await Promise.all(upTo(n, Math.min(50, each - n)).map((one) => node.send(sender.seat, `[${who},${one}]`)))
      if (n % (each / 5) === 0) late.push(await nodes[who % 2 === 0 ? 1 : 0].joined('g', room))
    }
  })
  await Promise.all(sending)
  const all = each * SENDERS
  const everybody = [...senders, ...late]
  await passesSoon(() => {
    for (const sitter of everybody) expect(messagesOf(sitter).at(-1)?.seq).to.equal(all)
  })
  const whole = first.heard.map((event) => JSON.stringify(event))
  expect(seqsOf(first)).to.deep.equal(upTo(1, all))
  for (const sitter of everybody) {
    const heard = sitter.heard.map((event) => JSON.stringify(event))
    expect(heard).to.deep.equal(whole.slice(whole.length - heard.length))
    expect(seqsOf(sitter)).to.deep.equal(upTo(sitter.joined.seq + 1, all - sitter.joined.seq))
  }
  for (const who of senders.keys()) {
    const own = messagesOf(first).flatMap(({ data }) => (data.startsWith(`[${who},`) ? [data] : []))
    expect(own).to.deep.equal(upTo(0, each).map((n) => `[${who},${n}]`))
  }
}
