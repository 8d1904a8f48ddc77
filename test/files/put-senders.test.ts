// Several senders of one upload, sequential and concurrent: the bytes of exactly one are stored.

import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { Refusal } from '../../domain/decider.ts'
import { sha256 } from '../bytes.ts'
import { call } from '../http/pipeline-calls.ts'
import { until } from '../until.ts'
import { begin, type FilesApi, filesBelow, openFilesApi, openRawConnection, putHead } from './files-api.ts'

const BYTES = randomBytes(1_000_003)

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
