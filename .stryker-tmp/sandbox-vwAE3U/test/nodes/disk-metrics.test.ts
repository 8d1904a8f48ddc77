// What a node reports about the free bytes on its disks.

import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { Registry } from 'prom-client'
import { watchDisks } from '../../observability/disk-metrics.ts'

async function told(filesDir: string | null, dataDir: string) {
  const registry = new Registry()
  watchDisks(registry, { dataDir, filesDir })
  const [metric] = await registry.getMetricsAsJSON()
  return { name: metric?.name, values: metric?.values ?? [] }
}

describe('the metric of free bytes', () => {
  it('has a value for the disk of the data folder and for that of files', async () => {
    const { name, values } = await told(tmpdir(), tmpdir())
    expect(name).to.equal('scorebook_disk_free_bytes')
    expect(values.map(({ labels }) => labels.disk)).to.deep.equal(['data', 'files'])
    const { blocks, bsize } = await statfs(tmpdir())
    for (const { value } of values) expect(value).to.be.within(1, blocks * bsize)
  })

  it('has none for a folder that is not there, or not used', async () => {
    expect((await told(null, join(tmpdir(), 'no', 'such', 'folder'))).values).to.deep.equal([])
  })
})
