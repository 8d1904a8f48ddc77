// File bytes to and from S3 through the shipped nginx configuration: signatures stay valid, and browsers execute
// nothing that it serves.

import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { openS3Files } from '../../stores/s3/open.ts'
import { newId, sha256 } from '../bytes.ts'
import { startNginx } from '../deploy/nginx.ts'
import { freePort } from '../free-port.ts'
import { freshBucket, STARTED_WITHIN_MS, startS3 } from '../servers/s3/store.ts'
import { expectedOf, inAMinute, offeredOf, putTo } from './s3-world.ts'

const BYTES = randomBytes(3_000_000)

describe('Links to S3 through nginx', () => {
  before(async function () {
    this.timeout(STARTED_WITHIN_MS)
    await startS3()
  })

  it('accept and serve exactly what they are signed for, and are not logged', async () => {
    // nginx's configuration contains the name of the bucket.
    const bucket = await freshBucket('scorebook-files')
    const nginx = await startNginx([await freePort(), await freePort()], { storePort: bucket.gate.port })
    const url = `${bucket.url}?links=http://127.0.0.1:${nginx.port}`
    const files = await openS3Files({ url, production: false, warn: () => {}, now: Date.now })
    try {
      const expected = expectedOf(BYTES, { sha256: sha256(BYTES) })
      const link = await files.uploadLink(newId(), expected, inAMinute())
      expect(new URL(link.url).port).to.equal(String(nginx.port))
      expect((await putTo(link, BYTES.subarray(1))).status).to.equal(403)
      expect((await putTo(link, BYTES)).status).to.equal(200)
      expect((await putTo(link, BYTES)).status).to.equal(412)
      const got = await fetch(await files.downloadLink(offeredOf(expected), inAMinute()))
      expect(Buffer.from(await got.arrayBuffer()).equals(BYTES)).to.equal(true)
      expect(got.headers.get('x-content-type-options')).to.equal('nosniff')
      expect(got.headers.get('content-security-policy')).to.equal("sandbox; default-src 'none'")
      expect(nginx.output()).not.to.contain('Signature')
    } finally {
      await files.close()
      await nginx.stop()
      await bucket.close()
    }
  })
})
