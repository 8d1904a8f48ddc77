// Who is refused or cut for what they send, or do not read: too fast, in floods, no frames of ours, too slow.

import { expect } from 'chai'
import type { Body } from '../front-door/http-client.ts'
import type { World } from '../front-door/world.ts'
import { openParty, type Party, partyForEach, type Visitor } from './party.ts'
import { stopReading } from './prove-hostile.ts'
import { metricOf } from './readings.ts'

describe('a connection to the rooms that sends too much, or takes too little', () => {
  let world: World
  let party: Party
  partyForEach((own) => {
    party = own
    world = own.world
  })

  it('is refused what comes faster than it may, and goes on', async () => {
    await party.set({ messages_per_second: 1 })
    const ada = await party.enter()
    const { room } = await ada.ask('create', { name: 'Den' })
    const began = performance.now()
    const answers: Body[] = []
    // However slowly these arrive: sooner or later more of them come than there are seconds.
    while (!answers.some(({ code }) => code === 'too_fast')) {
      const sent = Array.from({ length: 8 }, () => ada.ask('send', { room: room.id, data: 1 }))
      answers.push(...(await Promise.all(sent)))
    }
    const said = answers.filter(({ ok }) => ok)
    expect(answers.filter(({ code }) => code === 'too_fast')).to.have.length(answers.length - said.length)
    expect(said.length).to.be.within(2, 2 + Math.ceil((performance.now() - began) / 1_000))
    expect(said.map(({ seq }) => seq)).to.deep.equal(said.map((_, i) => i + 1))
    let again = await ada.ask('send', { room: room.id, data: 5 })
    while (!again.ok) {
      await aWhile()
      again = await ada.ask('send', { room: room.id, data: 5 })
    }
    expect(again.seq).to.equal(said.length + 1)
  })

  it('hears of each message that asks for no answer either itself or that it was refused', async () => {
    await party.set({ messages_per_second: 10 })
    const ada = await party.enter()
    const { room } = await ada.ask('create', { name: 'Den' })
    const told: string[] = []
    ada.socket.on('message', ({ seq }) => told.push(`message ${seq}`))
    ada.socket.on('refused', (body: Body) => told.push(JSON.stringify(body)))
    const refused = JSON.stringify({
      event: 'send',
      code: 'too_fast',
      detail: 'Send at most 10 messages a second, on the average.',
    })
    let sent = 0
    // However slowly these arrive: sooner or later more of them come than there are seconds.
    while (!told.includes(refused)) {
      for (let n = 0; n < 30; n++) ada.socket.emit('send', { room: room.id, data: n })
      sent += 30
      while (told.length < sent) await aWhile()
    }
    const heard = told.filter((one) => one !== refused)
    expect(told).to.have.length(sent)
    expect(heard).to.deep.equal(heard.map((_, i) => `message ${i + 1}`))
    while (!(await ada.ask('send', { room: room.id, data: 'again' })).ok) await aWhile()
  })

  it('is cut where it floods for seconds on end', async () => {
    await party.set({ messages_per_second: 1 })
    const [flooder, ada] = [await party.enter(), await party.enter()]
    const { room } = await ada.ask('create', { name: 'Den' })
    await flooder.ask('join', { room: room.id })
    let isOver = false
    flooder.socket.on('disconnect', () => {
      isOver = true
    })
    while (!isOver) {
      for (let i = 0; i < 50; i++) flooder.socket.emit('send', { room: room.id, data: i })
      await new Promise((next) => setTimeout(next, 20))
    }
    expect((await flooder.next('refused')).code).to.equal('too_fast')
    expect((await flooder.next('closing')).code).to.equal('too_fast')
    expect((await ada.next('member_left')).reason).to.equal('too_fast')
    expect((await ada.ask('leave', { room: room.id })).ok).to.equal(true)
  }).timeout(60_000)

  it('is closed at once for what no client of the rooms sends', async () => {
    for (const frame of ['40', '40/x,', '40/x,{"a":1}', '43[]', '430["x"]', '461-0["x"]', '7', 'x']) {
      const visitor = await party.enter()
      const raw = rawOf(visitor)
      raw.send(frame)
      if (frame.startsWith('46')) raw.send(Buffer.from('x'))
      const answered = visitor.ask('rooms', {}).then(() => 'answered')
      await Promise.race([answered, visitor.over])
      expect([frame, visitor.socket.connected]).to.deep.equal([frame, false])
    }
  })

  it('is cut for a flood of frames that are no events', async () => {
    await party.set({ messages_per_second: 1 })
    const visitor = await party.enter()
    const raw = rawOf(visitor)
    while (visitor.socket.connected) {
      for (let n = 0; n < 50; n++) raw.send('3')
      await new Promise((next) => setTimeout(next, 20))
    }
    expect((await visitor.next('closing')).code).to.equal('too_fast')
  }).timeout(60_000)

  it('is cut for such a flood also where it polls', async () => {
    await party.set({ messages_per_second: 1 })
    const ticket = await party.ticket((await party.guest()).token)
    const at = `http://127.0.0.1:${world.port}/socket.io/?EIO=4&transport=polling`
    const { sid } = JSON.parse((await (await fetch(`${at}&ticket=${ticket}`)).text()).slice(1))
    const polled = async (body?: string) => {
      const answer = await fetch(`${at}&sid=${sid}`, body === undefined ? {} : { method: 'POST', body })
      return [answer.status, await answer.text()] as const
    }
    await polled('40')
    expect((await polled())[1]).to.match(/^40/)
    // Whether it was pinged before or not.
    const told = (async () => {
      for (;;) {
        const [status, text] = await polled()
        if (status !== 200 || text.startsWith('42[')) return text
      }
    })()
    let status = 200
    while (status === 200) {
      ;[status] = await polled(Array(50).fill('3').join('\x1e'))
      await new Promise((next) => setTimeout(next, 20))
    }
    expect(await told).to.match(/^42\["closing",\{"code":"too_fast"/)
  }).timeout(60_000)

  it('is refused searches that come faster than it may, though not what else it lists', async () => {
    const ada = await party.enter()
    const began = performance.now()
    const answers: Body[] = []
    while (!answers.some(({ code }) => code === 'too_fast')) {
      answers.push(...(await Promise.all(Array.from({ length: 8 }, () => ada.ask('rooms', { search: 'x' })))))
    }
    const found = answers.filter(({ ok }) => ok).length
    expect(found).to.be.within(4, 4 + 2 * Math.ceil((performance.now() - began) / 1_000))
    expect((await ada.ask('rooms', {})).ok).to.equal(true)
  })

  it('is cut where it does not read, and holds up nobody', async () => {
    const own = await openParty(world, { messages_per_second: 100, max_message_bytes: 65_536 })
    const [ada, deaf] = [await own.enter(), await own.enter()]
    const { room } = await ada.ask('create', { name: 'Den' })
    await deaf.ask('join', { room: room.id })
    const cut = () => metricOf(world, 'scorebook_rooms_cuts_total', 'slow_consumer')
    const before = await cut()
    stopReading(deaf)
    const data = 'x'.repeat(60_000)
    let most = 0
    while ((await cut()) === before) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => ada.ask('send', { room: room.id, data })))
      for (const answer of answers) expect([true, 'too_fast']).to.include(answer.ok || answer.code)
      most = Math.max(most, await metricOf(world, 'scorebook_rooms_unsent_most_bytes'))
    }
    expect((await ada.next('member_left')).reason).to.equal('slow_consumer')
    expect(most).to.be.below(2 * 1024 * 1024)
  }).timeout(60_000)
})

/** To send frames by that are none of Socket.IO's client. */
function rawOf({ socket }: Visitor): { send(data: string | Buffer): void } {
  const { transport } = socket.io.engine
  if (!('ws' in transport)) throw new Error('this is no WebSocket')
  return transport.ws as { send(data: string | Buffer): void }
}

/** So long that asking again and again is no flood. */
const aWhile = () => new Promise((next) => setTimeout(next, 200))
