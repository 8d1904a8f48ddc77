// The handshake: a ticket lets one connection in; without one there is not even a session.

import { once } from 'node:events'
import { connect as connectTcp } from 'node:net'
import { expect } from 'chai'
import { openWorld, type World } from '../front-door/world.ts'
import { closeVisitors, connected, dial, openParty, type Party } from './party.ts'
import { metricOf } from './readings.ts'

const ORIGIN = 'https://play.example.com'

describe('the door of the rooms', () => {
  let world: World
  let party: Party
  before(async () => {
    world = await openWorld()
    party = await openParty(world, { require_player: false })
  })
  after(() => world.close())
  afterEach(() => closeVisitors())

  const poll = (query: string, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${world.port}/socket.io/?EIO=4&transport=polling${query}`, { headers })

  it('makes no session without a ticket, or with a dead one', async () => {
    const used = await party.ticket(party.client)
    expect((await poll(`&ticket=${used}`)).status).to.equal(200)
    for (const query of [
      '',
      '&ticket=',
      '&ticket=x',
      `&ticket=${'A'.repeat(43)}`,
      `&ticket=${used}`,
      '&ticket=a&ticket=b',
    ]) {
      const answer = await poll(query)
      const body = (await answer.json()) as { message: string }
      expect([query, answer.status, body.message.split(':')[0]]).to.deep.equal([query, 403, 'ticket_rejected'])
      expect([...answer.headers.keys()].filter((name) => name.startsWith('set-'))).to.deep.equal([])
    }
    for (const transport of ['websocket', 'polling'] as const) {
      const refused = await connected({ ticket: used, port: world.port, transports: [transport] }).then(
        () => 'let in',
        (why: Error) => why.message,
      )
      expect(refused).to.match(/websocket error|xhr poll error/)
    }
    expect(await metricOf(world, 'scorebook_rooms_sockets')).to.equal(0)
  })

  it('lets in one of 64 who come with one ticket', async () => {
    const ticket = await party.ticket(party.client)
    const answers = await Promise.all(Array.from({ length: 64 }, () => poll(`&ticket=${ticket}`)))
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, ...Array(63).fill(403)])
  })

  it('asks for a ticket each time, also of who was there before', async () => {
    const visitor = await party.enter({ token: party.client })
    const left = visitor.over
    visitor.socket.disconnect()
    await left
    const again = new Promise<Error>((resolve) => visitor.socket.once('connect_error', resolve))
    visitor.socket.connect()
    expect((await again).message).to.equal('websocket error')
  })

  it('takes no ticket of another transport than there are, and none with a POST', async () => {
    const ticket = await party.ticket(party.client)
    const strange = await fetch(`http://127.0.0.1:${world.port}/socket.io/?EIO=4&transport=smoke&ticket=${ticket}`)
    const posted = await fetch(`http://127.0.0.1:${world.port}/socket.io/?EIO=4&transport=polling&ticket=${ticket}`, {
      method: 'POST',
      body: '40',
    })
    expect([strange.status, posted.status]).to.deep.equal([400, 400])
    // As a script, which a page of any origin may load, and which says nothing of it.
    const script = await poll(`&ticket=${ticket}&j=0`)
    expect([script.status, (await script.text()).slice(0, 60)]).to.deep.equal([
      403,
      '{"code":4,"message":"transport_unknown: JSONP is not served.',
    ])
    expect((await poll(`&ticket=${ticket}`)).status).to.equal(200)
  })

  it('opens to pages of the game’s origins only', async () => {
    const strange = await poll(`&ticket=${await party.ticket(party.client)}`, { origin: ORIGIN })
    expect([strange.status, strange.headers.get('access-control-allow-origin')]).to.deep.equal([403, null])
    const own = await openParty(world, { require_player: false })
    await own.set({}, { cors_origins: [ORIGIN] })
    const allowed = await poll(`&ticket=${await own.ticket(own.client)}`, { origin: ORIGIN })
    expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).to.deep.equal([200, ORIGIN])
    expect(allowed.headers.get('access-control-allow-credentials')).to.equal(null)
    const others = await poll(`&ticket=${await party.ticket(party.client)}`, { origin: ORIGIN })
    expect(others.status, 'an origin that another game allows').to.equal(403)
    await own.enter({ token: own.client, headers: { origin: ORIGIN } })
  })

  it('has one namespace, and is left with it', async () => {
    const ticket = await party.ticket(party.client)
    const socket = dial({ ticket, port: world.port, options: { autoConnect: false } })
    const other = socket.io.socket('/other')
    const answers: string[] = []
    other.on('connect_error', ({ message }) => answers.push(message))
    const ended = new Promise((resolve) => socket.io.once('close', resolve))
    other.connect()
    await ended
    expect(answers, 'closed without an answer').to.deep.equal([])
    const visitor = await party.enter({ token: party.client })
    const engine = visitor.socket.io.engine
    const closed = new Promise((resolve) => engine.once('close', resolve))
    engine.write('1')
    await closed
  })

  it('waits for no answer of who was closed before there was a connection', async () => {
    const ticket = await party.ticket(party.client)
    const tcp = connectTcp(world.port, '127.0.0.1')
    tcp.on('error', () => {})
    const ended = once(tcp, 'close')
    const asks = `GET /socket.io/?EIO=4&transport=websocket&ticket=${ticket} HTTP/1.1\r\nHost: x\r\n`
    const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n'
    tcp.write(`${asks}${upgrade}Sec-WebSocket-Key: ${'A'.repeat(22)}==\r\n\r\n`)
    const [first] = (await once(tcp, 'data')) as [Buffer]
    expect(first.toString('latin1')).to.match(/^HTTP\/1.1 101 /)
    // Masked with zeros; what the server says to it, its close frame too, is read and not answered.
    const text = '40/x,'
    tcp.write(Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)]))
    tcp.resume()
    await ended
  }).timeout(60_000)

  it('serves what is beside it as if no upgrade had been asked for', async () => {
    const { request } = await import('node:http')
    const asked = (method: string, path: string, body: string) =>
      new Promise<string>((resolve, reject) => {
        const headers = { Connection: 'Upgrade, HTTP2-Settings', Upgrade: 'h2c', 'HTTP2-Settings': 'AAM' }
        const type = { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(body)) }
        const sent = request({ port: world.port, method, path, headers: { ...headers, ...type } }, (response) => {
          let text = ''
          response.on('data', (chunk) => {
            text += chunk
          })
          response.on('end', () => resolve(`${response.statusCode} ${text}`))
        })
        sent.on('error', reject)
        sent.end(body)
      })
    expect(await asked('GET', '/health/live', '')).to.equal('200 {"status":"live"}')
    expect(await asked('POST', '/api/auth/jwt/challenge/', '{}')).to.contain('api_key_required')
    const large = JSON.stringify({ request_id: 'x'.repeat(60_000) })
    expect(await asked('POST', '/api/gm/', large)).to.contain('unauthenticated')
  })

  it('counts each handshake as a call of its address', async () => {
    const limits = { perSecond: 1, burst: 1_000_000 }
    const own = await openWorld({
      rateLimits: {
        key: limits,
        player: limits,
        handshake: limits,
        guest: limits,
        address: { perSecond: 0.001, burst: 20 },
      },
    })
    const url = `http://127.0.0.1:${own.port}/socket.io/?EIO=4&transport=polling&ticket=${'A'.repeat(43)}`
    const said: string[] = []
    for (let n = 0; n < 25; n++) {
      const answer = await fetch(url)
      said.push(`${answer.status} ${((await answer.json()) as { message: string }).message.split(':')[0]}`)
    }
    expect(new Set(said)).to.deep.equal(new Set(['403 ticket_rejected', '429 rate_limited']))
    expect(said.filter((one) => one === '403 ticket_rejected').length).to.be.at.most(20)
    expect(said.at(-1)).to.equal('429 rate_limited')
    await own.close()
  })
})
