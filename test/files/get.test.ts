import { randomBytes } from 'node:crypto'
import { truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { newId, sha256 } from '../bytes.ts'
import { call } from '../http/pipeline-calls.ts'
import { until } from '../until.ts'
import { begin, countedBytes, EXPIRES_MS, type FilesApi, linkTo, openFilesApi, openRawConnection } from './files-api.ts'

const BYTES = randomBytes(1_500_007)
const ETAG = `"${sha256(BYTES)}"`
const HARMLESS = "sandbox; default-src 'none'"

describe('GET of a download’s link', () => {
  let api: FilesApi
  let blob: string
  let path: string
  before(async () => {
    api = await openFilesApi()
    blob = await keep(BYTES)
  })
  beforeEach(async () => {
    api.counted.length = 0
    path = await linkTo(api, blob)
  })
  after(() => api.close())

  async function keep(bytes: Uint8Array): Promise<string> {
    const { path: to, expected } = await begin(api, bytes)
    expect((await call(api.url + to, { method: 'PUT', body: bytes })).status).to.equal(200)
    return expected.blob
  }

  async function get(headers: Readonly<Record<string, string>> = {}, method = 'GET', at = path) {
    const answer = await fetch(api.url + at, { method, headers })
    return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
  }

  const sent = () => countedBytes(api)

  it('answers the bytes as an attachment that a browser does not execute', async () => {
    const { status, headers, bytes } = await get()
    expect([status, bytes.equals(BYTES)]).to.deep.equal([200, true])
    const { date, connection, 'keep-alive': _, 'x-request-id': id, ...answered } = Object.fromEntries(headers)
    expect(id).to.have.length(36)
    expect(answered).to.deep.equal({
      'accept-ranges': 'bytes',
      'cache-control': 'no-store',
      'content-disposition': 'attachment; filename="a.html"',
      'content-length': String(BYTES.length),
      'content-security-policy': HARMLESS,
      'content-type': 'text/html',
      etag: ETAG,
      vary: 'Origin',
      'x-content-type-options': 'nosniff',
    })
    expect(api.counted).to.deep.equal([['b1', 'd1', BYTES.length]])
  })

  it('encodes every file name, so that none becomes a header or another name', async () => {
    const names: readonly (readonly [string, string])[] = [
      ['a b.txt', 'attachment; filename="a b.txt"'],
      ['"; filename="x', 'attachment; filename="\\"; filename=\\"x"'],
      ['größe.png', 'attachment; filename="gr__e.png"; filename*=UTF-8\'\'gr%C3%B6%C3%9Fe.png'],
      ['分数.png', 'attachment; filename="__.png"; filename*=UTF-8\'\'%E5%88%86%E6%95%B0.png'],
      ['😀.png', 'attachment; filename="_.png"; filename*=UTF-8\'\'%F0%9F%98%80.png'],
      ['100%41.txt', 'attachment; filename="100%41.txt"; filename*=UTF-8\'\'100%2541.txt'],
      ['é'.repeat(120), `attachment; filename="${'_'.repeat(120)}"; filename*=UTF-8''${'%C3%A9'.repeat(120)}`],
    ]
    for (const [name, disposition] of names) {
      const { status, headers } = await get({}, 'HEAD', await linkTo(api, blob, { name }))
      expect([status, headers.get('content-disposition')]).to.deep.equal([200, disposition])
    }
  })

  it('answers single ranges', async () => {
    const size = BYTES.length
    const asked: readonly (readonly [string, number, number])[] = [
      ['bytes=0-0', 0, 1],
      ['bytes=1-9', 1, 10],
      ['bytes=1000000-', 1_000_000, size],
      ['bytes=-7', size - 7, size],
      [`bytes=-${size + 5}`, 0, size],
      [`bytes=5-${size + 5}`, 5, size],
      ['BYTES=2-3', 2, 4],
      ['bytes=262143-524289', 262_143, 524_290],
      [`bytes=${size - 1}-99999999999999999999999`, size - 1, size],
    ]
    for (const [range, start, end] of asked) {
      const { status, headers, bytes } = await get({ range })
      expect([range, status, bytes.equals(BYTES.subarray(start, end))]).to.deep.equal([range, 206, true])
      expect(headers.get('content-range')).to.equal(`bytes ${start}-${end - 1}/${size}`)
      expect(headers.get('content-length')).to.equal(String(end - start))
    }
    expect(sent()).to.equal(asked.reduce((sum, [, start, end]) => sum + end - start, 0))
  })

  it('refuses ranges outside the file, and ignores everything that is not a single range', async () => {
    for (const range of [
      `bytes=${BYTES.length}-`,
      'bytes=9999999-10000000',
      'bytes=-0',
      'bytes=99999999999999999999-',
    ]) {
      const { status, headers, bytes } = await get({ range })
      expect([range, status, JSON.parse(String(bytes)).code]).to.deep.equal([range, 416, 'range_not_satisfiable'])
      expect(headers.get('content-range')).to.equal(`bytes */${BYTES.length}`)
    }
    expect(sent()).to.equal(0)
    for (const range of ['bytes=0-1,3-4', 'bytes=5-2', 'bytes=-', 'lines=1-2', 'bytes=a-b', 'bytes', 'bytes=1-2x']) {
      expect([range, (await get({ range })).status]).to.deep.equal([range, 200])
    }
  })

  it('answers 304 for a known version, and no range of another version', async () => {
    for (const known of [ETAG, `"x", W/${ETAG}`, '*']) {
      const { status, headers, bytes } = await get({ 'if-none-match': known, range: 'bytes=0-1' })
      expect([status, headers.get('etag'), bytes.length]).to.deep.equal([304, ETAG, 0])
    }
    expect(sent()).to.equal(0)
    const ranged = (ifRange: string) => get({ 'if-range': ifRange, range: 'bytes=0-1' })
    expect((await ranged(ETAG)).status).to.equal(206)
    for (const other of ['"other"', `W/${ETAG}`, 'Sat, 21 Nov 2026 07:05:01 GMT']) {
      expect((await ranged(other)).status).to.equal(200)
    }
    expect((await get({ 'if-none-match': '"other"' })).status).to.equal(200)
  })

  it('answers HEAD without a body, and counts no bytes', async () => {
    const { status, headers, bytes } = await get({ range: 'bytes=0-1' }, 'HEAD')
    expect([status, headers.get('content-length'), bytes.length]).to.deep.equal([200, String(BYTES.length), 0])
    expect(api.counted).to.deep.equal([])
  })

  it('answers an empty file', async () => {
    const empty = await linkTo(api, await keep(Buffer.alloc(0)))
    for (const [range, status] of [
      ['', 200],
      ['bytes=0-', 416],
      ['bytes=-5', 416],
    ] as const) {
      expect((await get(range === '' ? {} : { range }, 'GET', empty)).status).to.equal(status)
    }
    expect(api.counted).to.deep.equal([])
  })

  it('answers 404 for a link that is expired, altered, without a file, or for an upload', async () => {
    const put = await begin(api, BYTES)
    const last = path.at(-2) === 'A' ? 'B' : 'A'
    const dead = [put.path, `${path.slice(0, -2)}${last}/`, await linkTo(api, newId())]
    for (const one of dead) {
      const { status, bytes } = await get({}, 'GET', one)
      expect([status, JSON.parse(String(bytes)).code]).to.deep.equal([404, 'not_found'])
    }
    const nowMs = api.clock.nowMs
    api.clock.nowMs = EXPIRES_MS - 1
    expect((await get()).status).to.equal(200)
    api.clock.nowMs = EXPIRES_MS
    expect((await get()).status).to.equal(404)
    api.clock.nowMs = nowMs
  })

  it('completes if the file is removed half-way', async () => {
    const large = randomBytes(12_000_000)
    const gone = await keep(large)
    const line = openRawConnection(api.port)
    line.socket.write(`GET ${await linkTo(api, gone)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    await line.until('\r\n\r\n')
    line.socket.pause()
    await api.files.remove([gone])
    expect(await api.files.stored(gone)).to.equal(null)
    line.socket.resume()
    const heard = Buffer.from(await line.ended, 'latin1')
    expect(heard.subarray(heard.indexOf('\r\n\r\n') + 4).equals(large)).to.equal(true)
    expect(api.counted).to.deep.equal([['b1', 'd1', large.length]])
  })

  it('counts the bytes that were sent to a client that disconnects', async () => {
    const large = await linkTo(api, await keep(randomBytes(20_000_000)))
    const line = openRawConnection(api.port)
    line.socket.write(`GET ${large} HTTP/1.1\r\nHost: x\r\n\r\n`)
    await line.until('\r\n\r\n')
    line.socket.destroy()
    await until(() => api.counted.length >= 2)
    expect(api.counted.map(([, , bytes]) => Math.sign(bytes))).to.deep.equal([1, -1])
    const read = line.socket.bytesRead
    expect(sent()).to.be.within(read - 262_144 - 1_000, 19_999_999)
  })

  it('allows pages of the game’s origins by CORS, and no others', async () => {
    const allowed = async (origin: string, at = path) =>
      (await get({ origin }, 'GET', at)).headers.get('access-control-allow-origin')
    expect(await allowed('https://one.example')).to.equal('https://one.example')
    expect(await allowed('https://evil.example')).to.equal(null)
    // A blob of another game, whose own links it may read.
    expect(await allowed('https://two.example')).to.equal(null)
    expect(await allowed('https://two.example', await linkTo(api, blob, { bucket: 'b2' }))).to.equal(
      'https://two.example',
    )
    const { headers } = await get({ origin: 'https://one.example', range: 'bytes=0-9' })
    const exposed = headers.get('access-control-expose-headers')?.split(', ')
    expect(exposed).to.include.members([
      'Content-Disposition',
      'Content-Range',
      'Content-Length',
      'ETag',
      'Accept-Ranges',
    ])
  })

  it('answers CORS preflight requests of the game’s origins', async () => {
    const ask = async (origin: string, method: string, at: string, wished: string) => {
      const headers = { origin, 'access-control-request-method': method, 'access-control-request-headers': wished }
      const { status, headers: answered } = await get(headers, 'OPTIONS', at)
      const names = answered.get('access-control-allow-headers')?.toLowerCase().split(', ') ?? []
      const methods = answered.get('access-control-allow-methods')?.split(', ') ?? []
      const suits = wished.split(',').every((name) => names.includes(name)) && methods.includes(method)
      return [status, answered.get('access-control-allow-origin'), suits]
    }
    const { path: link } = await begin(api, BYTES)
    const put = (origin: string, at = link) => ask(origin, 'PUT', at, 'content-type')
    expect(await put('https://one.example')).to.deep.equal([200, 'https://one.example', true])
    expect(await put('https://two.example')).to.deep.equal([403, null, false])
    expect(await put('https://evil.example')).to.deep.equal([403, null, false])
    const range = (origin: string) => ask(origin, 'GET', path, 'if-range,range')
    expect(await range('https://one.example')).to.deep.equal([200, 'https://one.example', true])
    expect(await range('https://two.example')).to.deep.equal([403, null, false])
    // An invalid link belongs to no game: any origin may read that it is invalid.
    expect(await put('https://two.example', `${link.slice(0, -3)}x/`)).to.deep.equal([200, 'https://two.example', true])
  })

  it('never answers a part of a file as the whole, and answers a missing blob as an invalid link', async () => {
    const short = await keep(randomBytes(5_000))
    const link = await linkTo(api, short)
    await truncate(join(api.folder, short.charAt(0), short.charAt(1), short), 4_000)
    expect((await get({}, 'GET', link)).status).to.equal(503)
    expect((await get({ range: 'bytes=0-9' }, 'GET', link)).status).to.equal(503)
    await truncate(join(api.folder, short.charAt(0), short.charAt(1), short), 10)
    expect((await get({}, 'GET', link)).status).to.equal(503)
    await api.files.remove([short])
    expect((await get({}, 'GET', link)).status).to.equal(404)
    expect(api.counted).to.deep.equal([])
  })
})
