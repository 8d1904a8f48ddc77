import { randomBytes } from 'node:crypto'
import { unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { createDownloadBuffers } from '../../http/files/download-buffers.ts'
import type { OpenBlob } from '../../stores/contract/local-files.ts'
import type { DiskFile } from '../../stores/files/disk.ts'
import { realDisk } from '../../stores/files/disk.ts'
import { BELIEVED_MS, createKeptBlobs, type KeptBlobs } from '../../stores/files/open-blobs.ts'
import { newId, sha256 } from '../bytes.ts'
import { call } from '../http/pipeline-calls.ts'
import { until } from '../until.ts'
import { faulty } from './faulty-disk.ts'
import { begin, type FilesApi, openFilesApi } from './files-api.ts'

const MIB = 1_048_576

describe('Blobs that are kept open', () => {
  let api: FilesApi
  let kept: KeptBlobs
  let blob: string
  let opened: DiskFile[]
  let operations: string[]
  let elapsedMs = 0
  const bytes = randomBytes(5_000)
  beforeEach(async () => {
    api = await openFilesApi()
    const { path, expected } = await begin(api, bytes)
    expect((await call(api.url + path, { method: 'PUT', body: bytes })).status).to.equal(200)
    blob = expected.blob
    opened = []
    operations = []
    const disk = faulty(realDisk, async (operation) => void operations.push(operation), opened)
    elapsedMs = 0
    kept = createKeptBlobs(disk, api.folder, () => elapsedMs)
  })
  afterEach(async () => {
    await kept.close()
    await api.close()
  })

  const used = async (): Promise<OpenBlob> => {
    const open = await kept.open(blob)
    if (open === null) throw new Error('it is there')
    const into = Buffer.alloc(bytes.length + 100)
    expect(await open.read(into, 0)).to.equal(bytes.length)
    expect(into.subarray(0, bytes.length).equals(bytes)).to.equal(true)
    expect([open.size, open.sha256]).to.deep.equal([bytes.length, sha256(bytes)])
    return open
  }
  const closed = () => operations.filter((one) => one === 'close').length

  it('are opened once for any number of sequential and concurrent readers', async () => {
    const first = await used()
    const second = await used()
    await first.close()
    await second.close()
    elapsedMs = BELIEVED_MS
    for (let times = 0; times < 2; times++) await (await used()).close()
    expect(opened).to.have.length(1)
    expect(operations).to.deep.equal(['open', 'facts', 'read', 'read', 'read', 'facts', 'read', 'read'])
    await kept.close()
    expect(closed()).to.equal(1)
  })

  it('are gone when another process removes them, while running reads continue', async () => {
    const reading = await used()
    await unlink(join(api.folder, blob.charAt(0), blob.charAt(1), blob))
    elapsedMs = BELIEVED_MS
    expect(await kept.open(blob)).to.equal(null)
    expect(await reading.read(Buffer.alloc(10), 4_995)).to.equal(5)
    expect(closed()).to.equal(0)
    await reading.close()
    expect(closed()).to.equal(1)
  })

  it('are each closed once when this process removes them', async () => {
    await (await used()).close()
    await kept.forget(blob)
    expect(closed()).to.equal(1)
    const reading = await used()
    await kept.forget(blob)
    await kept.forget(newId())
    expect(closed()).to.equal(1)
    await reading.close()
    expect([opened.length, closed()]).to.deep.equal([2, 2])
  })

  it('are closed when they are no longer used', async () => {
    await (await used()).close()
    await until(() => closed() > 0)
    await (await used()).close()
    expect(opened).to.have.length(2)
  })
})

describe('Memory of downloads', () => {
  const bytes = randomBytes(3 * MIB + 70_000)
  let reads: number[]
  const blob: OpenBlob = {
    size: bytes.length,
    sha256: '',
    async read(into, position) {
      reads.push(position)
      // A disk may read fewer bytes than requested.
      return bytes.copy(into, 0, position, position + Math.min(into.length, 700_000))
    },
    close: async () => {},
  }
  beforeEach(() => {
    reads = []
  })
  const size = bytes.length

  it('consists of a few large chunks and otherwise small ones, for any number of readers', async () => {
    const { take } = createDownloadBuffers()
    const asked = (count: number, name: string) =>
      Promise.all(Array.from({ length: count }, (_, n) => take(`${name} ${n}`, blob, { start: 0, end: size })))
    const chunks = await asked(40, 'a')
    expect(chunks.map((one) => one.bytes.length)).to.deep.equal([...Array(32).fill(MIB), ...Array(8).fill(65_536)])
    expect(new Set(chunks.map((one) => one.bytes.buffer)).size).to.equal(40)
    expect(chunks.every((one) => one.bytes.equals(bytes.subarray(0, one.bytes.length)))).to.equal(true)
    chunks[0]?.drop()
    for (const chunk of chunks.slice(1)) chunk.release()
    const again = await asked(33, 'b')
    expect(again.map((one) => one.bytes.length)).to.deep.equal([...Array(32).fill(MIB), 65_536])
    expect(again.map((one) => one.bytes.buffer)).not.to.include(chunks[0]?.bytes.buffer)
  })

  it('caches what was read for all readers until the memory is needed', async () => {
    const { take } = createDownloadBuffers()
    const at = (name: string, start: number, end = size) => take(name, blob, { start, end })
    const [one, other] = await Promise.all([at('a', MIB), at('a', MIB)])
    expect([reads, one.bytes.buffer === other.bytes.buffer]).to.deep.equal([[MIB, MIB + 700_000], true])
    expect(one.bytes.equals(bytes.subarray(MIB, 2 * MIB))).to.equal(true)
    one.release()
    // The other reader still holds one: 31 are left.
    for (let n = 0; n < 31; n++) (await at(`b${n}`, 0)).release()
    for (let n = 0; n < 40; n++) (await at(`c${n}`, 0)).release()
    expect(other.bytes.equals(bytes.subarray(MIB, 2 * MIB))).to.equal(true)
    reads.length = 0
    ;(await at('a', MIB)).release()
    expect(reads).to.deep.equal([])
    // A dropped file is opened again, and readers of the dropped one continue.
    const third = await at('a', MIB)
    third.drop()
    other.drop()
    expect((await at('a', MIB)).bytes.buffer === third.bytes.buffer).to.equal(false)
    expect(reads).to.deep.equal([MIB, MIB + 700_000])
    for (let n = 0; n < 31; n++) expect((await at(`d${n}`, 0)).bytes.length).to.equal(MIB)
    expect((await at('e', 0)).bytes.length).to.equal(65_536)
  })

  it('caches complete chunks of a file, and reads the rest in small chunks', async () => {
    const { take } = createDownloadBuffers()
    const lengths = async (start: number, end: number) => {
      const found: number[] = []
      for (let at = start; at < end; at += found.at(-1) ?? 0) {
        const chunk = await take('a', blob, { start: at, end })
        expect(chunk.bytes.equals(bytes.subarray(at, at + chunk.bytes.length))).to.equal(true)
        chunk.release()
        found.push(chunk.bytes.length)
      }
      return found
    }
    expect(await lengths(0, size)).to.deep.equal([MIB, MIB, MIB, 70_000])
    expect(await lengths(MIB - 70_000, 2 * MIB + 9)).to.deep.equal([65_536, 4_464, MIB, 9])
    expect(await lengths(5, 6)).to.deep.equal([1])
  })

  it('is freed after a disk failure, which is reported to all waiting readers', async () => {
    const { take } = createDownloadBuffers()
    const failing = { ...blob, read: () => Promise.reject(new Error('EIO')) }
    const asked = (from: OpenBlob, count: number) =>
      Promise.allSettled(Array.from({ length: count }, () => take('a', from, { start: 0, end: size })))
    expect((await asked(failing, 40)).map(({ status }) => status)).to.deep.equal(Array(40).fill('rejected'))
    for (let n = 0; n < 32; n++) {
      expect((await take(`b${n}`, blob, { start: 0, end: size })).bytes.length).to.equal(MIB)
    }
    const ended = { ...blob, read: async () => 0 }
    expect((await asked(ended, 1))[0]?.status).to.equal('rejected')
  })
})
