// Given what happened to an upload or a bucket, when a command comes, then these events follow.

import { expect } from 'chai'
import { type BucketEvent, bucket, changeBucket, createBucket, deleteBucket, NEW_BUCKET } from '../../domain/bucket.ts'
import {
  completeUpload,
  expireUpload,
  finishUpload,
  isLive,
  isOpen,
  openUpload,
  refuseBytes,
  storeBytes,
  type UploadEvent,
  upload,
} from '../../domain/upload.ts'
import { given, START_MS, timeAt } from './given.ts'

const admit = () => {}

describe('the lifecycle of an upload', () => {
  const data = {
    bucket: 'k1',
    path: '/f',
    size: 3,
    contentType: 'text/plain',
    sha256: 'ab',
    blob: 'b1',
    player: 'p1',
    expires: timeAt(900),
  }
  const opened: UploadEvent = { type: 'UploadOpened', data }
  const bytes = { size: 3, sha256: 'ab' }
  const stored: UploadEvent = { type: 'BytesStored', data: bytes }
  const done = { file: 'fi1', creator: 'p1', created: timeAt(1), updated: timeAt(1) }
  const completed: UploadEvent = { type: 'UploadCompleted', data: done }
  const expired: UploadEvent = { type: 'UploadExpired', data: { blob: 'b1' } }
  const lastMs = Date.parse(data.expires) - 1

  it('is opened, receives its bytes once, and is completed once', () => {
    given(upload).when(openUpload(data)).then(opened)
    given(upload, opened)
      .when(storeBytes(bytes, lastMs, false))
      .thenOnce('not_found', stored)
    given(upload, opened, stored)
      .when(storeBytes(bytes, lastMs, true))
      .then()
    given(upload, opened, stored).when(completeUpload(done)).then(completed)
    given(upload, opened, stored).when(finishUpload(done)).then(completed)
    given(upload).when(completeUpload(done)).refused('not_found', 'not_found')
    given(upload).when(finishUpload(done)).then()
  })

  it('records wrong bytes in the store once while it is open', () => {
    const other = { size: 3, sha256: 'cd' }
    const refused: UploadEvent = { type: 'BytesRefused', data: other }
    given(upload, opened).when(refuseBytes(other, lastMs)).then(refused)
    given(upload, opened, refused).when(refuseBytes(other, lastMs)).then()
    given(upload, opened)
      .when(refuseBytes(other, lastMs + 1))
      .then()
    for (const over of [stored, completed, expired]) given(upload, opened, over).when(refuseBytes(other, lastMs)).then()
    expect(given(upload, opened, refused).state()).to.deep.include({ refused: other, isStored: false })
  })

  it('accepts exactly the announced bytes', () => {
    const store = (sent: { size: number; sha256: string | null }) =>
      given(upload, opened).when(storeBytes(sent, START_MS, false))
    store({ size: 2, sha256: 'ab' }).refused('malformed', 'size_mismatch')
    store({ size: 3, sha256: 'cd' }).refused('unprocessable', 'checksum_mismatch')
    store({ size: 3, sha256: null }).thenOnce('not_found', { type: 'BytesStored', data: { size: 3, sha256: null } })
  })

  it('expires at its end unless it was completed', () => {
    const stateAfter = (...events: UploadEvent[]) => given(upload, ...events).state()
    expect([lastMs, lastMs + 1].map((now) => isOpen(stateAfter(opened), now))).to.deep.equal([true, false])
    expect([lastMs, lastMs + 1].map((now) => isLive(stateAfter(opened, stored), now))).to.deep.equal([true, false])
    expect(isLive(stateAfter(opened, stored, completed), lastMs + 1)).to.equal(true)
    expect(isOpen(stateAfter(opened, stored), START_MS)).to.equal(false)
    given(upload, opened)
      .when(storeBytes(bytes, lastMs + 1, false))
      .refused('not_found', 'not_found')
  })

  it('expires once, never after completion, and is never opened afterwards', () => {
    given(upload, opened).when(expireUpload).then(expired)
    given(upload, opened, stored, completed).when(expireUpload).then()
    given(upload)
      .when(expireUpload)
      .then({ type: 'UploadExpired', data: { blob: null } })
    given(upload, { type: 'UploadExpired', data: { blob: null } })
      .when(openUpload(data))
      .refused('not_found', 'not_found')
  })
})

describe('a bucket', () => {
  const data = { name: 'Saves', limits: NEW_BUCKET }
  const created: BucketEvent = { type: 'BucketCreated', data }
  const configured = (name: string, limits: object = {}): BucketEvent => {
    return { type: 'BucketConfigured', data: { name, limits: { ...NEW_BUCKET, ...limits } } }
  }

  it('is created, changed in the given fields, and deleted once', () => {
    given(bucket).when(createBucket(data)).then(created)
    given(bucket, created)
      .when(changeBucket({ name: 'New' }, admit))
      .then(configured('New'))
    given(bucket, created)
      .when(changeBucket({ limits: { maxFiles: 0 } }, admit))
      .then(configured('Saves', { maxFiles: 0 }))
    given(bucket, created).when(changeBucket({}, admit)).then()
    given(bucket, created).when(deleteBucket).thenOnce('bucket_not_found', { type: 'BucketDeleted', data: {} })
    given(bucket).when(changeBucket({}, admit)).refused('not_found', 'bucket_not_found')
  })
})
