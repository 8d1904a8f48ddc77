// Pings between the messages to a client: due by bytes, answered by number, and missed only if much was sent after
// them.

import { expect } from 'chai'
import { OPEN_PINGS_MAX, PROBE_EVERY_BYTES, STALLED_MAX_MS } from '../../realtime/limits.ts'
import { LivenessProbe } from '../../realtime/socket-writer.ts'
import { openWorld, type World } from '../front-door/world.ts'
import { pause } from '../until.ts'
import { metricOf } from './metric-of.ts'
import { stopReading } from './prove-hostile.ts'
import { closeRoomClients, openRoomsFixture } from './rooms-fixture.ts'

const pong = (number: number) => {
  const data = Buffer.alloc(4)
  data.writeUInt32BE(number)
  return data
}

describe('the liveness probe of a connection', () => {
  const asked = (livenessProbe: LivenessProbe, times: number) => {
    for (let n = 0; n < times; n++) expect(livenessProbe.countWritten(PROBE_EVERY_BYTES)).to.have.length(6)
  }

  it('sends a numbered ping every PROBE_EVERY_BYTES', () => {
    const livenessProbe = new LivenessProbe()
    expect(livenessProbe.countWritten(PROBE_EVERY_BYTES - 1)).to.equal(null)
    expect(livenessProbe.countWritten(1)?.toString('hex')).to.equal('890400000001')
    expect(livenessProbe.countWritten(1)).to.equal(null)
    expect(livenessProbe.countWritten(3 * PROBE_EVERY_BYTES)?.toString('hex')).to.equal('890400000002')
  })

  it('accepts a pong once, and counts earlier pings as answered too', () => {
    const livenessProbe = new LivenessProbe()
    asked(livenessProbe, 3)
    expect([pong(0), pong(4), Buffer.alloc(0)].map((one) => livenessProbe.answers(one))).to.deep.equal([
      false,
      false,
      false,
    ])
    expect([pong(2), pong(2), pong(1), pong(3)].map((one) => livenessProbe.answers(one))).to.deep.equal([
      true,
      false,
      false,
      true,
    ])
  })

  it('reports no missing pong on the first check', () => {
    const livenessProbe = new LivenessProbe()
    asked(livenessProbe, OPEN_PINGS_MAX)
    expect([livenessProbe.unansweredMs(9_000), livenessProbe.unansweredMs(9_100)]).to.deep.equal([0, 100])
  })

  it('measures missing pongs only if OPEN_PINGS_MAX are open and none arrives', () => {
    const livenessProbe = new LivenessProbe()
    asked(livenessProbe, OPEN_PINGS_MAX - 1)
    expect([livenessProbe.unansweredMs(9_000), livenessProbe.unansweredMs(9_100)]).to.deep.equal([0, 0])
    asked(livenessProbe, 1)
    expect(livenessProbe.unansweredMs(9_200)).to.equal(200)
    asked(livenessProbe, OPEN_PINGS_MAX)
    livenessProbe.answers(pong(1))
    expect(livenessProbe.unansweredMs(9_300)).to.equal(0)
    expect(livenessProbe.unansweredMs(9_350)).to.equal(50)
    livenessProbe.answers(pong(2 * OPEN_PINGS_MAX))
    expect([livenessProbe.unansweredMs(9_400), livenessProbe.unansweredMs(9_500)]).to.deep.equal([0, 0])
  })
})

describe('a client that stops reading in a room with little traffic', () => {
  let world: World
  before(async () => {
    world = await openWorld()
  })
  after(() => world.close())
  afterEach(() => closeRoomClients())

  it('is closed before the kernel buffers are full, while a reading client is not', async () => {
    const fixture = await openRoomsFixture(world, { messages_per_second: 100, max_message_bytes: 65_536 })
    const [ada, deaf, bob] = [await fixture.enter(), await fixture.enter(), await fixture.enter()]
    const { room } = await ada.ask('create', { name: 'Den' })
    for (const one of [deaf, bob]) await one.ask('join', { room: room.id })
    const cut = () => metricOf(world, 'scorebook_rooms_cuts_total', 'slow_consumer')
    stopReading(deaf)
    // As much as a client that stopped reading can still take, and too little to fill the kernel buffers.
    for (let sentBytes = 0; sentBytes < 2 * (OPEN_PINGS_MAX + 1) * PROBE_EVERY_BYTES; sentBytes += 60_000)
      await ada.ask('send', { room: room.id, data: 'x'.repeat(60_000) })
    while ((await cut()) === 0) {
      await pause(STALLED_MAX_MS / 20)
    }
    expect((await ada.next('member_left')).reason).to.equal('slow_consumer')
    expect([(await bob.ask('rooms', {})).ok, await cut()]).to.deep.equal([true, 1])
    expect((await ada.ask('leave', { room: room.id })).ok).to.equal(true)
  }).timeout(60_000)
})
