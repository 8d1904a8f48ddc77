// Room that uploads reserve: when a reservation is changed, and how large a snapshot of a quota is.

import { expect } from 'chai'
import { NEW_BUCKET } from '../../domain/bucket.ts'
import { type QuotaEvent, quota } from '../../domain/quota.ts'
import { confirmUpload } from '../../domain/reserve.ts'
import { given, START_MS } from './given.ts'

const share = { owner: 'ada', bytes: 5, files: 1 }
const expires = new Date(START_MS + 900_000).toISOString()
const uploadBegun: QuotaEvent = { type: 'UploadBegun', data: { upload: 'u', ...share, expires } }

describe('an upload that is confirmed', () => {
  const confirm = (more: Partial<typeof share> = {}) =>
    confirmUpload({ upload: 'u', size: 5, ...share, ...more }, NEW_BUCKET)

  it('keeps its reservation where it is the same', () => given(quota, uploadBegun).when(confirm()).then())

  for (const more of [{ owner: 'eve' }, { bytes: 4 }, { files: 0 }]) {
    it(`changes its reservation where ${Object.keys(more)} differs`, () => {
      given(quota, uploadBegun)
        .when(confirm(more))
        .then({ type: 'UploadReassigned', data: { upload: 'u', ...share, ...more } })
    })
  }

  it('reserves nothing where it is settled already', () => given(quota).when(confirm()).then())
})

describe('the size of a quota’s snapshot', () => {
  it('counts owners, uploads, deletions, downloads and who requested them', () => {
    const sizeAfter = (...events: QuotaEvent[]) => quota.size?.(given(quota, ...events).state())
    const deletions: QuotaEvent = { type: 'DeletionsBegun', data: { deletions: ['d1', 'd2'] } }
    const download: QuotaEvent = { type: 'DownloadBegun', data: { download: 'l', bytes: 9, expires, by: 'ada' } }
    const settled: QuotaEvent = { type: 'UploadSettled', data: { upload: 'u', held: share, freed: null } }
    expect([sizeAfter(), sizeAfter(uploadBegun), sizeAfter(deletions), sizeAfter(download)]).to.deep.equal([0, 2, 2, 2])
    expect([sizeAfter(uploadBegun, settled), sizeAfter(uploadBegun, deletions, download)]).to.deep.equal([2, 6])
  })
})
