// A player joins a room in which another connection of theirs has a seat, over real sockets: silent connections, whose
// TCP stays open and which answer nothing, and live ones. The same if all clients are on one node or each on another.

import { expect } from 'chai'
import { SEAT_SILENT_MS } from '../../stores/contract/rooms.ts'
import type { Body } from '../front-door/http-client.ts'
import type { World } from '../front-door/world.ts'
import { eventually } from '../until.ts'
import { closeRoomClients, openRoomsFixture, type RoomClient, type RoomsFixture } from './rooms-fixture.ts'

interface TakeoverUnderTest {
  readonly world: World
  /** The port of the older connections, and that of the newcomers. */
  readonly ports: readonly [older: number, newer: number]
  close(): Promise<void>
}

const WAIT_MAX_MS = 5_000
/** For the calls of a test beside the promised time, on a busy machine. */
const SLACK_MS = 1_500

/** The client stops reading, so it answers nothing. Returns the function that resumes it. */
function silence({ socket }: RoomClient): () => void {
  const { transport } = socket.io.engine
  const webSocket = (transport as unknown as { readonly ws: { pause(): void; resume(): void } }).ws
  webSocket.pause()
  return () => webSocket.resume()
}

/** A client that polls still reads, and sends nothing more. */
function silencePolling({ socket }: RoomClient): void {
  Reflect.set(socket.io.engine, '_sendPacket', () => {})
}

async function timed(ask: Promise<Body>): Promise<readonly [answer: Body, ms: number]> {
  const began = performance.now()
  const answer = await ask
  return [answer, performance.now() - began]
}

export function seatTakeoverSuite(title: string, open: () => Promise<TakeoverUnderTest>): void {
  describe(title, () => {
    let fixture: RoomsFixture
    let under: TakeoverUnderTest
    before(async () => {
      under = await open()
    })
    after(() => under.close())
    beforeEach(async () => {
      fixture = await openRoomsFixture(under.world, { require_player: false })
    })
    afterEach(() => closeRoomClients())

    type Transports = readonly ('polling' | 'websocket')[]
    const older = (token: string, transports: Transports = ['websocket']) =>
      fixture.enter({ token, port: under.ports[0], transports })
    const newer = (token: string) => fixture.enter({ token, port: under.ports[1] })

    /** A room of Ben with a seat of Ann's older connection. */
    async function shared(max_members: number, transports?: Transports) {
      const [ann, ben] = [await fixture.guest('Ann'), await fixture.guest('Ben')]
      const host = await newer(ben.token)
      const { room } = await host.ask('create', { name: 'Den', max_members })
      const first = await older(ann.token, transports)
      const { member } = await first.ask('join', { room: room.id })
      await host.next('member_joined')
      return { ann, host, first, room: room.id as string, member: member as string }
    }

    it('takes the seat of a silent connection over in a full room, within five seconds', async () => {
      const { ann, host, first, room, member } = await shared(2)
      await first.next('joined')
      const goOn = silence(first)
      const second = await newer(ann.token)
      const [answer, ms] = await timed(second.ask('join', { room }))
      expect([answer.ok, answer.room?.members]).to.deep.equal([true, 2])
      expect(ms).to.be.within(SEAT_SILENT_MS - 100, WAIT_MAX_MS + SLACK_MS)
      const player = { id: ann.id, name: 'Ann' }
      expect(answer.members.at(-1)).to.deep.equal({ member: answer.member, player })
      expect(await host.next('member_left')).to.deep.equal({ room, member, reason: 'replaced' })
      await eventually(() => host.received.length > 0)
      expect(host.received).to.deep.equal([{ event: 'member_joined', body: { room, member: answer.member, player } }])
      goOn()
      expect(await first.next('left')).to.deep.equal({ room })
      expect((await first.ask('send', { room, data: 1 })).code).to.equal('not_in_room')
      expect((await second.ask('send', { room, data: 1 })).ok).to.equal(true)
      expect((await host.next('message')).from).to.equal(answer.member)
    })

    it('takes over the only seat of a room, also from a client that polls, and the room stays open', async () => {
      const ann = await fixture.guest('Ann')
      const first = await older(ann.token, ['polling'])
      const { room } = await first.ask('create', { name: 'Den', max_members: 1 })
      expect((await first.ask('send', { room: room.id, data: 'kept' })).seq).to.equal(1)
      silencePolling(first)
      const answer = await (await newer(ann.token)).ask('join', { room: room.id, since: 0 })
      expect([answer.ok, answer.seq, answer.missed?.[0]?.data]).to.deep.equal([true, 1, 'kept'])
      expect(await first.next('left')).to.deep.equal({ room: room.id })
    })

    it('does not wait in a room with a free seat, and frees the silent seat afterwards', async () => {
      const { ann, host, first, room, member } = await shared(3)
      await first.next('joined')
      const goOn = silence(first)
      const [answer, ms] = await timed((await newer(ann.token)).ask('join', { room }))
      expect([answer.ok, answer.room?.members]).to.deep.equal([true, 3])
      expect(ms).to.be.below(SEAT_SILENT_MS / 2)
      expect((await host.next('member_joined')).member).to.equal(answer.member)
      expect(await host.next('member_left')).to.deep.equal({ room, member, reason: 'replaced' })
      goOn()
      expect(await first.next('left')).to.deep.equal({ room })
    })

    for (const transport of ['websocket', 'polling'] as const) {
      it(`keeps the seat of a live older connection (${transport}), and refuses the newcomer within five seconds`, async () => {
        const { ann, host, first, room, member } = await shared(2, [transport])
        const second = await newer(ann.token)
        for (let times = 0; times < 2; times++) {
          const [answer, ms] = await timed(second.ask('join', { room }))
          expect([answer.ok, answer.code]).to.deep.equal([false, 'room_full'])
          expect(ms).to.be.below(WAIT_MAX_MS)
        }
        expect((await first.ask('send', { room, data: 1 })).ok).to.equal(true)
        expect((await host.next('message')).from).to.equal(member)
        expect(host.received).to.deep.equal([])
      })
    }

    it('lets a player have several live seats in a room that is not full', async () => {
      const { ann, host, first, room } = await shared(3)
      expect((await (await newer(ann.token)).ask('join', { room })).ok).to.equal(true)
      const [refused] = await timed((await newer(ann.token)).ask('join', { room }))
      expect(refused.code).to.equal('room_full')
      expect((await first.ask('send', { room, data: 1 })).ok).to.equal(true)
      expect((await host.next('member_joined')).player.id).to.equal(ann.id)
      await host.next('message')
      expect(host.received).to.deep.equal([])
    })

    it('gives a silent seat to exactly one of two newcomers of its player', async () => {
      const { ann, host, first, room, member } = await shared(2)
      silence(first)
      const newcomers = [await newer(ann.token), await older(ann.token)]
      const [answers, ms] = await timed(Promise.all(newcomers.map((one) => one.ask('join', { room }))))
      expect(answers.map(({ ok, code }: Body) => (ok ? 'joined' : code)).sort()).to.deep.equal(['joined', 'room_full'])
      expect(ms).to.be.below(WAIT_MAX_MS + SLACK_MS)
      expect(await host.next('member_left')).to.deep.equal({ room, member, reason: 'replaced' })
      const { member: winner } = answers.find(({ ok }: Body) => ok)
      expect((await host.next('member_joined')).member).to.equal(winner)
      expect(host.received).to.deep.equal([])
    })

    it('gives nothing to other players and to callers without a player', async () => {
      const { first, room } = await shared(2)
      silence(first)
      const others = [await newer((await fixture.guest()).token), await newer(fixture.client)]
      for (const other of others) {
        const [answer, ms] = await timed(other.ask('join', { room }))
        expect(answer.code).to.equal('room_full')
        expect(ms).to.be.below(SEAT_SILENT_MS / 2)
      }
      const nobodys = await newer(fixture.client)
      const { room: own } = await nobodys.ask('create', { name: 'Den', max_members: 1 })
      silence(nobodys)
      const [answer, ms] = await timed((await newer(fixture.client)).ask('join', { room: own.id }))
      expect(answer.code).to.equal('room_full')
      expect(ms).to.be.below(SEAT_SILENT_MS / 2)
    })

    it('gives the seat of a connection that closes meanwhile to the newcomer that waits for it', async () => {
      const { ann, host, first, room, member } = await shared(2)
      const goOn = silence(first)
      const second = await newer(ann.token)
      const joining = timed(second.ask('join', { room }))
      first.socket.disconnect()
      goOn()
      const [answer, ms] = await joining
      expect(answer.ok).to.equal(true)
      expect(ms).to.be.below(SEAT_SILENT_MS)
      expect(await host.next('member_left')).to.deep.equal({ room, member, reason: 'disconnected' })
      expect((await host.next('member_joined')).member).to.equal(answer.member)
    })
  })
}
