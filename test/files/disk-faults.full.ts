// A disk that fails in each file operation of an upload, once or permanently: the upload is refused, nothing of it is
// kept, and it can be repeated once the disk works.

import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { expect } from 'chai'
import { FilesFull } from '../../stores/contract/files.ts'
import { type Disk, realDisk } from '../../stores/files/disk.ts'
import { FREE_FLOOR_BYTES, sweepTemporary } from '../../stores/files/local.ts'
import { newId, sha256 } from '../bytes.ts'
import { call } from '../http/pipeline-calls.ts'
import { until } from '../until.ts'
import { type Before, failingIn, faulty } from './faulty-disk.ts'
import {
  begin,
  countedBytes,
  type FilesApi,
  filesBelow,
  linkTo,
  openFilesApi,
  openRawConnection,
  putHead,
} from './files-api.ts'

const BYTES = randomBytes(700_000)

describe('A disk that fails', () => {
  let api: FilesApi
  let before: Before = async () => {}
  beforeEach(async () => {
    before = async () => {}
    api = await openFilesApi({ disk: faulty(realDisk, (operation) => before(operation)) })
  })
  afterEach(() => api.close())

  const put = (path: string) => call(api.url + path, { method: 'PUT', body: BYTES })

  for (const [code, status, problem] of [
    ['ENOSPC', 503, 'store_full'],
    ['EDQUOT', 503, 'store_full'],
    ['EIO', 503, 'store_away'],
  ] as const) {
    for (const operation of ['create', 'write', 'sync', 'close', 'link', 'syncFolder', 'makeFolder', 'unlink']) {
      it(`with ${code} in ${operation} refuses an upload with ${status}, and records none`, async () => {
        for (let nth = 0; ; nth++) {
          const { path, upload, expected } = await begin(api, BYTES)
          const failing = failingIn(operation, nth, code)
          before = failing.before
          const { status: answered, json } = await put(path)
          before = async () => {}
          if (!failing.hasFailed()) {
            expect(nth).to.be.greaterThan(0)
            break
          }
          // Remains that cannot be removed are left for the sweep and do not affect the answer.
          if (operation === 'unlink') {
            expect(answered).to.equal(200)
          } else {
            expect([answered, json.code, api.stored.has(upload)]).to.deep.equal([status, problem, false])
            expect((await put(path)).status).to.equal(200)
          }
          expect(api.stored.get(upload)?.sha256).to.equal(sha256(BYTES))
          await sweepTemporary(realDisk, api.folder, Number.POSITIVE_INFINITY)
          const { blob } = expected
          expect(filesBelow(api.folder)).to.include(`${blob[0]}/${blob[1]}/${blob}`)
          expect(filesBelow(api.folder)).to.have.length(api.stored.size)
        }
      })
    }
  }

  it('refuses an upload whose reading is paused then, drains the rest of it, and keeps the connection', async () => {
    const bytes = randomBytes(1_500_000)
    const { path } = await begin(api, bytes)
    let request: IncomingMessage | undefined
    api.http.server.once('request', (arrived) => {
      request = arrived
    })
    before = async (operation) => {
      if (operation !== 'write') return
      await until(() => request?.isPaused() === true)
      throw Object.assign(new Error('full'), { code: 'ENOSPC', syscall: 'write' })
    }
    const line = openRawConnection(api.port)
    line.socket.write(putHead(path, `Content-Length: ${bytes.length}`))
    line.socket.write(bytes)
    line.socket.write('GET /api/nothing/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    expect((await line.ended).match(/HTTP\/1.1 \d+/g)).to.deep.equal(['HTTP/1.1 503', 'HTTP/1.1 404'])
  })

  it('permanently leaves temporary files, which the next start or sweep removes', async () => {
    const { path } = await begin(api, BYTES)
    before = async (operation) => {
      if (operation === 'sync' || operation === 'unlink')
        throw Object.assign(new Error('x'), { code: 'EIO', syscall: 'x' })
    }
    expect((await put(path)).status).to.equal(503)
    expect(filesBelow(api.folder)).to.have.length(1)
    expect(await sweepTemporary(realDisk, api.folder, Date.now() - 60_000)).to.equal(0)
    expect(await sweepTemporary(realDisk, api.folder, Date.now() + 60_000)).to.equal(1)
    expect(filesBelow(api.folder)).to.deep.equal([])
  })

  it('during a read ends the download there, and the sent bytes are counted', async () => {
    const large = randomBytes(3_000_000)
    const { path, expected } = await begin(api, large)
    expect((await call(api.url + path, { method: 'PUT', body: large })).status).to.equal(200)
    const link = await linkTo(api, expected.blob)
    let reads = 0
    before = async (operation) => {
      if (operation === 'read' && ++reads > 3) throw Object.assign(new Error('x'), { code: 'EIO', syscall: 'read' })
    }
    const answer = await fetch(api.url + link)
    const failed = await answer.arrayBuffer().then(
      () => null,
      (failure: Error) => failure,
    )
    expect(failed).to.be.instanceOf(Error)
    await until(() => api.counted.length >= 2)
    expect(countedBytes(api)).to.equal(2 * 1_048_576)
    const unread = await linkTo(api, newId(), { size: 1 })
    before = async (operation) => {
      if (operation === 'open') throw Object.assign(new Error('x'), { code: 'EIO', syscall: 'open' })
    }
    expect((await call(api.url + unread)).json.code).to.equal('store_away')
  })
})

describe('A disk that fills up', () => {
  async function withFree(free: () => number, act: (api: FilesApi) => Promise<void>) {
    const disk: Disk = { ...realDisk, freeBytes: async () => free() }
    const api = await openFilesApi({ disk })
    try {
      await act(api)
    } finally {
      await api.close()
    }
  }

  it('keeps its free minimum: no upload link is issued that would go below it', async () => {
    await withFree(
      () => FREE_FLOOR_BYTES + 1_000,
      async (api) => {
        const link = (size: number) =>
          api.files.uploadLink(newId(), { blob: newId(), size, contentType: 'a/b', sha256: null }, api.clock.nowMs)
        await link(1_000)
        const failure = await link(1_001).catch((error: unknown) => error)
        expect(failure).to.be.instanceOf(FilesFull)
      },
    )
  })

  it('accepts no more concurrent uploads than fit', async () => {
    await withFree(
      () => FREE_FLOOR_BYTES + 3 * BYTES.length,
      async (api) => {
        const uploads = await Promise.all(Array.from({ length: 8 }, () => begin(api, BYTES)))
        const streams = uploads.map(() => new PassThrough())
        const taking = uploads.map(({ expected }, index) =>
          api.files.take(expected, streams[index] as PassThrough, new AbortController().signal).then(
            () => 'taken',
            (error: Error) => error.name,
          ),
        )
        // None ends before all that are refused have been refused.
        let refused = 0
        for (const one of taking) void one.then(() => refused++)
        await until(() => refused >= 5)
        for (const stream of streams) stream.end(BYTES)
        expect((await Promise.all(taking)).toSorted()).to.deep.equal([
          ...Array.from({ length: 5 }, () => 'FilesFull'),
          ...Array.from({ length: 3 }, () => 'taken'),
        ])
        expect(filesBelow(api.folder)).to.have.length(3)
      },
    )
  })
})
