// What S3 links bind, each property on its own, on a store that checks signatures; and what our own final check finds
// on a store that checks nothing.

import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { newId, sha256 } from '../bytes.ts'
import { STARTED_WITHIN_MS, startS3 } from '../servers/s3/store.ts'
import { expectedOf, inAMinute, offeredOf, openS3World, putTo, type S3World } from './s3-world.ts'

const BYTES = randomBytes(3_000)
const OTHERS = randomBytes(3_000)

describe('Links to S3', () => {
  let world: S3World
  before(async function () {
    this.timeout(STARTED_WITHIN_MS)
    await startS3()
    world = await openS3World()
  })
  after(() => world.close())

  const linked = async (more = {}) => {
    const expected = expectedOf(BYTES, more)
    return { expected, link: await world.files.uploadLink(newId(), expected, inAMinute()) }
  }

  it('are equal for the same upload and expiry, so that a repeated call gets the same answer', async () => {
    const expected = expectedOf(BYTES, { sha256: sha256(BYTES) })
    const end = inAMinute()
    const [one, two] = [
      await world.files.uploadLink('u', expected, end),
      await world.files.uploadLink('u', expected, end),
    ]
    expect(one).to.deep.equal(two)
    expect(one.headers).to.deep.equal({
      'Content-Type': 'image/png',
      'If-None-Match': '*',
      'x-amz-checksum-sha256': Buffer.from(sha256(BYTES), 'hex').toString('base64'),
    })
    expect(one.url).not.to.contain('hunter')
  })

  it('accept no other method, type, length or bytes, and require all of their headers', async () => {
    const { expected, link } = await linked({ sha256: sha256(BYTES) })
    const sum = 'x-amz-checksum-sha256'
    const otherSum = Buffer.from(sha256(OTHERS), 'hex').toString('base64')
    const refusals = [
      await putTo(link, BYTES, {}, 'POST'),
      await putTo(link, BYTES, { 'Content-Type': 'text/html' }),
      await putTo(link, BYTES, { 'Content-Type': null }),
      await putTo(link, BYTES.subarray(1)),
      await putTo(link, Buffer.concat([BYTES, BYTES])),
      await putTo(link, BYTES, { 'If-None-Match': null }),
      await putTo(link, BYTES, { [sum]: null }),
      await putTo(link, OTHERS, { [sum]: otherSum }),
      await putTo(link, OTHERS),
      await putTo({ ...link, url: link.url.replace(expected.blob, newId()) }, BYTES),
      await putTo({ ...link, url: link.url.replace('X-Amz-Expires=3600', 'X-Amz-Expires=9600') }, BYTES),
    ]
    const codes = await Promise.all(
      refusals.map(async (one) => [one.status, /<Code>(\w+)/.exec(await one.text())?.[1]]),
    )
    const unsigned = [403, 'SignatureDoesNotMatch']
    const wrongBytes = [400, 'BadDigest']
    expect(codes).to.deep.equal([...Array(8).fill(unsigned), wrongBytes, unsigned, unsigned])
    expect(await world.files.stored(expected.blob)).to.equal(null)
    expect((await putTo(link, BYTES)).status).to.equal(200)
    expect(await world.files.stored(expected.blob, true)).to.include({ size: 3_000, sha256: sha256(BYTES) })
  })

  it('accept bytes once: later uses of a link do not change them', async () => {
    const { expected, link } = await linked()
    expect((await putTo(link, BYTES)).status).to.equal(200)
    expect((await putTo(link, OTHERS)).status).to.equal(412)
    expect((await world.files.stored(expected.blob, true))?.sha256).to.equal(sha256(BYTES))
  })

  it('accept the bytes of exactly one of many concurrent senders', async () => {
    const { expected, link } = await linked()
    const sent = Array.from({ length: 8 }, () => randomBytes(3_000))
    const statuses = await Promise.all(sent.map(async (bytes) => (await putTo(link, bytes)).status))
    expect(statuses.toSorted()).to.deep.equal([200, ...Array(7).fill(412)])
    const winner = sent[statuses.indexOf(200)] as Buffer
    expect((await world.files.stored(expected.blob, true))?.sha256).to.equal(sha256(winner))
  })

  it('store nothing of an interrupted upload', async () => {
    const { expected, link } = await linked()
    const body = new ReadableStream({
      start: (stream) => stream.enqueue(BYTES.subarray(1_000)),
      pull: (stream) => stream.error(new Error('gone')),
    })
    const sending = fetch(link.url, { method: 'PUT', headers: link.headers, body, duplex: 'half' } as RequestInit)
    expect(
      await sending.then(
        () => 'answered',
        () => 'cut',
      ),
    ).to.equal('cut')
    expect(await world.files.stored(expected.blob)).to.equal(null)
    expect((await putTo(link, BYTES)).status).to.equal(200)
  })

  it('serve downloads as attachments, with a neutral type for what a browser would execute', async () => {
    const { expected, link } = await linked()
    await putTo(link, BYTES)
    const served = async (contentType: string, name = 'a.png') => {
      const url = await world.files.downloadLink(offeredOf(expected, { contentType, name }), inAMinute())
      const { headers } = await fetch(url)
      expect(headers.get('cache-control')).to.equal('private, no-store')
      expect(headers.get('content-disposition')).to.match(/^attachment; filename/)
      return headers.get('content-type')
    }
    const shown = ['image/png', 'audio/ogg', 'video/mp4', 'text/plain', 'application/json', 'font/woff2', 'text/csv']
    for (const type of shown) expect((await served(type))?.split(';')[0]).to.equal(type)
    const run = [
      'text/html',
      'image/svg+xml',
      'application/xhtml+xml',
      'text/xml',
      'application/pdf',
      'text/javascript',
    ]
    const odd = ['IMAGE/SVG+XML', 'text/html; charset=utf-8', 'multipart/mixed', 'text/plainer', 'application/json+x']
    for (const type of [...run, ...odd]) expect(await served(type), type).to.equal('application/octet-stream')
    const url = await world.files.downloadLink(offeredOf(expected, { name: 'Größe 日本 "1".html' }), inAMinute())
    const { headers } = await fetch(url)
    expect(headers.get('content-disposition')).to.equal(
      `attachment; filename="Gr__e __ \\"1\\".html"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%E6%97%A5%E6%9C%AC%20%221%22.html`,
    )
    const changed = await fetch(url.replace('attachment', 'inline'))
    expect(changed.status).to.equal(403)
  })

  it('serve ranges, and allow nothing else', async () => {
    const { expected, link } = await linked()
    await putTo(link, BYTES)
    const url = await world.files.downloadLink(offeredOf(expected), inAMinute())
    const part = await fetch(url, { headers: { range: 'bytes=2990-' } })
    expect([part.status, Buffer.from(await part.arrayBuffer())]).to.deep.equal([206, BYTES.subarray(2_990)])
    expect((await fetch(url, { method: 'DELETE' })).status).to.equal(403)
    expect((await putTo({ ...link, url }, OTHERS)).status).to.equal(403)
  })

  it('are refused for more bytes than the store accepts in one PUT', async () => {
    const failure = await linked({ size: 5 * 1_024 ** 3 + 1 }).then(String, (error: Error) => error.name)
    expect([failure, world.files.largestBytes]).to.deep.equal(['RangeError', 5 * 1_024 ** 3])
    expect((await linked({ size: 5 * 1_024 ** 3 })).link.method).to.equal('PUT')
  })
})

describe('An S3 server that verifies nothing', () => {
  let world: S3World
  afterEach(() => world.close())

  it('is not trusted: sizes and checksums are those of the stored bytes', async () => {
    world = await openS3World({ bare: true })
    const lying = expectedOf(BYTES, { sha256: sha256(BYTES) })
    const link = await world.files.uploadLink(newId(), lying, inAMinute())
    expect((await putTo(link, OTHERS)).status).to.equal(200)
    expect((await world.files.stored(lying.blob, true))?.sha256).to.equal(sha256(OTHERS))
    expect((await world.files.stored(lying.blob))?.sha256).to.equal(null)
    const short = expectedOf(BYTES)
    await putTo(await world.files.uploadLink(newId(), short, inAMinute()), BYTES.subarray(7))
    expect((await world.files.stored(short.blob))?.size).to.equal(2_993)
  })

  it('is not trusted with a checksum that it stored without verifying', async () => {
    // Stores what clients claim: the gate's own check is off, so the start check must detect it.
    world = await openS3World({
      prepare: ({ gate }) => {
        gate.checksSums = false
      },
    })
    const expected = expectedOf(BYTES, { sha256: sha256(BYTES) })
    const link = await world.files.uploadLink(newId(), expected, inAMinute())
    expect((await putTo(link, OTHERS)).status).to.equal(200)
    expect((await world.files.stored(expected.blob, true))?.sha256).to.equal(sha256(OTHERS))
  })
})
