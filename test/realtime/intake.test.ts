// Received frames are read in order, a limited number per turn of the event loop, and not while their client is paused.

import { EventEmitter } from 'node:events'
import { expect } from 'chai'
import { Backpressure } from '../../realtime/backpressure.ts'
import type { EngineSocket } from '../../realtime/engine-internals.ts'
import { Intake } from '../../realtime/intake.ts'
import { FRAMES_PER_TURN, WAITING_FRAME_BYTES } from '../../realtime/limits.ts'
import { createUnreadBytes } from '../../realtime/unread-bytes.ts'
import { turn, until } from '../until.ts'

/** The members of a connection that Backpressure uses. */
function heldConn() {
  const did: string[] = []
  const socket = { pause: () => did.push('pause'), resume: () => did.push('resume') }
  const conn = Object.assign(new EventEmitter(), { transport: { name: 'websocket', socket } })
  return { conn: conn as unknown as EngineSocket, did }
}

function intakeOf(backpressure: Backpressure, read: (data: Buffer, isBinary: boolean) => void, perNetwork = 1_000_000) {
  const unread = createUnreadBytes({ perNetwork, perNode: 1_000_000 })
  let over = 0
  const waiting = { account: unread.account('192.0.2.1'), over: () => void over++ }
  const weigh = ({ length }: Buffer) => length
  const intake = new Intake<[Buffer, boolean]>({ backpressure, behind: 'behind', read, weigh, waiting })
  return Object.assign(intake, { unread, overs: () => over })
}

describe('the frame queue of a connection', () => {
  function opened() {
    const { conn, did } = heldConn()
    const backpressure = new Backpressure(conn)
    const read: string[] = []
    const intake = intakeOf(backpressure, (data, isBinary) => {
      read.push(isBinary ? `${data} binary` : String(data))
    })
    const arrive = (text: string) => intake.arrived(Buffer.from(text), false)
    return { backpressure, read, did, intake, arrive }
  }

  it('reads frames up to the limit of a turn at once, without pausing the client', () => {
    const { read, did, intake, arrive } = opened()
    arrive('a')
    intake.arrived(Buffer.from('b'), true)
    expect(read).to.deep.equal(['a', 'b binary'])
    expect(did).to.deep.equal([])
  })

  it('reads further frames in later turns, in order, and pauses the client until then', async () => {
    const { read, did, arrive } = opened()
    const sent = Array.from({ length: 3 * FRAMES_PER_TURN + 5 }, (_, n) => String(n))
    for (const one of sent) arrive(one)
    expect(read).to.have.length(FRAMES_PER_TURN)
    expect(did).to.deep.equal(['pause'])
    let before = read.length
    while (read.length < sent.length) {
      await turn()
      expect(read.length - before).to.be.at.most(2 * FRAMES_PER_TURN)
      before = read.length
    }
    await until(() => did.length >= 2)
    expect(read).to.deep.equal(sent)
    expect(did).to.deep.equal(['pause', 'resume'])
  })

  it('reads nothing while backpressure is on, and everything afterwards', async () => {
    const { backpressure, read, did, arrive } = opened()
    backpressure.pause('resting')
    backpressure.pause('unsent')
    for (const one of ['a', 'b']) arrive(one)
    backpressure.release('unsent')
    for (let n = 0; n < 5; n++) await turn()
    expect(read).to.deep.equal([])
    backpressure.release('resting')
    await until(() => did.length >= 2)
    expect(read).to.deep.equal(['a', 'b'])
    expect(did).to.deep.equal(['pause', 'resume'])
  })

  it('stops when reading a frame causes backpressure, and loses no frame', async () => {
    const { conn, did } = heldConn()
    const backpressure = new Backpressure(conn)
    const read: string[] = []
    const intake = intakeOf(backpressure, (data) => {
      if (read.push(String(data)) === 2) backpressure.pause('resting')
    })
    for (const one of ['a', 'b', 'c']) intake.arrived(Buffer.from(one), false)
    await turn()
    expect(read).to.deep.equal(['a', 'b'])
    backpressure.release('resting')
    await until(() => did.length >= 2)
    expect(read).to.deep.equal(['a', 'b', 'c'])
  })

  it('counts queued frames until they are read, and reports a frame that does not fit', async () => {
    const { conn } = heldConn()
    const backpressure = new Backpressure(conn)
    const read: string[] = []
    const intake = intakeOf(backpressure, (data) => void read.push(String(data)), 2 * (WAITING_FRAME_BYTES + 1))
    backpressure.pause('resting')
    for (const one of ['a', 'b', 'c']) intake.arrived(Buffer.from(one), false)
    expect([intake.unread.bytes, intake.overs()]).to.deep.equal([2 * (WAITING_FRAME_BYTES + 1), 1])
    backpressure.release('resting')
    while (backpressure.isPaused) await turn()
    expect([read, intake.unread.bytes]).to.deep.equal([['a', 'b'], 0])
  })

  it('pauses the WebSocket to which a polling client upgrades', () => {
    const { conn, did } = heldConn()
    const { transport } = conn as unknown as { transport: { name: string } }
    transport.name = 'polling'
    const backpressure = new Backpressure(conn)
    backpressure.pause('resting')
    expect(did).to.deep.equal([])
    transport.name = 'websocket'
    ;(conn as unknown as EventEmitter).emit('upgrade')
    expect(did).to.deep.equal(['pause'])
    backpressure.end()
    backpressure.release('resting')
    expect(did, 'one that is over is let alone').to.deep.equal(['pause'])
  })
})
