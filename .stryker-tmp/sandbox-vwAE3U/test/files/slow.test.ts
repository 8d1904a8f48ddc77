import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { until } from '../until.ts'
import {
  begin,
  type DoorWorld,
  EXPIRES_MS,
  filesBelow,
  linkTo,
  meteredBytes,
  openDoor,
  putHead,
  wire,
} from './door-world.ts'

const BYTES = randomBytes(20_000_000)

describe('Transfers that take long', () => {
  let door: DoorWorld
  const close = () => door.close()
  afterEach(close)

  const nothingKept = async () => {
    await until(() => filesBelow(door.folder).length === 0)
  }

  it('are cut when no bytes come any more', async () => {
    door = await openDoor({ idleMs: 100 })
    const { path } = await begin(door, BYTES)
    const line = wire(door.port)
    line.socket.write(putHead(path, `Content-Length: ${BYTES.length}`))
    line.socket.write(BYTES.subarray(0, 1_000))
    expect(await line.until('request_timeout')).to.match(/^HTTP\/1.1 408 /)
    line.socket.destroy()
    await nothingKept()
  })

  it('are not cut while bytes come, however slowly, until the link expires', async () => {
    door = await openDoor({ idleMs: 400 })
    const { path } = await begin(door, BYTES)
    const line = wire(door.port)
    line.socket.write(putHead(path, `Content-Length: ${BYTES.length}`))
    const drip = setInterval(() => line.socket.write('x'), 20)
    const began = performance.now()
    const later = setInterval(() => {
      if (performance.now() - began > 1_500) door.clock.nowMs = EXPIRES_MS
    }, 50)
    const heard = await line.until('not_found')
    expect(performance.now() - began).to.be.greaterThan(1_500)
    expect(heard).to.match(/^HTTP\/1.1 404 /)
    clearInterval(drip)
    clearInterval(later)
    line.socket.destroy()
    await nothingKept()
  })

  it('outlast the time that other requests have, and leave the connection as it was', async () => {
    door = await openDoor()
    const { server } = door.http
    // Node takes what it is set to for each check; how often it checks was set when it began to listen.
    server.requestTimeout = 1
    server.headersTimeout = 1
    const { path } = await begin(door, BYTES.subarray(0, 1_000))
    const line = wire(door.port)
    line.socket.write(putHead(path, 'Content-Length: 1000'))
    line.socket.write(BYTES.subarray(0, 999))
    const told = new Promise<void>((resolve) => server.once('clientError', () => resolve()))
    await told
    expect(line.heard()).to.equal('')
    line.socket.write(BYTES.subarray(999, 1_000))
    await line.until('HTTP/1.1 200 OK')
    // The next request on it has no such leave.
    line.socket.write('POST /api/lb/b1/score/ HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer tenant\r\n')
    expect(await line.ended).to.match(/HTTP\/1.1 408 Request Timeout/)
  }).timeout(120_000)

  it('are cut when a caller takes no bytes any more, and what was sent is counted', async () => {
    door = await openDoor({ idleMs: 200 })
    const { path, expected } = await begin(door, BYTES)
    const line = wire(door.port)
    line.socket.write(putHead(path, `Content-Length: ${BYTES.length}`))
    line.socket.write(BYTES)
    await line.until('HTTP/1.1 200 OK')
    const reader = wire(door.port)
    reader.socket.write(`GET ${await linkTo(door, expected.blob)} HTTP/1.1\r\nHost: x\r\n\r\n`)
    await reader.until('\r\n\r\n')
    reader.socket.pause()
    await until(() => door.metered.length >= 2)
    expect(meteredBytes(door)).to.be.within(262_144, BYTES.length - 1)
    reader.socket.destroy()
    line.socket.destroy()
  })
})
