// A restore drill with the S3 bucket of the running production.

import { openS3Owner } from '../../../stores/s3/open.ts'
import { type Bucket, freshBucket, STARTED_WITHIN_MS, startS3 } from '../../servers/s3/store.ts'
import { drillWith, type Order } from './shared-store.ts'

describe('a restored installation with the S3 bucket of production', function () {
  this.timeout(120_000)
  let bucket: Bucket
  before(async function () {
    this.timeout(STARTED_WITHIN_MS)
    await startS3()
  })
  beforeEach(async () => {
    bucket = await freshBucket()
  })
  afterEach(() => bucket.close())

  const orders: readonly Order[] = ['production', 'restored', 'restored, unmarked']
  for (const order of orders) {
    it(`deletes no object of production before it adopts the bucket; order of the starts: ${order} first`, async () => {
      await drillWith(
        {
          settings: { S3_URL: bucket.url },
          blobs: () => bucket.names(),
          unmark: async () => {
            const path = new URL(bucket.bareUrl)
            const headers = { authorization: 'AWS4-HMAC-SHA256 Credential=x/y/z' }
            await fetch(`${path.origin}${path.pathname}/owner`, { method: 'DELETE', headers })
            const owner = openS3Owner(bucket.url)
            if ((await owner.read()) !== null) throw new Error('the marker is still there')
            owner.close()
          },
          ahead: (ms) => {
            bucket.gate.linkNow = () => Date.now() + ms
          },
        },
        order,
      )
    })
  }
})
