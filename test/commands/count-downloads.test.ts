// Counting downloads: of a store that does not report sent bytes, and of no bytes at all.

import { expect } from 'chai'
import { offerDownload, refundUnsent, reserveBytes } from '../../commands/download.ts'
import { NEW_BUCKET } from '../../domain/bucket.ts'
import { createMemoryFiles } from '../memory/files.ts'
import { PLACE, world } from '../reactions/files-world.ts'

describe('counting downloads', () => {
  const file = { blob: 'b', size: 7, contentType: 'x/y', sha256: null, name: 'x' }

  it('counts the whole file with its link only if the store does not report sent bytes', async () => {
    for (const isUnmetered of [true, false]) {
      const w = await world()
      const commands = { ...w.commands, files: createMemoryFiles(w.now, isUnmetered) }
      await offerDownload(commands, PLACE, { file, limits: NEW_BUCKET, asker: 'ada' }, w.context())
      const [begun, metered] = await w.log.readStream('quota-k1', 0, 10)
      expect(begun?.data.by).to.equal(isUnmetered ? undefined : 'ada')
      const data = isUnmetered ? { download: begun?.data.download, bytes: 7 } : undefined
      expect(metered?.data).to.deep.equal(data)
    }
  })

  it('records no event for no bytes, and names the month of the call', async () => {
    const w = await world()
    const wanted = { download: 'd', bytes: 0, prereserved: 5 }
    expect(await reserveBytes(w.commands, 'k1', wanted, w.context())).to.deep.equal({
      month: '2026-11',
      prereserved: 0,
    })
    await refundUnsent(w.commands, 'k1', { download: 'd', bytes: 0, month: '2026-11' }, w.context())
    expect(await w.log.readStream('quota-k1', 0, 10)).to.deep.equal([])
  })
})
