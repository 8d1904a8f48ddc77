import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { until } from '../until.ts'
import {
  begin,
  countedBytes,
  EXPIRES_MS,
  type FilesApi,
  filesBelow,
  linkTo,
  openFilesApi,
  openRawConnection,
  putHead,
} from './files-api.ts'

const BYTES = randomBytes(20_000_000)

describe('Transfers that take long', () => {
  let api: FilesApi
  const close = () => api.close()
  afterEach(close)

  const nothingKept = async () => {
    await until(() => filesBelow(api.folder).length === 0)
  }

  it('are ended when no more bytes arrive', async () => {
    api = await openFilesApi({ idleMs: 100 })
    const { path } = await begin(api, BYTES)
    const line = openRawConnection(api.port)
    line.socket.write(putHead(path, `Content-Length: ${BYTES.length}`))
    line.socket.write(BYTES.subarray(0, 1_000))
    expect(await line.until('request_timeout')).to.match(/^HTTP\/1.1 408 /)
    line.socket.destroy()
    await nothingKept()
  })

  it('continue while bytes arrive, however slowly, until the link expires', async () => {
    api = await openFilesApi({ idleMs: 400 })
    const { path } = await begin(api, BYTES)
    const line = openRawConnection(api.port)
    line.socket.write(putHead(path, `Content-Length: ${BYTES.length}`))
    const drip = setInterval(() => line.socket.write('x'), 20)
    const began = performance.now()
    const later = setInterval(() => {
      if (performance.now() - began > 1_500) api.clock.nowMs = EXPIRES_MS
    }, 50)
    const heard = await line.until('not_found')
    expect(performance.now() - began).to.be.greaterThan(1_500)
    expect(heard).to.match(/^HTTP\/1.1 404 /)
    clearInterval(drip)
    clearInterval(later)
    line.socket.destroy()
    await nothingKept()
  })

  it('may last longer than other requests, and leave the connection usable', async () => {
    api = await openFilesApi()
    const { server } = api.http
    // Node reads the timeouts at each check, but the interval of checks is fixed when the server starts to listen.
    server.requestTimeout = 1
    server.headersTimeout = 1
    const { path } = await begin(api, BYTES.subarray(0, 1_000))
    const line = openRawConnection(api.port)
    line.socket.write(putHead(path, 'Content-Length: 1000'))
    line.socket.write(BYTES.subarray(0, 999))
    const failed = new Promise<void>((resolve) => server.once('clientError', () => resolve()))
    await failed
    expect(line.heard()).to.equal('')
    line.socket.write(BYTES.subarray(999, 1_000))
    await line.until('HTTP/1.1 200 OK')
    // The next request on the connection has the normal timeouts.
    line.socket.write('POST /api/lb/b1/score/ HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer tenant\r\n')
    expect(await line.ended).to.match(/HTTP\/1.1 408 Request Timeout/)
  }).timeout(120_000)

  it('are ended when the client stops reading, and the sent bytes are counted', async () => {
    api = await openFilesApi({ idleMs: 200 })
    const { path, expected } = await begin(api, BYTES)
    const line = openRawConnection(api.port)
    line.socket.write(putHead(path, `Content-Length: ${BYTES.length}`))
    line.socket.write(BYTES)
    await line.until('HTTP/1.1 200 OK')
    const reader = openRawConnection(api.port)
    reader.socket.write(`GET ${await linkTo(api, expected.blob)} HTTP/1.1\r\nHost: x\r\n\r\n`)
    await reader.until('\r\n\r\n')
    reader.socket.pause()
    await until(() => api.counted.length >= 2)
    expect(countedBytes(api)).to.be.within(262_144, BYTES.length - 1)
    reader.socket.destroy()
    line.socket.destroy()
  })
})
