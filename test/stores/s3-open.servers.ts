// Opening a file store in S3: what is refused, with which message, and what is only warned about.

import { expect } from 'chai'
import { StoresFault } from '../../stores/contract/faults.ts'
import { checkS3, openS3Files } from '../../stores/s3/open.ts'
import type { Asked, Fault } from '../servers/s3/gate.ts'
import { type Bucket, freshBucket, KEY, STARTED_WITHIN_MS, startS3 } from '../servers/s3/store.ts'

const SETTLED_MS = 60_000

describe('Opening a store of files in S3', function () {
  this.timeout(SETTLED_MS)
  let bucket: Bucket
  before(async function () {
    this.timeout(STARTED_WITHIN_MS)
    await startS3()
  })
  beforeEach(async () => {
    bucket = await freshBucket()
  })
  afterEach(() => bucket.close())

  const open = (url = bucket.url, production = true, warnings: string[] = []) =>
    openS3Files({ url, production, warn: (message) => void warnings.push(message), now: Date.now })

  async function refusal(url = bucket.url): Promise<string> {
    const failure = await open(url).then(
      () => new Error('it opened'),
      (error: Error) => error,
    )
    expect(failure, String(failure)).to.be.instanceOf(StoresFault)
    for (const secret of [KEY.secretAccessKey, encodeURIComponent(KEY.secretAccessKey), 'wrong-hunter']) {
      expect(failure.stack).not.to.contain(secret)
    }
    return failure.message
  }

  const failing = (fault: Fault, which: (asked: Asked) => boolean = () => true) => {
    bucket.gate.fault = (asked) => (which(asked) ? fault : null)
  }

  it('leaves no test objects behind, neither its own nor, after a sweep, those of killed processes', async () => {
    const [left, foreign] = ['0123456789abcdef01234567', 'of-another-program']
    for (const name of [left, foreign]) {
      const url = `${bucket.bareUrl.replace(/\/\/.*@/, '//')}/probe/${name}`
      await fetch(url, { method: 'PUT', body: '1', headers: { authorization: 'AWS4-HMAC-SHA256 Credential=x/y/z' } })
    }
    const later = () => Date.now() + 2 * 3_600_000
    const calls = () =>
      bucket.gate.asked.filter(({ path }) => path.endsWith(`/probe/${left}`)).map(({ method }) => method)
    const first = await openS3Files({ url: bucket.url, production: false, warn: () => {}, now: later })
    expect(calls()).to.deep.equal([])
    await first.sweepTemporary()
    await first.close()
    expect(calls()).to.deep.equal(['DELETE'])
    const files = await open()
    const warnings: string[] = []
    await (await open(`${bucket.url}/deep/er?region=us-east-1`, true, warnings)).close()
    expect(warnings).to.deep.equal([])
    expect(await files.list(null, 10)).to.deep.equal([])
    await files.close()
    const names = bucket.gate.asked.filter(({ method }) => method === 'PUT').map(({ path }) => path)
    const removed = bucket.gate.asked.filter(({ method }) => method === 'DELETE').map(({ path }) => path)
    expect(new Set(removed)).to.deep.equal(new Set([...names, `/${bucket.name}/probe/${left}`]))
    expect(names.some((path) => path.startsWith(`/${bucket.name}/deep/er/probe/`))).to.equal(true)
  })

  it('is refused without its bucket', async () => {
    expect(await refusal(`${bucket.url}x`)).to.contain(`has no bucket ${bucket.name}x: make it, or name another one`)
  })

  it('is refused with an unknown key or secret', async () => {
    const expected = /refuses the key and secret in S3_URL \((InvalidAccessKeyId|SignatureDoesNotMatch)\)/
    expect(await refusal(bucket.url.replace(KEY.accessKeyId, 'NOBODY'))).to.match(expected)
    expect(await refusal(bucket.url.replace(/:[^:]*@/, ':wrong-hunter@'))).to.match(expected)
  })

  it('is refused without a needed right, which the error names', async () => {
    const denied = { status: 403, code: 'AccessDenied' }
    for (const [method, doing] of [
      ['GET', 'list'],
      ['PUT', 'put'],
      ['DELETE', 'delete'],
    ]) {
      failing(denied, (asked) => asked.method === method)
      expect(await refusal()).to.contain(`does not let the key of S3_URL ${doing} objects`)
    }
  })

  it('is refused in another region, and the error names the configured one', async () => {
    failing({ status: 301, code: 'PermanentRedirect' })
    expect(await refusal()).to.contain('in another region than us-east-1: give ?region=')
    failing({ status: 400, code: 'AuthorizationHeaderMalformed' })
    expect(await refusal(`${bucket.url}?region=eu-west-9`)).to.contain('in another region than eu-west-9')
  })

  it('is refused if the server is unavailable, silent or not S3', async () => {
    const nobody = `http://${KEY.accessKeyId}:wrong-hunter@127.0.0.1:1/files`
    expect(await refusal(nobody)).to.match(/http:\/\/127\.0\.0\.1:1\/files cannot be reached or used: ECONNREFUSED/)
    for (const fault of ['silent', 'cut', 'garbage', { status: 503, code: 'SlowDown' }] as const) {
      failing(fault)
      expect(await refusal(), String(fault)).to.contain('cannot be reached or used')
    }
  })

  it('is refused if uploads could overwrite other bytes', async () => {
    bucket.gate.heedsConditions = false
    expect(await refusal()).to.contain('overwrites existing objects despite If-None-Match')
  })

  it('is refused in production if the clock is off, and causes a warning in development', async () => {
    bucket.gate.aheadMs = 60_000
    expect(await refusal()).to.match(/has a clock [1-6]\d\.\d s ahead of ours; 5 s are allowed/)
    const warnings: string[] = []
    await (await open(bucket.url, false, warnings)).close()
    expect(warnings).to.have.length(1)
    bucket.gate.aheadMs = -60_000
    expect(await refusal()).to.match(/has a clock [1-6]\d\.\d s behind ours/)
    bucket.gate.aheadMs = 3_600_000
    expect(await refusal()).to.match(/has a clock (minutes off|\d+\.\d s ahead of) ours/)
    bucket.gate.aheadMs = 2_000
    await (await open()).close()
  })

  it('warns of a bucket that keeps deleted objects', async () => {
    const body = '<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>'
    await fetch(`${bucket.bareUrl.replace(/\/\/.*@/, '//')}?versioning`, { method: 'PUT', body })
    const warnings: string[] = []
    await (await open(bucket.url, true, warnings)).close()
    expect(warnings).to.have.length(1)
    expect(warnings[0]).to.match(/keeps old versions: what is deleted stays/)
  })

  it('reports the facts that doctor shows', async () => {
    const { shown, areChecked, faults, warnings } = await checkS3({ url: bucket.url, now: Date.now })
    expect([shown.endsWith(`/${bucket.name}`), areChecked, faults, warnings]).to.deep.equal([true, true, [], []])
    const bare = await checkS3({ url: bucket.bareUrl, now: Date.now })
    expect(bare.areChecked).to.equal(false)
  })
})
