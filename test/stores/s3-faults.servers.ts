// S3 that is down, slow, busy or broken: every call settles in time with a correct result or StoreUnavailable.

import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { StoreUnavailable } from '../../stores/contract/faults.ts'
import { newId, sha256 } from '../bytes.ts'
import type { Asked, Fault } from '../servers/s3/gate.ts'
import { KEY, STARTED_WITHIN_MS, startS3 } from '../servers/s3/store.ts'
import { expectedOf, inAMinute, openS3World, putTo, type S3World } from './s3-world.ts'

const BYTES = randomBytes(300_000)
/** Far above every limit of the adapter, for busy machines. */
const SETTLED_MS = 60_000

const LASTING: readonly Fault[] = [
  { status: 500, code: 'InternalError' },
  { status: 503, code: 'SlowDown' },
  { status: 503, code: 'ServiceUnavailable' },
  { status: 429, code: 'TooManyRequests' },
  { status: 403, code: 'AccessDenied' },
  { status: 403, code: 'InvalidAccessKeyId' },
  { status: 400, code: 'ExpiredToken' },
  { status: 507, code: 'XMinioStorageFull' },
  'cut',
  'cut after',
  'silent',
]

describe('An S3 that fails', function () {
  this.timeout(SETTLED_MS)
  let world: S3World
  let blob: string
  before(async function () {
    this.timeout(STARTED_WITHIN_MS)
    await startS3()
  })
  beforeEach(async () => {
    world = await openS3World()
    const expected = expectedOf(BYTES, { sha256: sha256(BYTES) })
    await putTo(await world.files.uploadLink(newId(), expected, inAMinute()), BYTES)
    blob = expected.blob
  })
  afterEach(() => world.close())

  /** Fails the first `times` requests for which `which` is true. */
  function failing(fault: Fault, times = Number.POSITIVE_INFINITY, which: (asked: Asked) => boolean = () => true) {
    let left = times
    world.bucket.gate.fault = (asked) => {
      if (!which(asked) || left === 0) return null
      left--
      return fault
    }
  }

  /** Our bytes in a store that keeps no checksum of them. */
  async function storedUnsummed() {
    await world.close()
    world = await openS3World({
      prepare: ({ gate }) => {
        gate.checksSums = false
      },
    })
    const expected = expectedOf(BYTES, { sha256: sha256(BYTES) })
    await putTo(await world.files.uploadLink(newId(), expected, inAMinute()), BYTES)
    return expected
  }

  const calls = (): Record<string, Promise<unknown>> => ({
    stored: world.files.stored(blob, true),
    list: world.files.list(null, 10),
    remove: world.files.remove([newId()]),
  })

  async function expectUnavailable(what: string, call: Promise<unknown>): Promise<StoreUnavailable> {
    const failure = await call.then(
      (answer) => new Error(`answered ${JSON.stringify(answer)}`),
      (error: unknown) => error,
    )
    expect(failure, `${what}: ${failure}`).to.be.instanceOf(StoreUnavailable)
    const { stack = '', cause } = failure as StoreUnavailable
    for (const secret of [KEY.secretAccessKey, encodeURIComponent(KEY.secretAccessKey), KEY.accessKeyId]) {
      expect(stack).not.to.contain(secret)
    }
    expect(cause).to.equal(undefined)
    return failure as StoreUnavailable
  }

  for (const fault of LASTING) {
    const named = typeof fault === 'string' ? fault : `${fault.status} ${fault.code}`
    it(`is reported as unavailable by every call while it answers: ${named}`, async () => {
      failing(fault)
      await Promise.all(Object.entries(calls()).map(([what, call]) => expectUnavailable(what, call)))
      world.bucket.gate.fault = null
      expect(await world.files.stored(blob, true)).to.include({ size: BYTES.length, sha256: sha256(BYTES) })
      expect((await world.files.list(null, 10)).map((one) => one.blob)).to.deep.equal([blob])
    })
  }

  it('is retried a bounded number of times if it is briefly unavailable', async () => {
    for (const fault of [{ status: 503, code: 'SlowDown' }, { status: 500, code: 'InternalError' }, 'cut'] as const) {
      failing(fault, 2)
      expect((await world.files.stored(blob))?.size).to.equal(BYTES.length)
    }
    failing({ status: 503, code: 'SlowDown' })
    const before = world.bucket.gate.asked.length
    await expectUnavailable('stored', world.files.stored(blob))
    expect(world.bucket.gate.asked.length - before).to.equal(3)
  })

  it('removes blobs even if the answer is lost', async () => {
    failing('cut after', 1, ({ method }) => method === 'DELETE')
    await world.files.remove([blob])
    expect(await world.files.stored(blob)).to.equal(null)
  })

  it('is reported as unavailable if the answer is not from S3 or breaks off', async () => {
    failing('garbage', Number.POSITIVE_INFINITY, ({ method }) => method === 'GET')
    await expectUnavailable('list', world.files.list(null, 10))
    failing('cut within', Number.POSITIVE_INFINITY, ({ method }) => method === 'GET')
    await expectUnavailable('list', world.files.list(null, 10))
  })

  it('is not trusted with bytes that it cannot return completely', async () => {
    const expected = await storedUnsummed()
    for (const fault of ['cut within', 'stuck within', { status: 404, code: 'NoSuchKey' }] as const) {
      failing(fault, Number.POSITIVE_INFINITY, ({ method }) => method === 'GET')
      await expectUnavailable(String(fault), world.files.stored(expected.blob, true))
    }
    world.bucket.gate.fault = null
    expect((await world.files.stored(expected.blob, true))?.sha256).to.equal(sha256(BYTES))
  })

  it('serves bytes without a stored checksum with one read for all concurrent callers', async () => {
    const expected = await storedUnsummed()
    const reads = () =>
      world.bucket.gate.asked.filter(({ method, path }) => method === 'GET' && path.includes(expected.blob))
    const asked = () => Promise.all(Array.from({ length: 8 }, () => world.files.stored(expected.blob, true)))
    for (const stored of await asked()) expect(stored?.sha256).to.equal(sha256(BYTES))
    expect(reads()).to.have.length(1)
    await asked()
    expect(reads()).to.have.length(2)
  })

  it('does not affect links: their users get the error from the store', async () => {
    failing('silent')
    const expected = expectedOf(BYTES)
    const link = await world.files.uploadLink(newId(), expected, inAMinute())
    failing({ status: 503, code: 'SlowDown' }, 1)
    expect((await putTo(link, BYTES)).status).to.equal(503)
    expect((await putTo(link, BYTES)).status).to.equal(200)
  })
})
