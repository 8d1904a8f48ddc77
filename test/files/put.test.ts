// PUT to an upload's link: what is stored, to the byte, and the answer to each wrong request.

import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { Refusal } from '../../domain/decider.ts'
import { newId, sha256 } from '../bytes.ts'
import { call } from '../http/pipeline-calls.ts'
import { until } from '../until.ts'
import {
  begin,
  EXPIRES_MS,
  type FilesApi,
  filesBelow,
  linkTo,
  openFilesApi,
  openRawConnection,
  putHead,
} from './files-api.ts'

const BYTES = randomBytes(1_000_003)

describe('PUT to an upload’s link', () => {
  let api: FilesApi
  beforeEach(async () => {
    api = await openFilesApi()
  })
  afterEach(() => api.close())

  /** Checks that nothing is stored and the upload still accepts bytes. */
  async function expectNothingKept({ upload }: { upload: string }) {
    await until(() => filesBelow(api.folder).length === 0)
    expect([api.open.has(upload), api.stored.size]).to.deep.equal([true, 0])
  }

  async function send(path: string, head: readonly string[], ...chunks: readonly (Buffer | string)[]) {
    const line = openRawConnection(api.port)
    line.socket.write(putHead(path, ...head))
    for (const chunk of chunks) line.socket.write(chunk)
    const heard = await line.until('\r\n\r\n')
    line.socket.destroy()
    return Number(heard.split(' ')[1])
  }

  it('stores exactly the bytes, records them before it answers, and answers the same bytes alike afterwards', async () => {
    for (const bytes of [BYTES, Buffer.alloc(0), randomBytes(1), randomBytes(262_144)]) {
      const { path, upload, expected } = await begin(api, bytes, { sha256: sha256(bytes) })
      const url = api.url + path
      const heard = await call(url, { method: 'PUT', body: bytes })
      expect([heard.status, heard.text, heard.headers.get('cache-control')]).to.deep.equal([200, '{}', 'no-store'])
      const { storedMs, ...stored } = api.stored.get(upload) ?? { storedMs: 0 }
      expect(stored).to.deep.equal({ blob: expected.blob, size: bytes.length, sha256: sha256(bytes) })
      expect(storedMs).to.be.closeTo(Date.now(), 60_000)
      const recorded = api.stored.get(upload)
      const again = await call(url, { method: 'PUT', body: bytes })
      expect([again.status, again.text]).to.deep.equal([200, '{}'])
      if (bytes.length > 0) {
        const other = await call(url, { method: 'PUT', body: Buffer.from(bytes.map((byte) => byte ^ 1)) })
        expect([other.status, other.json.code]).to.deep.equal([409, 'already_stored'])
      }
      expect(api.stored.get(upload)).to.equal(recorded)
      const fetched = await fetch(api.url + (await linkTo(api, expected.blob)))
      expect(Buffer.from(await fetched.arrayBuffer()).equals(bytes)).to.equal(true)
    }
    expect(filesBelow(api.folder)).to.have.length(4)
  })

  it('answers 404 for bytes that were stored and removed since, and cuts a repeated body like a first one', async () => {
    const { path, upload, expected } = await begin(api, BYTES)
    const url = api.url + path
    expect((await call(url, { method: 'PUT', body: BYTES })).status).to.equal(200)
    const line = openRawConnection(api.port)
    line.socket.write(putHead(path, `Content-Length: ${BYTES.length}`))
    line.socket.end(BYTES.subarray(0, 10))
    expect(await line.ended).to.match(/^HTTP\/1.1 400 .*"code":"(?:size_mismatch|malformed)"/s)
    await api.files.remove([expected.blob])
    let status: number
    do status = (await call(url, { method: 'PUT', body: BYTES })).status
    while (status === 409)
    expect([status, api.stored.has(upload)]).to.deep.equal([404, true])
  })

  it('refuses any length but the announced one', async () => {
    const upload = await begin(api, BYTES)
    for (const length of [0, 1, BYTES.length - 1, BYTES.length + 1, 2 ** 40]) {
      const line = openRawConnection(api.port)
      line.socket.write(putHead(upload.path, `Content-Length: ${length}`, 'Connection: close'))
      expect(await line.until('size_mismatch')).to.match(/^HTTP\/1.1 400 /)
      line.socket.destroy()
    }
    await expectNothingKept(upload)
  })

  it('refuses a length in any other notation', async () => {
    const upload = await begin(api, BYTES)
    const length = String(BYTES.length)
    const odd = ['', '-1', `+${length}`, `${length}.0`, '1e6', '0xf4243', `${length}, ${length}`, `${length} 0`, '٣']
    for (const one of odd) {
      expect([one, await send(upload.path, [`Content-Length: ${one}`], BYTES.subarray(0, 9))]).to.deep.equal([one, 400])
    }
    await expectNothingKept(upload)
    expect(await send(upload.path, [`Content-Length: 00${length}`], BYTES)).to.equal(200)
  })

  it('requires Content-Length, and refuses chunked and compressed bodies', async () => {
    const upload = await begin(api, BYTES)
    const zipped = gzipSync(BYTES)
    const length = `Content-Length: ${BYTES.length}`
    expect(await send(upload.path, [])).to.equal(411)
    expect(await send(upload.path, ['Transfer-Encoding: chunked'], '5\r\nabcde\r\n0\r\n\r\n')).to.equal(411)
    expect(await send(upload.path, ['Transfer-Encoding: gzip, chunked'], '0\r\n\r\n')).to.equal(411)
    expect(await send(upload.path, [length, 'Transfer-Encoding: chunked'], '0\r\n\r\n')).to.equal(400)
    expect(await send(upload.path, [length, length], BYTES)).to.equal(400)
    expect(await send(upload.path, [length, 'Content-Encoding: gzip'])).to.equal(415)
    expect(await send(upload.path, [`Content-Length: ${zipped.length}`, 'Content-Encoding: gzip'], zipped)).to.equal(
      415,
    )
    await expectNothingKept(upload)
    expect(await send(upload.path, [length, 'Content-Encoding: identity'], BYTES)).to.equal(200)
  })

  it('stores nothing of an interrupted body, and accepts the bytes when they are sent again', async () => {
    const upload = await begin(api, BYTES)
    for (let tenth = 0; tenth < 10; tenth++) {
      for (const ends of ['destroy', 'end'] as const) {
        let heard = ''
        do {
          const line = openRawConnection(api.port, { allowHalfOpen: true })
          line.socket.write(putHead(upload.path, `Content-Length: ${BYTES.length}`))
          const part = BYTES.subarray(0, Math.floor((BYTES.length * tenth) / 10))
          await new Promise((resolve) => line.socket.write(part, resolve))
          line.socket[ends]()
          heard = await line.ended
          // No event reports when the server has seen the end of the vanished sender.
        } while (heard.includes('upload_running'))
        if (ends === 'end') expect(heard).to.match(/^HTTP\/1.1 400 /)
      }
    }
    await expectNothingKept(upload)
    expect(await send(upload.path, [`Content-Length: ${BYTES.length}`], BYTES)).to.equal(200)
  })

  it('stores no byte beyond the length of the upload', async () => {
    for (const isAfter of [true, false]) {
      const { path, upload, expected } = await begin(api, BYTES)
      const line = openRawConnection(api.port)
      line.socket.write(putHead(path, `Content-Length: ${BYTES.length}`))
      line.socket.write(BYTES)
      if (isAfter) await line.until('HTTP/1.1 200 OK')
      line.socket.write('beyond')
      const statuses = (await line.ended).match(/HTTP\/1.1 \d+/g) ?? []
      expect(statuses.at(-1)).to.equal('HTTP/1.1 400')
      expect(api.stored.has(upload) || !isAfter).to.equal(true)
      // A client that sends without waiting may be cut off before the answer: then too the file is complete or absent.
      const lies = await api.files.stored(expected.blob)
      if (lies !== null) expect(lies.sha256).to.equal(sha256(BYTES))
    }
  })

  it('detects every flipped bit if a checksum was given', async () => {
    const bytes = randomBytes(64)
    const upload = await begin(api, bytes, { sha256: sha256(bytes) })
    for (let bit = 0; bit < 512; bit += 3) {
      const flipped = Buffer.from(bytes)
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      const { status, json } = await call(api.url + upload.path, { method: 'PUT', body: flipped })
      expect([status, json.code]).to.deep.equal([422, 'checksum_mismatch'])
    }
    await expectNothingKept(upload)
    expect((await call(api.url + upload.path, { method: 'PUT', body: bytes })).status).to.equal(200)
  })

  it('has links without a closing slash, to which curl would append a name, and serves both spellings', async () => {
    const { path } = await begin(api, BYTES)
    expect(path).to.match(/^\/api\/files\/local\/[^/]+$/)
    expect((await call(`${api.url}${path}/`, { method: 'PUT', body: BYTES })).status).to.equal(200)
    const other = await begin(api, BYTES)
    expect((await call(api.url + other.path, { method: 'PUT', body: BYTES })).status).to.equal(200)
  })

  it('answers the same for every invalid link', async () => {
    const { path, expected } = await begin(api, BYTES)
    const closed = await begin(api, BYTES)
    api.open.delete(closed.upload)
    const late = new URL((await api.files.uploadLink(newId(), expected, api.clock.nowMs)).url).pathname
    const middle = Math.floor(path.length / 2)
    const altered = `${path.slice(0, middle)}${path[middle] === 'A' ? 'B' : 'A'}${path.slice(middle + 1)}`
    const dead = [closed.path, late, altered, await linkTo(api, expected.blob), path.slice(0, -1)]
    for (const one of [...dead, '/api/files/local/x/', '/api/files/local/x.y/', '/api/files/local/./']) {
      const { status, json } = await call(api.url + one, { method: 'PUT', body: BYTES })
      const { request_id, ...problem } = json
      if (one.endsWith('/./')) continue
      expect([one, status, problem]).to.deep.equal([one, 404, { ...problem, code: 'not_found' }])
      expect(problem.detail).to.equal('This link is not valid or has expired. Request a new one.')
    }
    api.clock.nowMs = EXPIRES_MS
    expect((await call(api.url + path, { method: 'PUT', body: BYTES })).status).to.equal(404)
  })

  it('refuses before the body is sent if the client waits for 100 Continue', async () => {
    const { path, upload } = await begin(api, BYTES)
    const asking = [`Content-Length: ${BYTES.length}`, 'Expect: 100-continue'] as const
    const line = openRawConnection(api.port)
    line.socket.write(putHead(path, ...asking))
    await line.until('HTTP/1.1 100 Continue')
    line.socket.write(BYTES)
    await line.until('HTTP/1.1 200 OK')
    line.socket.destroy()
    expect(api.stored.has(upload)).to.equal(true)
    api.stored.delete(upload)
    const again = openRawConnection(api.port)
    again.socket.write(putHead(path, ...asking))
    expect((await again.ended).match(/HTTP\/1.1 \d+/g)).to.deep.equal(['HTTP/1.1 404'])
  })

  it('continues with the next request of a connection after any outcome', async () => {
    const bytes = randomBytes(5_000)
    const dead = await begin(api, bytes)
    api.open.delete(dead.upload)
    const alive = await begin(api, bytes)
    const line = openRawConnection(api.port)
    for (const { path } of [dead, alive, alive]) {
      line.socket.write(putHead(path, `Content-Length: ${bytes.length}`))
      line.socket.write(bytes)
    }
    line.socket.write('GET /api/nothing/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    const statuses = (await line.ended).match(/HTTP\/1.1 \d+/g)?.map((one) => one.slice(9)) ?? []
    // The third may be handled during the second, or afterwards.
    expect(statuses.map((status) => (status === '409' ? '200' : status))).to.deep.equal(['404', '200', '200', '404'])
  })

  it('closes the connection of a client that keeps sending much of a refused body', async () => {
    const { path, upload } = await begin(api, Buffer.alloc(0), { size: 1_000_000_000 })
    api.open.delete(upload)
    const line = openRawConnection(api.port)
    line.socket.write(putHead(path, 'Content-Length: 1000000000'))
    const more = () => line.socket.write(BYTES, (failure) => (failure ? undefined : more()))
    more()
    expect(await line.ended).to.match(/^HTTP\/1.1 404 /)
  })
})

describe('PUT to an upload’s link by several senders', () => {
  let api: FilesApi
  beforeEach(async () => {
    api = await openFilesApi()
  })
  afterEach(() => api.close())

  /** A sender of the first ten bytes, after it has taken over the upload from the others. */
  async function firstOf(path: string, bytes: Buffer) {
    const line = openRawConnection(api.port)
    line.socket.write(putHead(path, `Content-Length: ${bytes.length}`, 'Connection: close'))
    line.socket.write(bytes.subarray(0, 10))
    await until(() => temporary().length > 0)
    return line
  }
  const temporary = () => filesBelow(api.folder).filter((path) => path.startsWith('tmp/'))

  it('accepts the bytes of one sender at a time, and never changes recorded bytes', async () => {
    for (const [first, second] of [
      [randomBytes(300_000), randomBytes(300_000)],
      [BYTES, BYTES],
    ] as const) {
      const { path, upload, expected } = await begin(api, first)
      const line = await firstOf(path, first)
      const held = await Promise.all(
        Array.from({ length: 8 }, async () => {
          const { status, json } = await call(api.url + path, { method: 'PUT', body: second })
          return [status, json.code]
        }),
      )
      expect(held).to.deep.equal(Array(8).fill([409, 'upload_running']))
      expect(temporary()).to.have.length(1)
      // Another upload is independent.
      const other = await begin(api, Buffer.from('other'))
      expect((await call(api.url + other.path, { method: 'PUT', body: 'other' })).status).to.equal(200)
      line.socket.write(first.subarray(10))
      expect(await line.ended).to.match(/^HTTP\/1.1 200 /)
      const after = await call(api.url + path, { method: 'PUT', body: second })
      expect([after.status, after.json.code]).to.deep.equal(
        second === first ? [200, undefined] : [409, 'already_stored'],
      )
      const lies = await api.files.stored(expected.blob)
      expect([lies?.sha256, api.stored.get(upload)?.sha256]).to.deep.equal([sha256(first), sha256(first)])
    }
    expect(filesBelow(api.folder)).to.have.length(4)
  })

  it('stores the bytes of many concurrent senders once, and refuses none who comes afterwards', async () => {
    const { path, upload } = await begin(api, BYTES)
    const put = async () => (await call(api.url + path, { method: 'PUT', body: BYTES })).status
    const statuses = await Promise.all(Array.from({ length: 8 }, put))
    // Those who arrived while another one was sending are refused.
    expect(statuses.filter((status) => status === 200).length).to.be.greaterThan(0)
    expect(statuses.filter((status) => status !== 200 && status !== 409)).to.deep.equal([])
    expect(await put()).to.equal(200)
    expect(api.stored.get(upload)?.sha256).to.equal(sha256(BYTES))
  })

  it('accepts the bytes of the next sender after the previous one broke off', async () => {
    const { path } = await begin(api, BYTES)
    const line = await firstOf(path, BYTES)
    line.socket.end()
    expect(await line.ended).to.match(/^HTTP\/1.1 400 /)
    // The sender learns this when its connection ends, perhaps before all of its bytes are discarded.
    let status: number
    do status = (await call(api.url + path, { method: 'PUT', body: BYTES })).status
    while (status === 409)
    expect(status).to.equal(200)
  })

  it('keeps the first bytes if it is unknown whether they were recorded, and continues with them', async () => {
    const { path, upload } = await begin(api, BYTES)
    api.before = async () => {
      throw new Refusal('unavailable', 'log_unavailable', 'The log is unavailable.')
    }
    const put = (body: Uint8Array) => call(api.url + path, { method: 'PUT', body })
    expect((await put(BYTES)).json.code).to.equal('log_unavailable')
    api.before = async () => {}
    expect((await put(randomBytes(BYTES.length))).json.code).to.equal('already_stored')
    expect(api.stored.get(upload)?.sha256).to.equal(sha256(BYTES))
  })

  it('accepts the same bytes again if it is unknown whether they were recorded', async () => {
    const { path, upload } = await begin(api, BYTES)
    api.before = async () => {
      throw new Refusal('unavailable', 'log_unavailable', 'The log is unavailable.')
    }
    const put = () => call(api.url + path, { method: 'PUT', body: BYTES })
    expect((await put()).status).to.equal(503)
    api.before = async () => {}
    expect((await put()).status).to.equal(200)
    expect(api.stored.get(upload)?.sha256).to.equal(sha256(BYTES))
  })
})
