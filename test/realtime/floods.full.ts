// Clients that are refused or closed: too fast, flooding, malformed frames, too slow, revoked, or of rooms that are
// switched off or a server that stops.

import { expect } from 'chai'
import { clientToken, type Guest, makeKey } from '../front-door/game-fixtures.ts'
import type { Body } from '../front-door/http-client.ts'
import { must, openWorld, type Signer, tokenOf, type World } from '../front-door/world.ts'
import { pause } from '../until.ts'
import { metricOf } from './metric-of.ts'
import { stopReading } from './prove-hostile.ts'
import { openRoomsFixture, type RoomClient, type RoomsFixture, roomsFixtureForEach } from './rooms-fixture.ts'

describe('a connection to the rooms that sends too much or does not read', () => {
  let world: World
  let fixture: RoomsFixture
  roomsFixtureForEach((own) => {
    fixture = own
    world = own.world
  })

  it('gets refusals above its rate, and stays open', async () => {
    await fixture.set({ messages_per_second: 1 })
    const ada = await fixture.enter()
    const { room } = await ada.ask('create', { name: 'Den' })
    const began = performance.now()
    const answers: Body[] = []
    // Works at any speed: eventually more messages arrive than the rate allows.
    while (!answers.some(({ code }) => code === 'too_fast')) {
      const sent = Array.from({ length: 8 }, () => ada.ask('send', { room: room.id, data: 1 }))
      answers.push(...(await Promise.all(sent)))
    }
    const accepted = answers.filter(({ ok }) => ok)
    expect(answers.filter(({ code }) => code === 'too_fast')).to.have.length(answers.length - accepted.length)
    expect(accepted.length).to.be.within(2, 2 + Math.ceil((performance.now() - began) / 1_000))
    expect(accepted.map(({ seq }) => seq)).to.deep.equal(accepted.map((_, i) => i + 1))
    let again = await ada.ask('send', { room: room.id, data: 5 })
    while (!again.ok) {
      await aWhile()
      again = await ada.ask('send', { room: room.id, data: 5 })
    }
    expect(again.seq).to.equal(accepted.length + 1)
  })

  it('receives either each of its messages or a refusal, also without acknowledgements', async () => {
    await fixture.set({ messages_per_second: 10 })
    const ada = await fixture.enter()
    const { room } = await ada.ask('create', { name: 'Den' })
    const received: string[] = []
    ada.socket.on('message', ({ seq }) => received.push(`message ${seq}`))
    ada.socket.on('refused', (body: Body) => received.push(JSON.stringify(body)))
    const refused = JSON.stringify({
      event: 'send',
      code: 'too_fast',
      detail: 'Send at most 10 messages a second, on average.',
    })
    let sent = 0
    // Works at any speed: eventually more messages arrive than the rate allows.
    while (!received.includes(refused)) {
      for (let n = 0; n < 30; n++) ada.socket.emit('send', { room: room.id, data: n })
      sent += 30
      while (received.length < sent) await aWhile()
    }
    const heard = received.filter((one) => one !== refused)
    expect(received).to.have.length(sent)
    expect(heard).to.deep.equal(heard.map((_, i) => `message ${i + 1}`))
    while (!(await ada.ask('send', { room: room.id, data: 'again' })).ok) await aWhile()
  })

  it('is closed if it floods for seconds', async () => {
    await fixture.set({ messages_per_second: 1 })
    const [flooder, ada] = [await fixture.enter(), await fixture.enter()]
    const { room } = await ada.ask('create', { name: 'Den' })
    await flooder.ask('join', { room: room.id })
    let isOver = false
    flooder.socket.on('disconnect', () => {
      isOver = true
    })
    while (!isOver) {
      for (let i = 0; i < 50; i++) flooder.socket.emit('send', { room: room.id, data: i })
      await pause(20)
    }
    expect((await flooder.next('refused')).code).to.equal('too_fast')
    expect((await flooder.next('closing')).code).to.equal('too_fast')
    expect((await ada.next('member_left')).reason).to.equal('too_fast')
    expect((await ada.ask('leave', { room: room.id })).ok).to.equal(true)
  }).timeout(60_000)

  it('is closed at once for a packet that no rooms client sends', async () => {
    for (const frame of ['40', '40/x,', '40/x,{"a":1}', '43[]', '430["x"]', '461-0["x"]', '7', 'x']) {
      const roomClient = await fixture.enter()
      const raw = rawOf(roomClient)
      raw.send(frame)
      if (frame.startsWith('46')) raw.send(Buffer.from('x'))
      const answered = roomClient.ask('rooms', {}).then(() => 'answered')
      await Promise.race([answered, roomClient.over])
      expect([frame, roomClient.socket.connected]).to.deep.equal([frame, false])
    }
  })

  it('is closed for a flood of frames that are no events', async () => {
    await fixture.set({ messages_per_second: 1 })
    const roomClient = await fixture.enter()
    const raw = rawOf(roomClient)
    while (roomClient.socket.connected) {
      for (let n = 0; n < 50; n++) raw.send('3')
      await pause(20)
    }
    expect((await roomClient.next('closing')).code).to.equal('too_fast')
  }).timeout(60_000)

  it('is closed for such a flood by polling', async () => {
    await fixture.set({ messages_per_second: 1 })
    const ticket = await fixture.ticket((await fixture.guest()).token)
    const at = `http://127.0.0.1:${world.port}/socket.io/?EIO=4&transport=polling`
    const { sid } = JSON.parse((await (await fetch(`${at}&ticket=${ticket}`)).text()).slice(1))
    const polled = async (body?: string) => {
      const answer = await fetch(`${at}&sid=${sid}`, body === undefined ? {} : { method: 'POST', body })
      return [answer.status, await answer.text()] as const
    }
    await polled('40')
    expect((await polled())[1]).to.match(/^40/)
    // It may have been pinged before.
    const received = (async () => {
      for (;;) {
        const [status, text] = await polled()
        if (status !== 200 || text.startsWith('42[')) return text
      }
    })()
    let status = 200
    while (status === 200) {
      ;[status] = await polled(Array(50).fill('3').join('\x1e'))
      await pause(20)
    }
    expect(await received).to.match(/^42\["closing",\{"code":"too_fast"/)
  }).timeout(60_000)

  it('gets refusals for searches above the rate, but not for other lists', async () => {
    const ada = await fixture.enter()
    const began = performance.now()
    const answers: Body[] = []
    while (!answers.some(({ code }) => code === 'too_fast')) {
      answers.push(...(await Promise.all(Array.from({ length: 8 }, () => ada.ask('rooms', { search: 'x' })))))
    }
    const found = answers.filter(({ ok }) => ok).length
    expect(found).to.be.within(4, 4 + 2 * Math.ceil((performance.now() - began) / 1_000))
    expect((await ada.ask('rooms', {})).ok).to.equal(true)
  })

  it('is closed if it does not read, and delays nobody else', async () => {
    const own = await openRoomsFixture(world, { messages_per_second: 100, max_message_bytes: 65_536 })
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

/** Sends frames that Socket.IO's client cannot send. */
function rawOf({ socket }: RoomClient): { send(data: string | Buffer): void } {
  const { transport } = socket.io.engine
  if (!('ws' in transport)) throw new Error('the transport is not a WebSocket')
  return transport.ws as { send(data: string | Buffer): void }
}

/** Long enough that repeated calls are no flood. */
const aWhile = () => pause(200)

describe('a connection to the rooms that the server closes', () => {
  let world: World
  let fixture: RoomsFixture
  roomsFixtureForEach((own) => {
    fixture = own
    world = own.world
  })

  async function expectCut(roomClient: RoomClient, code: string) {
    expect((await roomClient.next('closing')).code).to.equal(code)
    await roomClient.over
  }

  const players = (guest: Guest | null, what: string, body: object = {}) => {
    const path = `/api/gm/${fixture.game.id}/players/${guest?.id}/${what}`
    return world.call(what === '' ? 'DELETE' : 'POST', path, {
      token: fixture.game.token,
      ...(what === '' ? {} : { body }),
    })
  }

  it('is closed by a ban, a deletion or a sign-out of its player, and other members are notified', async () => {
    const ada = await fixture.enter()
    const { room } = await ada.ask('create', { name: 'Den' })
    for (const what of ['ban/', '', 'signout/']) {
      const bob = await fixture.enter()
      await bob.ask('join', { room: room.id })
      const { member } = await ada.next('member_joined')
      must(await players(bob.guest, what), 200)
      await expectCut(bob, 'revoked')
      expect(await ada.next('member_left')).to.deep.equal({ room: room.id, member, reason: 'revoked' })
    }
    expect(ada.socket.connected).to.equal(true)
  })

  it('is closed when its own session ends, and by no other session', async () => {
    const [ada, bob] = [await fixture.enter(), await fixture.enter()]
    const path = `/api/gm/${fixture.game.id}/player/signout/`
    must(await world.call('POST', path, { token: bob.guest?.token ?? '', body: {} }), 200)
    await expectCut(bob, 'revoked')
    expect((await ada.ask('rooms', {})).ok).to.equal(true)
  })

  it('is closed when its key is revoked', async () => {
    const own = await openRoomsFixture(world, { require_player: false })
    const key = await makeKey(world, own.game, { kind: 'client' })
    const [mine, others] = [
      await own.enter({ token: await tokenOf(world, key) }),
      await own.enter({ token: await clientToken(world, own.game) }),
    ]
    const path = `/api/gm/${own.game.id}/keys/${key.prefix}/`
    must(await world.call('DELETE', path, { token: own.game.token }), 200)
    await expectCut(mine, 'revoked')
    expect((await others.ask('rooms', {})).ok).to.equal(true)
  })

  it('is closed when its key loses the permission for rooms, and not before', async () => {
    const own = await openRoomsFixture(world, { require_player: false })
    const narrow = async (of: Signer, permissions: readonly string[]) => {
      const path = `/api/gm/${own.game.id}/keys/${of.prefix}/`
      must(await world.call('PUT', path, { token: own.game.token, body: { permissions } }), 200)
    }
    const keys = [
      await makeKey(world, own.game, { kind: 'client' }),
      await makeKey(world, own.game, { kind: 'client' }),
    ]
    const [mine, others] = await Promise.all(keys.map(async (key) => own.enter({ token: await tokenOf(world, key) })))
    await narrow(keys[1] as Signer, [`gm:${own.game.id}:realtime`])
    await narrow(keys[0] as Signer, [`gm:${own.game.id}:auth`])
    await expectCut(mine as RoomClient, 'revoked')
    expect((await (others as RoomClient).ask('rooms', {})).ok).to.equal(true)
  })

  it('is closed when the rooms are switched off or become limited to players', async () => {
    const own = await openRoomsFixture(world, { require_player: false })
    const [anybody, ada] = [await own.enter({ token: own.client }), await own.enter()]
    const elsewhere = await fixture.enter()
    await own.set({ require_player: true })
    await expectCut(anybody, 'revoked')
    await own.set({ enabled: false })
    await expectCut(ada, 'rooms_off')
    expect((await elsewhere.ask('rooms', {})).ok).to.equal(true)
  })

  it('applies settings that change while it is open', async () => {
    const ada = await fixture.enter()
    const { room } = await ada.ask('create', { name: 'Den' })
    await fixture.set({ max_message_bytes: 64 })
    const data = 'x'.repeat(100)
    let answer = await ada.ask('send', { room: room.id, data })
    while (answer.ok) {
      await aWhile()
      answer = await ada.ask('send', { room: room.id, data })
    }
    expect(answer.code).to.equal('message_too_large')
  })

  it('receives closing when the server stops, and its seats are released', async () => {
    const own = await openWorld()
    const theirs = await openRoomsFixture(own)
    const [ada, bob] = [await theirs.enter(), await theirs.enter({ transports: ['polling'] })]
    const { room } = await ada.ask('create', { name: 'Den' })
    await bob.ask('join', { room: room.id })
    await Promise.all([own.close(), expectCut(ada, 'closing'), expectCut(bob, 'closing')])
  })
})
