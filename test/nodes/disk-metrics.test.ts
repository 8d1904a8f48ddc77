// What a node reports about the free bytes on its disks.

import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { Registry } from 'prom-client'
import { watchDisks } from '../../server/metrics/process-metrics.ts'

async function metricsOf(filesDir: string | null, dataDir: string) {
  const registry = new Registry()
  watchDisks(registry, { dataDir, filesDir })
  const [metric] = await registry.getMetricsAsJSON()
  return { name: metric?.name, values: metric?.values ?? [] }
}

describe('the metric of free bytes', () => {
  it('has one value for the disk of the data folder and one for the disk of the files', async () => {
    const { name, values } = await metricsOf(tmpdir(), tmpdir())
    expect(name).to.equal('scorebook_disk_free_bytes')
    expect(values.map(({ labels }) => labels.disk)).to.deep.equal(['data', 'files'])
    const { blocks, bsize } = await statfs(tmpdir())
    for (const { value } of values) expect(value).to.be.within(1, blocks * bsize)
  })

  it('has no value for a folder that does not exist or is not used', async () => {
    expect((await metricsOf(null, join(tmpdir(), 'no', 'such', 'folder'))).values).to.deep.equal([])
  })
})
