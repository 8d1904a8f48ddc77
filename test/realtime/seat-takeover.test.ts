// Seats of silent connections on one node, and the bounds of what waits for them.

import { expect } from 'chai'
import {
  JOIN_AGAIN_EVERY_MS,
  SEAT_ANSWER_MAX_MS,
  WAITING_JOINS_PER_PLAYER,
  WAITING_JOINS_PER_SOCKET,
} from '../../realtime/limits.ts'
import type { RoomConnection } from '../../realtime/room-connection.ts'
import { SeatChecks } from '../../realtime/seat-checks.ts'
import { WaitingJoins } from '../../realtime/waiting-joins.ts'
import type { Joining, JoinRefusal, Seat } from '../../stores/contract/rooms.ts'
import { openWorld } from '../front-door/world.ts'
import { eventually } from '../until.ts'
import { seatTakeoverSuite } from './seat-takeover.suite.ts'

seatTakeoverSuite('a player who joins a room in which another connection of theirs has a seat', async () => {
  const world = await openWorld()
  return { world, ports: [world.port, world.port], close: () => world.close() }
})

const seatOf = (member: string): Seat => ({ game: 'g', room: `room-${member}`, member })
const connection = (over: object = {}) => ({ isGone: false, isPaused: false, onPong: () => {}, ...over })

describe('joins that wait for a silent connection', () => {
  /** A node whose seats were asked, until the test sets the outcome. */
  function waitingJoins() {
    const node = { outcome: 'seats_asked' as JoinRefusal | 'seats_asked' | null, asks: [] as boolean[] }
    const joins = new WaitingJoins({
      join: async ({ asks }) => {
        node.asks.push(asks)
        return node.outcome
      },
    })
    const join = (by: object, player: string, room = 'r') => {
      const joining: Joining = {
        ...seatOf('m'),
        room,
        player: { id: player, name: player },
        since: null,
        fixed: null,
        asks: true,
      }
      return joins.join(by as RoomConnection, joining, () => {})
    }
    return { node, join }
  }

  it('are bounded for a connection and for a player, and refused at once beyond that', async () => {
    const { node, join } = waitingJoins()
    const sockets = Array.from({ length: WAITING_JOINS_PER_PLAYER }, () => connection())
    const waiting = sockets.slice(0, WAITING_JOINS_PER_PLAYER / WAITING_JOINS_PER_SOCKET).flatMap((socket) => {
      return Array.from({ length: WAITING_JOINS_PER_SOCKET }, () => join(socket, 'ann'))
    })
    await eventually(() => node.asks.length >= waiting.length)
    expect(await join(sockets[0] as object, 'ann'), 'one more of the connection').to.equal('room_full')
    expect(await join(sockets[0] as object, 'ben'), 'of whatever player').to.equal('room_full')
    expect(await join(sockets.at(-1) as object, 'ann'), 'one more of the player').to.equal('room_full')
    const ofBen = join(sockets.at(-1) as object, 'ben')
    node.outcome = null
    expect([...new Set(await Promise.all([...waiting, ofBen]))]).to.deep.equal([null])
    node.outcome = 'seats_asked'
    const again = join(sockets[0] as object, 'ann')
    node.outcome = 'room_full'
    expect(await again, 'it waited').to.equal('room_full')
  })

  it('ask once, and end when their own connection ends', async () => {
    const { node, join } = waitingJoins()
    const socket = connection()
    const joining = join(socket, 'ann')
    await eventually(() => node.asks.length >= 3)
    expect(node.asks.slice(0, 3)).to.deep.equal([true, false, false])
    socket.isGone = true
    const began = performance.now()
    expect(await joining).to.equal('room_full')
    expect(performance.now() - began).to.be.below(JOIN_AGAIN_EVERY_MS * 5)
  })
})

describe('the check whether the connection of a seat answers', () => {
  function seatChecks(connections: Readonly<Record<string, object>>) {
    const outcomes: (readonly [what: string, member: string, reason?: string])[] = []
    const checks = new SeatChecks({
      node: {
        answered: async ({ member }) => void outcomes.push(['answered', member]),
        leave: async ({ member }, reason) => {
          outcomes.push(['leave', member, reason])
          return true
        },
      },
      roomRegistry: { connectionOf: ({ member }) => connections[member] as RoomConnection | undefined },
    })
    return { checks, outcomes }
  }

  it('pings once for each seat, and one pong answers for all its seats', async () => {
    let pings = 0
    const socket = connection({ ping: () => pings++ })
    const { checks, outcomes } = seatChecks({ a: socket, b: socket })
    for (const member of ['a', 'a', 'b', 'a', 'nobodys']) checks.asked(seatOf(member))
    expect(pings).to.equal(2)
    socket.onPong()
    expect(outcomes).to.deep.equal([
      ['answered', 'a'],
      ['answered', 'b'],
    ])
    socket.onPong()
    expect(outcomes).to.have.length(2)
    checks.asked(seatOf('a'))
    expect(pings).to.equal(3)
  })

  it('frees the seat of a silent connection, but not of one that is not read or has ended', async () => {
    const ping = () => {}
    const [silent, paused, gone] = [connection({ ping }), connection({ ping, isPaused: true }), connection({ ping })]
    const { checks, outcomes } = seatChecks({ silent, paused, gone })
    for (const member of ['gone', 'paused', 'silent']) checks.asked(seatOf(member))
    gone.isGone = true
    const began = performance.now()
    await eventually(() => outcomes.length >= 2)
    expect(performance.now() - began).to.be.greaterThan(SEAT_ANSWER_MAX_MS - 100)
    expect(outcomes).to.deep.equal([
      ['answered', 'paused'],
      ['leave', 'silent', 'replaced'],
    ])
  })
})
