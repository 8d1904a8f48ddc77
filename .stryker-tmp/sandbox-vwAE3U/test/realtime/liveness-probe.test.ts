// Pings among the messages to a client: due by bytes, answered by number, and missed only if much was sent after them.

import { expect } from 'chai'
import { PROBE_EVERY_BYTES, STALLED_MOST_MS, UNANSWERED_MOST } from '../../realtime/limits.ts'
import { LivenessProbe } from '../../realtime/liveness-probe.ts'
import { openWorld, type World } from '../front-door/world.ts'
import { closeVisitors, openParty } from './party.ts'
import { stopReading } from './prove-hostile.ts'
import { metricOf } from './readings.ts'

const pong = (number: number) => {
  const data = Buffer.alloc(4)
  data.writeUInt32BE(number)
  return data
}

describe('the probe of a connection', () => {
  const asked = (livenessProbe: LivenessProbe, times: number) => {
    for (let n = 0; n < times; n++) expect(livenessProbe.told(PROBE_EVERY_BYTES)).to.have.length(6)
  }

  it('is a ping with its number for every so many bytes', () => {
    const livenessProbe = new LivenessProbe()
    expect(livenessProbe.told(PROBE_EVERY_BYTES - 1)).to.equal(null)
    expect(livenessProbe.told(1)?.toString('hex')).to.equal('890400000001')
    expect(livenessProbe.told(1)).to.equal(null)
    expect(livenessProbe.told(3 * PROBE_EVERY_BYTES)?.toString('hex')).to.equal('890400000002')
  })

  it('is answered by the number of one that was asked, and those before it too, once', () => {
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

  it('is not missed when it is looked at for the first time', () => {
    const livenessProbe = new LivenessProbe()
    asked(livenessProbe, UNANSWERED_MOST)
    expect([livenessProbe.unansweredMs(9_000), livenessProbe.unansweredMs(9_100)]).to.deep.equal([0, 100])
  })

  it('is missed from the first that is not answered, where so many are not, and never while some are', () => {
    const livenessProbe = new LivenessProbe()
    asked(livenessProbe, UNANSWERED_MOST - 1)
    expect([livenessProbe.unansweredMs(9_000), livenessProbe.unansweredMs(9_100)]).to.deep.equal([0, 0])
    asked(livenessProbe, 1)
    expect(livenessProbe.unansweredMs(9_200)).to.equal(200)
    asked(livenessProbe, UNANSWERED_MOST)
    livenessProbe.answers(pong(1))
    expect(livenessProbe.unansweredMs(9_300)).to.equal(0)
    expect(livenessProbe.unansweredMs(9_350)).to.equal(50)
    livenessProbe.answers(pong(2 * UNANSWERED_MOST))
    expect([livenessProbe.unansweredMs(9_400), livenessProbe.unansweredMs(9_500)]).to.deep.equal([0, 0])
  })
})

describe('a reader that stops in a room that speaks slowly', () => {
  let world: World
  before(async () => {
    world = await openWorld()
  })
  after(() => world.close())
  afterEach(() => closeVisitors())

  it('is cut before the system has taken all that it can, and one that reads is not', async () => {
    const party = await openParty(world, { messages_per_second: 100, max_message_bytes: 65_536 })
    const [ada, deaf, bob] = [await party.enter(), await party.enter(), await party.enter()]
    const { room } = await ada.ask('create', { name: 'Den' })
    for (const one of [deaf, bob]) await one.ask('join', { room: room.id })
    const cut = () => metricOf(world, 'scorebook_rooms_cuts_total', 'slow_consumer')
    stopReading(deaf)
    // As much as passes for a deaf one's last piece, and not enough to fill the system's buffers and then wait.
    for (let said = 0; said < 2 * (UNANSWERED_MOST + 1) * PROBE_EVERY_BYTES; said += 60_000)
      await ada.ask('send', { room: room.id, data: 'x'.repeat(60_000) })
    while ((await cut()) === 0) {
      await new Promise((later) => setTimeout(later, STALLED_MOST_MS / 20))
    }
    expect((await ada.next('member_left')).reason).to.equal('slow_consumer')
    expect([(await bob.ask('rooms', {})).ok, await cut()]).to.deep.equal([true, 1])
    expect((await ada.ask('leave', { room: room.id })).ok).to.equal(true)
  }).timeout(60_000)
})
