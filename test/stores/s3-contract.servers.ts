// The file store in S3 passes the contract, through a proxy that checks links as S3 does.

import { filesChecks } from '../contracts/files.suite.ts'
import { testContract } from '../contracts/test-contract.ts'
import { STARTED_WITHIN_MS, startS3 } from '../servers/s3/store.ts'
import { openS3World, type S3World } from './s3-world.ts'

describe('Files in S3', () => {
  const opened: S3World[] = []
  before(async function () {
    this.timeout(STARTED_WITHIN_MS)
    await startS3()
  })
  afterEach(async () => {
    for (const world of opened.splice(0)) await world.close()
  })

  testContract('keep the contract', filesChecks, async () => {
    const world = await openS3World()
    opened.push(world)
    return world
  })
})
