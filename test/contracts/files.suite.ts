// The contract of file stores. `put` sends bytes to an upload link, `fetch` reads a download link.

import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import type { Expected, OwnableFiles, UploadLink } from '../../stores/contract/files.ts'
import { sha256 } from '../bytes.ts'
import type { Check } from './test-contract.ts'

export interface FilesUnderTest {
  readonly files: OwnableFiles
  /** Unix milliseconds, by the clock of the store. */
  readonly nowMs: number
  /** The status of the answer. */
  put(link: UploadLink, bytes: Uint8Array): Promise<number>
  fetch(url: string): Promise<{ readonly status: number; readonly bytes: Buffer }>
}

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'
const id = (): string => Array.from(randomBytes(24), (byte) => ALPHABET[byte & 31]).join('')
const BYTES = randomBytes(10_000)

const expected = (facts: Partial<Expected> = {}): Expected => ({
  blob: id(),
  size: BYTES.length,
  contentType: 'image/png',
  sha256: null,
  ...facts,
})

async function brought({ files, nowMs, put }: FilesUnderTest, bytes: Uint8Array, facts: Partial<Expected> = {}) {
  const wanted = expected({ size: bytes.length, ...facts })
  const link = await files.uploadLink(id(), wanted, nowMs + 60_000)
  return { ...wanted, link, status: await put(link, bytes) }
}

const offered = (blob: string, size: number) => ({
  ...expected({ blob, size }),
  name: 'a.png',
  bucket: id(),
  download: id(),
})

export const filesChecks: readonly Check<FilesUnderTest>[] = [
  {
    name: 'returns the bytes as uploaded, and their properties',
    run: async (make) => {
      const under = await make()
      for (const bytes of [BYTES, Buffer.alloc(0)]) {
        const { blob, status } = await brought(under, bytes)
        expect(status).to.equal(200)
        const stored = await under.files.stored(blob)
        expect(stored).to.include({ blob, size: bytes.length })
        expect([sha256(bytes), null]).to.include(stored?.sha256)
        const url = await under.files.downloadLink(offered(blob, bytes.length), under.nowMs + 60_000)
        const fetched = await under.fetch(url)
        expect([fetched.status, fetched.bytes.equals(bytes)]).to.deep.equal([200, true])
      }
      expect(await under.files.stored(id())).to.equal(null)
    },
  },
  {
    name: 'accepts exactly the declared bytes, and keeps nothing else',
    run: async (make) => {
      const under = await make()
      const short = await brought(under, BYTES.subarray(1), { size: BYTES.length })
      const long = await brought(under, BYTES, { size: BYTES.length - 1 })
      const others = await brought(under, BYTES, { sha256: sha256(BYTES.subarray(1)) })
      const right = await brought(under, BYTES, { sha256: sha256(BYTES) })
      for (const { status, blob } of [short, long, others]) {
        expect(status).to.be.within(400, 499)
        expect(await under.files.stored(blob)).to.equal(null)
      }
      expect(right.status).to.equal(200)
      expect((await under.files.list(null, 10)).map(({ blob }) => blob)).to.deep.equal([right.blob])
    },
  },
  {
    name: 'serves nothing for an altered or expired link',
    run: async (make) => {
      const under = await make()
      const { blob } = await brought(under, BYTES)
      const url = await under.files.downloadLink(offered(blob, BYTES.length), under.nowMs + 60_000)
      expect((await under.fetch(url)).status).to.equal(200)
      const altered = url.replace(/[A-Za-z0-9](?=[^A-Za-z0-9]*$)/, (last) => (last === 'A' ? 'B' : 'A'))
      expect((await under.fetch(altered)).status).to.be.within(400, 499)
      const expired = await under.files.downloadLink(offered(blob, BYTES.length), under.nowMs - 1_000)
      expect((await under.fetch(expired)).status).to.be.within(400, 499)
      const wanted = expected()
      const late = await under.files.uploadLink(id(), wanted, under.nowMs - 1_000)
      expect(await under.put(late, BYTES)).to.be.within(400, 499)
      expect(await under.files.stored(wanted.blob)).to.equal(null)
    },
  },
  {
    name: 'lists every blob once, by name, page by page',
    run: async (make) => {
      const under = await make()
      const blobs: string[] = []
      for (let n = 0; n < 23; n++) blobs.push((await brought(under, BYTES.subarray(0, n))).blob)
      const listed = []
      for (let after: string | null = null; ; ) {
        const page = await under.files.list(after, 5)
        listed.push(...page)
        if (page.length < 5) break
        after = page.at(-1)?.blob ?? null
      }
      expect(listed.map(({ blob }) => blob)).to.deep.equal(blobs.toSorted())
      expect(listed.map(({ size }) => size).toSorted((a, b) => a - b)).to.deep.equal([...blobs.keys()])
      for (const { storedMs } of listed) expect(storedMs).to.be.closeTo(Date.now(), 600_000)
    },
  },
  {
    name: 'removes blobs for good, and ignores missing ones',
    run: async (make) => {
      const under = await make()
      const gone = await brought(under, BYTES)
      const kept = await brought(under, BYTES)
      await under.files.remove([gone.blob, id()])
      await under.files.remove([gone.blob])
      await under.files.remove([])
      expect(await under.files.stored(gone.blob)).to.equal(null)
      expect((await under.files.list(null, 10)).map(({ blob }) => blob)).to.deep.equal([kept.blob])
      const url = await under.files.downloadLink(offered(gone.blob, BYTES.length), under.nowMs + 60_000)
      expect((await under.fetch(url)).status).to.equal(404)
    },
  },
  {
    name: 'has no owner marker at first, and keeps the first of several that are created at once',
    run: async (make) => {
      const { files } = await make()
      expect(await files.owner.read()).to.equal(null)
      const texts = Array.from({ length: 8 }, (_, n) => `owner ${n}\n`)
      await Promise.all(texts.map((text) => files.owner.create(text)))
      const first = await files.owner.read()
      expect(texts).to.include(first)
      await files.owner.create('too late')
      expect(await files.owner.read()).to.equal(first)
    },
  },
  {
    name: 'replaces the owner marker, or creates it, with any short text',
    run: async (make) => {
      const { files } = await make()
      for (const text of ['one\n', 'two, which is longer', '', 'x'.repeat(1_024)]) {
        await files.owner.replace(text)
        expect(await files.owner.read()).to.equal(text)
      }
    },
  },
  {
    name: 'keeps the owner marker apart from the blobs, and from what a sweep of temporary files deletes',
    run: async (make) => {
      const under = await make()
      await under.files.owner.create('one\n')
      const { blob } = await brought(under, BYTES)
      await under.files.sweepTemporary()
      expect((await under.files.list(null, 10)).map((one) => one.blob)).to.deep.equal([blob])
      expect(await under.files.owner.read()).to.equal('one\n')
    },
  },
]
