// A bucket’s API answer: downloads count in their own month, UTC.

import { expect } from 'chai'
import { NEW_BUCKET } from '../../domain/bucket.ts'
import { bucketAnswer } from '../../queries/bucket.ts'

describe('the API answer of a bucket', () => {
  it('starts each month with nothing downloaded', () => {
    const state = { name: 'B', limits: NEW_BUCKET, created: '2026-11-01T00:00:00.000Z', deleted: false }
    const found = { id: 'k1', game: 'g1', state, bytes: 3, files: 1, month: '2026-11', downloaded: 7 }
    const at = (nowMs: number) => bucketAnswer(found, nowMs).downloaded_this_month
    expect([at(Date.UTC(2026, 10, 1)), at(Date.UTC(2026, 11, 1) - 1), at(Date.UTC(2026, 11, 1))]).to.deep.equal([
      7, 7, 0,
    ])
  })
})
