// What is specific to files in S3, over HTTP: bytes that nobody completes, simultaneous calls, and a store that is down
// or returns wrong data.

import { expect } from 'chai'
import { REPLACED_KEPT_MS } from '../../../reactions/blobs.ts'
import { sha256 } from '../../bytes.ts'
import { STARTED_WITHIN_MS, startS3 } from '../../servers/s3/store.ts'
import { eventually } from '../../until.ts'
import { answerCode } from '../tenant.ts'
import { must, openWorld, type World } from '../world.ts'
import type { BucketFiles } from '../world-files.ts'
import { type FilesFixture, openFilesFixture } from './files-fixture.ts'

const TOO_LATE_MS = 900_000
const AWAY = '503 store_away'

describe('files in S3 through the API', function () {
  this.timeout(60_000)
  let world: World
  let fixture: FilesFixture
  let files: BucketFiles

  before(async function () {
    this.timeout(STARTED_WITHIN_MS)
    await startS3()
  })
  beforeEach(async () => {
    world = await openWorld({ filesInS3: true })
    fixture = await openFilesFixture(world)
    await fixture.freshBucket()
    files = world.bucketFiles as BucketFiles
  })
  afterEach(() => world.close())

  it('hides bytes of uploads that nobody completed, also after a restart, and deletes them later', async () => {
    const { ada } = fixture
    const upload = must(await fixture.begin('/a', 3, ada.token), 201)
    expect(await files.send(upload, Buffer.from('abc'))).to.equal('stored')
    await world.restart()
    expect(answerCode(await fixture.file('/a', ada.token))).to.equal('404 not_found')
    expect(must(await fixture.ls('/', ada.token), 200).file_count).to.equal(0)
    expect(await files.blobs()).to.have.length(1)
    world.clock.nowMs += TOO_LATE_MS
    let tries = 0
    await eventually(async () => {
      if (tries++ % 50 === 0) world.clock.nowMs += REPLACED_KEPT_MS
      return (await files.blobs()).length === 0
    })
  })

  it('completes an upload after a restart that followed its bytes', async () => {
    const { ada } = fixture
    const upload = must(await fixture.begin('/a', 3, ada.token, { sha256: sha256('abc') }), 201)
    await files.send(upload, Buffer.from('abc'))
    await world.restart()
    expect(must(await fixture.complete(upload.upload_id, ada.token), 200).sha256).to.equal(sha256('abc'))
  })

  it('makes one file of an upload that several callers complete at the same time', async () => {
    const { ada } = fixture
    const upload = must(await fixture.begin('/a', 3, ada.token), 201)
    await files.send(upload, Buffer.from('abc'))
    const answers = await Promise.all(Array.from({ length: 10 }, () => fixture.complete(upload.upload_id, ada.token)))
    const made = answers.map((answer) => must(answer, 200))
    for (const one of made) expect(one).to.deep.equal(made[0])
    expect(await fixture.details()).to.include({ files: 1, bytes_used: 3 })
  })

  it('keeps the last of many uploads to one path that complete at the same time, and deletes the others', async () => {
    const { ada } = fixture
    const texts = ['one', 'two', 'three', 'four', 'five']
    const upload = await Promise.all(texts.map((text) => fixture.begin('/a', Buffer.from(text), ada.token)))
    const links = upload.map((answer) => must(answer, 201))
    await Promise.all(links.map((link, n) => files.send(link, Buffer.from(texts[n] as string))))
    const made = await Promise.all(links.map(({ upload_id }) => fixture.complete(upload_id, ada.token)))
    const ids = new Set(made.map((answer) => must(answer, 200).id))
    expect(ids.size).to.equal(1)
    const { url, size } = must(await fixture.download('/a', ada.token), 200)
    const bytes = String(await files.fetch(url))
    expect(texts).to.include(bytes)
    expect(bytes).to.have.length(size)
    let tries = 0
    await eventually(async () => {
      if (tries++ % 50 === 0) world.clock.nowMs += REPLACED_KEPT_MS
      return (await files.blobs()).length === 1
    })
    expect(await fixture.details()).to.include({ files: 1, bytes_used: size })
  })

  it('answers 503 to a completion while S3 is down, slow or busy, and completes it afterwards', async () => {
    const { ada } = fixture
    const upload = must(await fixture.begin('/a', 3, ada.token, { sha256: sha256('abc') }), 201)
    await files.send(upload, Buffer.from('abc'))
    const faults = [{ status: 500, code: 'InternalError' }, { status: 503, code: 'SlowDown' }, 'cut', 'silent'] as const
    for (const fault of faults) {
      files.gate.fault = ({ byLink }) => (byLink ? null : fault)
      expect(answerCode(await fixture.complete(upload.upload_id, ada.token)), String(fault)).to.deep.equal(AWAY)
      must(await fixture.ls('/', ada.token), 200)
      must(await fixture.begin('/b', 1, ada.token), 201)
    }
    files.gate.fault = null
    must(await fixture.complete(upload.upload_id, ada.token), 200)
    const { url } = must(await fixture.download('/a', ada.token), 200)
    expect(String(await files.fetch(url))).to.equal('abc')
  })

  it('refuses to complete an upload whose stored bytes have another checksum or size', async () => {
    const { ada } = fixture
    files.gate.checksSums = false
    await world.restart()
    const upload = must(await fixture.begin('/a', 3, ada.token, { sha256: sha256('abc') }), 201)
    expect(await files.send(upload, Buffer.from('abd'))).to.equal('stored')
    expect(answerCode(await fixture.complete(upload.upload_id, ada.token))).to.equal('422 checksum_mismatch')
    // It is known by now: the store is not queried again.
    const asked = files.gate.asked.length
    for (let times = 0; times < 3; times++) {
      expect((await fixture.complete(upload.upload_id, ada.token)).body.code).to.equal('checksum_mismatch')
    }
    expect(files.gate.asked.length).to.equal(asked)
    const other = must(await fixture.begin('/b', 3, ada.token), 201)
    await files.plant(other, Buffer.from('abcd'))
    expect(answerCode(await fixture.complete(other.upload_id, ada.token))).to.equal('400 size_mismatch')
    expect(must(await fixture.ls('/', ada.token), 200).file_count).to.equal(0)
  })
})
